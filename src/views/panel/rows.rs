//! Rows that the keyboard goes through. One of them is a stop of the Tab key; arrows, Home
//! and End move the focus from row to row, Enter and Space do what a click does.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, NodeList};

/// Which row of a list is the stop. The list's element has [`Rows::key`] as its `keydown`,
/// and each row a `data-row`, its [`Rows::stop`] as `tabindex`, and [`Rows::reach`] as `focus`.
#[derive(Clone, Copy)]
pub struct Rows(RwSignal<usize>);

impl Rows {
    /// The first row is the stop.
    pub fn new() -> Self {
        Self(RwSignal::new(0))
    }

    /// The `tabindex` of a row; tracked.
    pub fn stop(self, row: usize) -> &'static str {
        if self.0.get() == row { "0" } else { "-1" }
    }

    /// A row has got the focus.
    pub fn reach(self, row: usize) {
        if self.0.get_untracked() != row {
            self.0.set(row);
        }
    }

    /// A key was pressed within the list.
    pub fn key(self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
            return;
        }
        let Some(rows) = rows_of(event) else {
            return;
        };
        let focused = document().active_element();
        let focused = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok());
        let Some(focused) = focused.filter(|element| element.has_attribute("data-row")) else {
            return;
        };
        let (at, last) = (
            self.0.get_untracked(),
            rows.length().saturating_sub(1) as usize,
        );
        let next = match event.key().as_str() {
            "ArrowDown" => (at + 1).min(last),
            "ArrowUp" => at.saturating_sub(1),
            "Home" => 0,
            "End" => last,
            "Enter" | " " => {
                event.prevent_default();
                return focused.click();
            }
            _ => return,
        };
        event.prevent_default();
        let next = rows.item(next as u32);
        if let Some(next) = next.and_then(|row| row.dyn_into::<HtmlElement>().ok()) {
            let _ = next.focus();
        }
    }
}

fn rows_of(event: &KeyboardEvent) -> Option<NodeList> {
    let list = event.current_target()?.dyn_into::<HtmlElement>().ok()?;
    list.query_selector_all("[data-row]").ok()
}
