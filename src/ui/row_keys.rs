//! Keys in lists of fields: arrow keys lead from a field to the buttons in its row, and Enter from
//! a row to the next one. Tab visits only the fields.

use super::typed_key::TypedKey;
use leptos::ev::KeyboardEvent;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

const FIELDS: &str = "textarea, input, select";
const CONTROLS: &str = "textarea, input, select, button, a[href]";

/// Moves the focus within a row by the arrow keys: to the right from the end of a field, to the left
/// from its beginning.
pub fn move_in_row(event: &KeyboardEvent) {
    let step = match event.typed_key().as_str() {
        "ArrowRight" => 1,
        "ArrowLeft" => -1,
        _ => return,
    };
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
        return;
    }
    let Some(from) = document().active_element() else {
        return;
    };
    let row = from.closest(".row").ok().flatten();
    let Some(row) = row.filter(|_| is_at_edge(&from, step)) else {
        return;
    };
    if focus_near(&row, CONTROLS, &from, step) {
        event.prevent_default();
        event.stop_propagation();
    }
}

/// Focuses the field of another row of the same section; returns `false` if there is none.
pub fn focus_row(step: isize) -> bool {
    near_active(".section", "textarea", step)
}

/// Focuses the next field of the inspector, whatever it is.
pub fn focus_next_field() -> bool {
    near_active(".inspector", FIELDS, 1)
}

/// Focuses the last field of the section around an element.
pub fn focus_last(near: &Element) {
    let section = near.closest(".section").ok().flatten();
    let last = section.and_then(|section| elements(&section, FIELDS).pop());
    if let Some(last) = last {
        focus(&last);
    }
}

fn near_active(around: &str, what: &str, step: isize) -> bool {
    let Some(from) = document().active_element() else {
        return false;
    };
    let around = from.closest(around).ok().flatten();
    around.is_some_and(|around| focus_near(&around, what, &from, step))
}

/// Focuses the element some steps from another, among those in `around`.
fn focus_near(around: &Element, what: &str, from: &Element, step: isize) -> bool {
    let all = elements(around, what);
    let at = all.iter().position(|element| element == from);
    let to = at.and_then(|at| all.get(at.checked_add_signed(step)?));
    to.is_some_and(focus)
}

fn elements(around: &Element, what: &str) -> Vec<Element> {
    let Ok(found) = around.query_selector_all(what) else {
        return vec![];
    };
    let element = |at| found.item(at)?.dyn_into::<Element>().ok();
    let all = (0..found.length()).filter_map(element);
    all.filter(|element| element.client_width() > 0 || element.client_height() > 0)
        .collect()
}

/// Focuses an element, with the caret at the end of its text.
fn focus(element: &Element) -> bool {
    let Some(html) = element.dyn_ref::<HtmlElement>() else {
        return false;
    };
    if let Some(area) = element.dyn_ref::<HtmlTextAreaElement>() {
        let end = area.value().encode_utf16().count() as u32;
        // A field on the screen takes any selection.
        let _ = area.set_selection_range(end, end);
    }
    html.focus().is_ok()
}

/// Returns `true` if an arrow key has no other meaning in an element: no text is left on that side.
fn is_at_edge(element: &Element, step: isize) -> bool {
    let text = match element.dyn_ref::<HtmlTextAreaElement>() {
        Some(area) => Some((area.selection_start(), area.selection_end(), area.value())),
        None => element.dyn_ref::<HtmlInputElement>().map(|input| {
            (
                input.selection_start(),
                input.selection_end(),
                input.value(),
            )
        }),
    };
    // Check boxes have no caret.
    let Some((Ok(Some(start)), Ok(Some(end)), text)) = text else {
        return true;
    };
    let last = text.encode_utf16().count() as u32;
    start == end && end == if step > 0 { last } else { 0 }
}
