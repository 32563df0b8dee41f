//! Keys that work wherever the focus is.

use leptos::ev::{self, KeyboardEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::panel;
use super::toolbar::FileState;
use crate::session::{Session, View};

/// Whether keys of this event write text.
pub fn in_text(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    let editable = target
        .dyn_ref::<HtmlElement>()
        .is_some_and(HtmlElement::is_content_editable);
    editable || matches!(target.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
}

/// Listens as long as the page lives.
pub fn listen(session: Session, files: FileState) {
    let handle = window_event_listener(ev::keydown, move |event| {
        if event.default_prevented() {
            return;
        }
        let command = event.ctrl_key() || event.meta_key();
        let shift = event.shift_key();
        let taken = match event.key().to_ascii_lowercase().as_str() {
            "z" if command && !shift => act(|| session.undo()),
            "z" if command => act(|| session.redo()),
            "y" if command && !shift => act(|| session.redo()),
            "s" if command => act(|| files.save(session, shift)),
            "o" if command && !shift => act(|| files.open(session)),
            "arrowup" if event.alt_key() => act(|| session.view.set(View::Board)),
            "escape" if !in_text(&event) => leave(session),
            "f2" => rename(session),
            "." if !in_text(&event) && !command => act(|| panel::step(session, 1)),
            "," if !in_text(&event) && !command => act(|| panel::step(session, -1)),
            _ => false,
        };
        if taken {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

fn act(action: impl FnOnce()) -> bool {
    action();
    true
}

/// Esc lets go of the selection first, and leaves the method then.
fn leave(session: Session) -> bool {
    let selected = session
        .selection
        .with_untracked(|s| !s.blocks.is_empty() || !s.wires.is_empty());
    if selected {
        session.selection.update(|s| {
            s.blocks.clear();
            s.wires.clear();
        });
        return true;
    }
    let inside = session.view.with_untracked(|v| *v != View::Board);
    if inside {
        session.view.set(View::Board);
    }
    inside
}

fn rename(session: Session) -> bool {
    let one = session.selection.with_untracked(|s| {
        let mut records = s.records.iter();
        records.next().cloned().filter(|_| records.next().is_none())
    });
    let found = one.is_some();
    if found {
        session.renaming.set(one);
    }
    found
}
