//! The search box at the pointer: type, choose, Enter.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, EventTarget};
use taskloom::domain::calls::name_and_arguments;

use super::geometry::{Vec2, pixels};
use crate::ui::list::{List, ListView, Recent, Row, ranked};

/// A row and what choosing it does.
#[derive(Clone)]
pub struct Entry {
    /// What is matched and shown.
    pub label: String,
    /// Shown beside it.
    pub detail: String,
    /// The class of its mark.
    pub class: &'static str,
    /// Whether it comes before others that fit as well: it is there already.
    pub preferred: bool,
    /// What choosing it does.
    pub choose: Rc<dyn Fn()>,
}

impl Entry {
    fn row(&self) -> Row {
        Row {
            label: self.label.clone(),
            detail: self.detail.clone(),
            class: self.class,
            preferred: self.preferred,
            ..Row::default()
        }
    }
}

/// What a text that was typed makes possible.
pub type Fresh = dyn Fn(&str) -> Vec<Entry>;

/// What a search box offers.
#[derive(Clone)]
pub struct Search {
    /// What it asks for: `Add a block`.
    pub title: String,
    /// Where it opens, in pixels of the canvas.
    pub at: Vec2,
    /// What it finds by name.
    pub entries: Rc<Vec<Entry>>,
    /// What it offers besides for a text that was typed.
    pub fresh: Rc<Fresh>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 340.0;
/// How far, in pixels, the box reaches beyond the pointer.
const UNDER: f64 = 14.0;

/// The box at the pointer: type, choose, Enter. It asks to be closed first, then does what was chosen.
#[component]
pub fn SearchBox(
    /// What it offers.
    search: Search,
    /// Pixels of the canvas.
    size: Vec2,
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
        // Whoever types arguments wants just that call.
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
    at_pointer(list, at, size)
}

fn at_pointer(list: List, at: Vec2, size: Vec2) -> AnyView {
    // The pointer is over the field: what still comes of its press changes nothing.
    let left = (at.x - UNDER).min(size.x - WIDTH - 8.0).max(8.0);
    let top = (at.y - UNDER).min(size.y - HEIGHT - 8.0).max(8.0);
    // A press beside the field, or the end of the long one that opened the box,
    // would take the focus from it and so close it.
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
        <div class="finder" data-inner="" role="dialog" aria-label=name
            style:left=pixels(left) style:top=pixels(top)
            on:pointerdown=|e| e.stop_propagation() on:mousedown=keep_focus
            on:contextmenu=|e| e.prevent_default() on:wheel=|e| e.stop_propagation()
        >
            <ListView list/>
        </div>
    }
    .into_any()
}
