//! The parts of the page, between which F6 moves the focus.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The parts of the page, and the element that gets the focus in each.
const AREAS: [&str; 7] = [
    ".toolbar :is(button, input, select)",
    ".outline :is(.item[tabindex='0'], .search)",
    ".start-card :is(button, a)",
    ".canvas-area .canvas",
    ".inspector :is(input, textarea, select, button)",
    ".panel [tabindex='0']",
    ".tour-card :is(button, a)",
];

/// Moves the focus to the next part of the page, or the previous one.
pub fn next_area(step: i32) -> bool {
    let active = document().active_element();
    let count = AREAS.len() as i32;
    let within = |area: &str| {
        let root = area.split(' ').next().unwrap_or_default();
        let found = active.as_ref().map(|element| element.closest(root));
        matches!(found, Some(Ok(Some(_))))
    };
    let mut at = AREAS
        .iter()
        .position(|area| within(area))
        .map_or(1, |at| at as i32);
    for _ in 0..count {
        at = (at + step).rem_euclid(count);
        let next = AREAS
            .get(at as usize)
            .and_then(|area| document().query_selector(area).ok());
        if let Some(next) = next
            .flatten()
            .and_then(|e| e.dyn_into::<HtmlElement>().ok())
        {
            let _ = next.focus();
            return true;
        }
    }
    false
}
