//! The search box at the pointer: type, choose, Enter.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, EventTarget};
use taskloom_domain::calls::name_and_arguments;

use super::geometry::{Vec2, pixels};
use crate::ui::floating::popover;
use crate::ui::icon::Lucide;
use crate::ui::list::{List, ListView, Recent, Row, ranked};

/// A row, and the action of choosing it.
#[derive(Clone)]
pub struct Entry {
    /// The text that is matched and shown.
    pub label: String,
    /// The text shown next to it.
    pub detail: String,
    /// The icon before it.
    pub icon: Option<Lucide>,
    /// The class that sets the icon's colours.
    pub class: &'static str,
    /// `true` if it precedes others that match equally well, because it exists already.
    pub preferred: bool,
    /// The action of choosing it.
    pub choose: Rc<dyn Fn()>,
}

impl Entry {
    fn row(&self) -> Row {
        Row {
            label: self.label.clone(),
            detail: self.detail.clone(),
            icon: self.icon,
            class: self.class,
            preferred: self.preferred,
            ..Row::default()
        }
    }
}

/// Creates entries from a typed text.
pub type Fresh = dyn Fn(&str) -> Vec<Entry>;

/// The content of a search box.
#[derive(Clone)]
pub struct Search {
    /// Its prompt, such as `Add a block`.
    pub title: String,
    /// The position where it opens, in pixels of the canvas.
    pub at: Vec2,
    /// The entries that it finds by name.
    pub entries: Rc<Vec<Entry>>,
    /// The additional entries for a typed text.
    pub fresh: Rc<Fresh>,
}

/// The search box at the pointer: type, choose, Enter. It requests to be closed first, then
/// performs the chosen action.
#[component]
pub fn SearchBox(
    /// Its content.
    search: Search,
    /// The canvas's corner on the page, in pixels.
    corner: Vec2,
    /// Closes it.
    close: UnsyncCallback<()>,
) -> impl IntoView {
    let Search {
        title,
        at,
        entries,
        fresh,
    } = search;
    let named: Vec<Row> = entries.iter().map(Entry::row).collect();
    let recent = Recent::restore();
    let found = StoredValue::new_local(Vec::<Entry>::new());
    let rows = move |typed: &str| {
        let (head, _) = name_and_arguments(typed);
        let numbers = ranked(&named, head, &recent);
        let mut all: Vec<Entry> = fresh(typed.trim());
        let by_name = numbers
            .into_iter()
            .filter_map(|at| entries.get(at).cloned());
        // Typing arguments means that exactly this call is wanted.
        let at = if typed.contains('(') { all.len() } else { 0 };
        all.splice(at..at, by_name);
        let rows = all.iter().map(Entry::row).collect();
        found.set_value(all);
        rows
    };
    let pick = move |at: usize| {
        let entry = found.with_value(|all: &Vec<Entry>| all.get(at).cloned());
        if let Some(entry) = entry {
            Recent::note(&entry.label);
            close.run(());
            (entry.choose)();
        }
    };
    let list = List {
        title,
        rows: Rc::new(rows),
        pick: Rc::new(pick),
        key: Rc::new(|_, _| false),
        leave: Rc::new(move |_| close.run(())),
    };
    at_pointer(list, corner + at)
}

fn at_pointer(list: List, at: Vec2) -> AnyView {
    // A press outside the field, or the end of the long press that opened the box, would take the
    // focus from it and so close it.
    let keep_focus = move |event: ev::MouseEvent| {
        let target = event
            .target()
            .and_then(|t: EventTarget| t.dyn_into::<Element>().ok());
        if target.is_some_and(|target| target.tag_name() != "INPUT") {
            event.prevent_default();
        }
    };
    let name = list.title.clone();
    view! {
        <div class="finder" data-inner="" role="dialog" aria-label=name popover="manual" node_ref=popover()
            style:--x=pixels(at.x) style:--y=pixels(at.y)
            on:pointerdown=|e| e.stop_propagation() on:mousedown=keep_focus
            on:contextmenu=|e| e.prevent_default() on:wheel=|e| e.stop_propagation()
        >
            <ListView list/>
        </div>
    }
    .into_any()
}
