//! The menu at the pointer: what can be done with the thing that was right-clicked.

use super::typed_key::TypedKey;
use std::rc::Rc;

use leptos::ev::{self, FocusEvent, KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};

use super::floating::keep_in_window;
use super::focus::rove;
use super::live::live;

/// A command of a menu.
#[derive(Clone)]
pub struct MenuCommand {
    /// Its label.
    pub label: String,
    /// The keys of the same command; may be empty.
    pub keys: String,
    /// Runs it.
    pub run: Rc<dyn Fn()>,
}

impl MenuCommand {
    /// Creates a command.
    pub fn new(
        label: impl Into<String>,
        keys: impl Into<String>,
        run: impl Fn() + 'static,
    ) -> Self {
        Self {
            label: label.into(),
            keys: keys.into(),
            run: Rc::new(run),
        }
    }
}

/// Commands under a heading, which may be empty.
#[derive(Clone)]
pub struct MenuSection {
    /// The heading.
    pub heading: String,
    /// The commands.
    pub commands: Vec<MenuCommand>,
}

impl MenuSection {
    /// Creates a section.
    pub fn new(heading: impl Into<String>, commands: Vec<MenuCommand>) -> Self {
        Self {
            heading: heading.into(),
            commands,
        }
    }
}

/// A menu that is open.
struct Open {
    label: String,
    /// Its corner, in pixels of the window.
    at: (f64, f64),
    sections: Vec<MenuSection>,
}

/// The page's menu at the pointer, provided as Leptos context. Only one is open at a time.
#[derive(Clone, Copy)]
pub struct ContextMenu {
    open: RwSignal<Option<Rc<Open>>, LocalStorage>,
    /// The element that had the focus, and gets it back.
    before: StoredValue<Option<HtmlElement>, LocalStorage>,
}

impl ContextMenu {
    /// Provides it to the components below.
    pub fn provide() -> Self {
        let menu = Self {
            open: RwSignal::new_local(None),
            before: StoredValue::new_local(None),
        };
        provide_context(menu);
        menu
    }

    /// Returns the menu that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Opens a menu with its corner at a point of the window. Without commands, nothing opens.
    pub fn show(self, label: impl Into<String>, at: (f64, f64), mut sections: Vec<MenuSection>) {
        sections.retain(|section| !section.commands.is_empty());
        if sections.is_empty() {
            return;
        }
        if self.open.with_untracked(Option::is_none) {
            let focused = document().active_element();
            self.before
                .set_value(focused.and_then(|element| element.dyn_into().ok()));
        }
        let label = label.into();
        self.open.set(Some(Rc::new(Open {
            label,
            at,
            sections,
        })));
    }

    /// Closes the menu; the element that had the focus before gets it back.
    fn close(self) {
        self.open.set(None);
        if let Some(element) = self.before.try_update_value(Option::take).flatten() {
            // An element that is gone by now takes no focus.
            let _ = element.focus();
        }
    }

    /// Closes the menu; the focus stays where it is.
    fn leave(self) {
        if self.open.with_untracked(Option::is_some) {
            self.before.set_value(None);
            self.open.set(None);
        }
    }
}

/// The menu, while it is open.
#[component]
pub fn ContextMenuView() -> impl IntoView {
    let menu = ContextMenu::expect();
    live(move || menu.open.get().map(|open| shown(menu, &open)))
}

fn shown(menu: ContextMenu, open: &Open) -> AnyView {
    let element = NodeRef::<html::Div>::new();
    let (x, y) = open.at;
    Effect::new(move || {
        if let Some(element) = element.get() {
            // A menu that is already open stays open.
            let _ = element.show_popover();
            keep_in_window(&element, x, y);
            step(&element, |_, _| 0);
        }
    });
    let outside = move |target: Option<Node>| {
        let inside = element.try_get_untracked().flatten();
        inside.is_some_and(|inside| !inside.contains(target.as_ref()))
    };
    // The release of a long press may still become a click on what is under the finger: it chooses
    // nothing and takes no focus.
    let was_pressed = StoredValue::new(false);
    let pressed = window_event_listener(ev::pointerdown, move |event| {
        was_pressed.set_value(true);
        if outside(event.target().and_then(|target| target.dyn_into().ok())) {
            menu.leave();
        }
    });
    on_cleanup(move || pressed.remove());
    let released = window_event_listener(ev::mousedown, move |event| {
        if !was_pressed.get_value() {
            event.prevent_default();
        }
    });
    on_cleanup(move || released.remove());
    let left = move |event: FocusEvent| {
        let next = event.related_target();
        if outside(next.and_then(|target| target.dyn_into().ok())) {
            menu.leave();
        }
    };
    let key = move |event: KeyboardEvent| {
        // The page's own keys don't apply while the menu is open.
        event.stop_propagation();
        let Some(element) = element.get_untracked() else {
            return;
        };
        match event.typed_key().as_str() {
            "ArrowDown" => step(&element, |at, count| at.map_or(0, |at| (at + 1) % count)),
            "ArrowUp" => step(&element, |at, count| (at.unwrap_or(0) + count - 1) % count),
            "Home" => step(&element, |_, _| 0),
            "End" => step(&element, |_, count| count - 1),
            "Escape" | "Tab" => menu.close(),
            _ => return,
        }
        event.prevent_default();
    };
    let sections = open.sections.iter().enumerate();
    let sections = sections.map(|(at, section)| section_view(menu, section, at > 0, was_pressed));
    view! {
        <div
            class="menu context" role="menu" aria-label=open.label.clone() popover="manual" node_ref=element
            on:keydown=key on:focusout=left on:mousedown=|event| event.prevent_default()
            on:contextmenu=|event| event.prevent_default() on:pointerdown=move |event| {
                was_pressed.set_value(true);
                event.stop_propagation();
            }
        >
            {sections.collect_view()}
        </div>
    }
    .into_any()
}

fn section_view(
    menu: ContextMenu,
    section: &MenuSection,
    has_line: bool,
    was_pressed: StoredValue<bool>,
) -> AnyView {
    let heading = section.heading.clone();
    let note = (!heading.is_empty())
        .then(|| view! { <span class="menu-note" role="presentation">{heading.clone()}</span> });
    let commands = section.commands.iter().map(|command| {
        let run = command.run.clone();
        let choose = move |event: MouseEvent| {
            let by_key = event.detail() == 0;
            if !by_key && !was_pressed.get_value() {
                return;
            }
            menu.close();
            run();
        };
        // The arrow keys continue from where the pointer is.
        let hover = |event: PointerEvent| {
            let item = event.current_target().and_then(|item| item.dyn_into::<HtmlElement>().ok());
            if let Some(item) = item.filter(|item| document().active_element().as_ref() != Some(item)) {
                let _ = item.focus();
            }
        };
        view! {
            <button type="button" role="menuitem" tabindex="-1" on:click=choose on:pointermove=hover>
                <span>{command.label.clone()}</span>
                <kbd>{command.keys.clone()}</kbd>
            </button>
        }
    });
    let name = (!heading.is_empty()).then_some(heading);
    view! {
        {has_line.then(|| view! { <hr/> })}
        <div class="menu-section" role="group" aria-label=name>{note}{commands.collect_view()}</div>
    }
    .into_any()
}

/// Moves the focus among the commands.
fn step(menu: &HtmlElement, next: impl FnOnce(Option<usize>, usize) -> usize) {
    rove(menu, "[role=menuitem]", |at, count| next(at, count.max(1)));
}
