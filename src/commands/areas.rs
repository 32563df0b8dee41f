//! The parts of the page, between which F6 moves the focus.

use leptos::prelude::*;

use crate::panels::frame::visible;
use crate::web::live;

/// The parts of the page, each with its name and the elements of which the first visible one gets
/// the focus: a folded part has its rail.
const AREAS: [(&str, &str, &[&str]); 7] = [
    (
        "Toolbar",
        ".toolbar",
        &[".toolbar :is(button, input, select)"],
    ),
    (
        "Outline",
        ".outline, .rail-outline",
        &[
            ".outline .item[tabindex='0']",
            ".outline .search",
            ".rail-outline button",
        ],
    ),
    ("Start card", ".start-card", &[".start-card :is(button, a)"]),
    (
        "Canvas",
        ".canvas-area",
        &[
            ".canvas-area .canvas",
            ".canvas-area :is(button, input, select, [tabindex='0'])",
        ],
    ),
    (
        "Inspector",
        ".inspector, .rail-inspector",
        &[
            ".inspector :is(input, textarea, select, button:not(.fold-part))",
            ".rail-inspector button",
        ],
    ),
    ("Panel", ".panel", &[".panel [tabindex='0']"]),
    ("Tour", ".tour-card", &[".tour-card :is(button, a)"]),
];

/// Moves the focus to the next part of the page, or the previous one.
pub fn next_area(step: i32) -> bool {
    let active = document().active_element();
    let count = AREAS.len() as i32;
    let within = |root: &str| {
        let found = active.as_ref().map(|element| element.closest(root));
        matches!(found, Some(Ok(Some(_))))
    };
    let mut at = AREAS
        .iter()
        .position(|(_, root, _)| within(root))
        .map_or(1, |at| at as i32);
    for _ in 0..count {
        at = (at + step).rem_euclid(count);
        let area = AREAS.get(at as usize);
        let next = area.and_then(|(name, _, elements)| {
            let element = elements.iter().find_map(|e| visible(e))?;
            Some((name, element))
        });
        if let Some((name, element)) = next {
            let _ = element.focus();
            live::say(name);
            return true;
        }
    }
    false
}
