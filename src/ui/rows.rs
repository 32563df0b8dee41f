//! Rows with keyboard navigation. One of them is the Tab stop; arrows, Home and End move the focus
//! from row to row, Enter and Space act like a click.

use super::typed_key::TypedKey;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::focus::rove;

/// The Tab stop among the rows of a list. The list's element has [`Rows::key`] as its `keydown`,
/// and each row a `data-row`, its [`Rows::stop`] as `tabindex`, and [`Rows::reach`] as `focus`.
#[derive(Clone, Copy)]
pub struct Rows(RwSignal<usize>);

impl Rows {
    /// Starts with the first row as the Tab stop.
    pub fn new() -> Self {
        Self(RwSignal::new(0))
    }

    /// Returns the `tabindex` of a row; tracked.
    pub fn stop(self, row: usize) -> &'static str {
        if self.0.get() == row { "0" } else { "-1" }
    }

    /// Records that a row has got the focus.
    pub fn reach(self, row: usize) {
        if self.0.get_untracked() != row {
            self.0.set(row);
        }
    }

    /// Handles a key pressed within the list.
    pub fn key(self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
            return;
        }
        let list = event.current_target();
        let list = list.and_then(|list| list.dyn_into::<HtmlElement>().ok());
        let focused = document().active_element();
        let focused = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok());
        let focused = focused.filter(|element| element.has_attribute("data-row"));
        let (Some(list), Some(focused)) = (list, focused) else {
            return;
        };
        let key = event.typed_key();
        if matches!(key.as_str(), "Enter" | " ") {
            event.prevent_default();
            return focused.click();
        }
        let Some(step) = step(&key) else {
            return;
        };
        event.prevent_default();
        let at = self.0.get_untracked();
        rove(&list, "[data-row]", |_, count| {
            step(at, count.saturating_sub(1))
        });
    }
}

/// A step in a list: from the index of a row and that of the last one to the index of another.
type Step = fn(usize, usize) -> usize;

/// Returns the step that a key means; `None` for other keys.
pub fn step(key: &str) -> Option<Step> {
    let step: Step = match key {
        "ArrowDown" => |at, last| (at + 1).min(last),
        "ArrowUp" => |at, _| at.saturating_sub(1),
        "Home" => |_, _| 0,
        "End" => |_, last| last,
        _ => return None,
    };
    Some(step)
}
