//! The focus among the elements of a list.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Moves the focus among the elements within `root` that match `selector`: `next` gets the index of
/// the focused one, if any, and their number, and returns the index to focus.
pub fn rove(root: &Element, selector: &str, next: impl FnOnce(Option<usize>, usize) -> usize) {
    let Ok(items) = root.query_selector_all(selector) else {
        return;
    };
    let active = document().active_element();
    let active = active.as_ref().map(AsRef::as_ref);
    let has_focus = |at: &u32| active.is_some() && items.item(*at).as_ref() == active;
    let current = (0..items.length()).find(has_focus).map(|at| at as usize);
    let item = items.item(next(current, items.length() as usize) as u32);
    if let Some(item) = item.and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
        // An element on the screen takes the focus.
        let _ = item.focus();
    }
}
