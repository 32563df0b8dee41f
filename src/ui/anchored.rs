//! Places popovers at the element that they belong to, in browsers without CSS anchors.

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::floating::keep_in_window;

/// The elements that the style sheets place by anchors.
const PLACED: &str = ".menu:popover-open:not(.context), .completion:popover-open";
/// The elements aligned with the right edge of their anchor.
const RIGHT: &str = ".right, .stage-menu";
/// The gap between an anchor and its popover, in pixels.
const GAP: f64 = 4.0;

/// Places popovers whenever one opens, is typed for, or its anchor moves.
pub fn listen() {
    if web_sys::css::supports("position-area: bottom").unwrap_or(false) {
        return;
    }
    for name in ["toggle", "scroll", "resize", "input", "keyup"] {
        let options = EventListenerOptions::run_in_capture_phase();
        let place = move |_: &web_sys::Event| {
            place_all();
            // The list of completions follows what was typed.
            request_animation_frame(place_all);
        };
        EventListener::new_with_options(&window(), name, options, place).forget();
    }
}

fn place_all() {
    let Ok(open) = document().query_selector_all(PLACED) else {
        return;
    };
    for at in 0..open.length() {
        let popover = open.item(at).and_then(|node| node.dyn_into().ok());
        if let Some(popover) = popover {
            place(&popover);
        }
    }
}

/// Places a popover below its anchor, or above if there is no room below.
fn place(popover: &HtmlElement) {
    let Some(anchor) = anchor_of(popover) else {
        return;
    };
    let (anchor, own) = (
        anchor.get_bounding_client_rect(),
        popover.get_bounding_client_rect(),
    );
    let height = window().inner_height().ok().and_then(|h| h.as_f64());
    let (below, above) = (anchor.bottom() + GAP, anchor.top() - GAP - own.height());
    let is_below = height.is_none_or(|height| below + own.height() <= height) || above < 0.0;
    let x = match popover.matches(RIGHT) {
        Ok(true) => anchor.right() - own.width(),
        _ => anchor.left(),
    };
    keep_in_window(popover, x, if is_below { below } else { above });
}

fn anchor_of(popover: &HtmlElement) -> Option<Element> {
    let find = |selector: &str| document().query_selector(selector).ok().flatten();
    if popover.matches(".completion").unwrap_or(false) {
        return find(".expression:focus-within .expression-box");
    }
    let id = popover.id();
    if !id.is_empty() {
        return find(&format!("[popovertarget=\"{id}\"]"));
    }
    // Its button is beside it.
    popover
        .parent_element()?
        .query_selector("[aria-expanded=true]")
        .ok()?
}
