//! Marks beside elements that other parts of the page draw: where they are, followed as they move.

use leptos::prelude::*;

use super::changes::follow_changes;

/// The position and size of an element in the window, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    /// The distance from the window's left.
    pub left: f64,
    /// The distance from the window's top.
    pub top: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Bounds {
    /// Returns the bounds of an element.
    pub fn of(element: &web_sys::Element) -> Self {
        let rect = element.get_bounding_client_rect();
        Self {
            left: rect.left(),
            top: rect.top(),
            width: rect.width(),
            height: rect.height(),
        }
    }
}

/// Returns the bounds of the first element that matches a selector.
pub fn bounds_of(selector: &str) -> Option<Bounds> {
    let element = document().query_selector(selector).ok()??;
    Some(Bounds::of(&element))
}

/// Follows the first element that is on the screen: selectors are tried in order. `None` while
/// there is none.
pub fn follow(anchors: Signal<&'static [&'static str]>) -> ReadSignal<Option<Bounds>> {
    let (bounds, set) = signal(None);
    let look = move || {
        // A frame may come after the end of its owner.
        let Some(anchors) = anchors.try_get_untracked() else {
            return;
        };
        let now = anchors.iter().find_map(|one| visible(one));
        if bounds.try_get_untracked() != Some(now) {
            set.try_set(now);
        }
    };
    Effect::new(move || {
        anchors.track();
        look();
    });
    follow_changes(look);
    bounds
}

/// Returns the bounds of the first visible element that matches a selector.
fn visible(selector: &str) -> Option<Bounds> {
    let all = document().query_selector_all(selector).ok()?;
    let (width, height) = window_size();
    (0..all.length()).find_map(|at| {
        let element = all.item(at)?;
        let element = wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(element).ok()?;
        let bounds = Bounds::of(&element);
        let is_seen = bounds.width > 0.0
            && bounds.height > 0.0
            && bounds.left < width
            && bounds.top < height
            && bounds.left + bounds.width > 0.0
            && bounds.top + bounds.height > 0.0;
        let (x, y) = (
            bounds.left + bounds.width / 2.0,
            bounds.top + bounds.height / 2.0,
        );
        let top = document().element_from_point(x as f32, y as f32);
        let is_on_top = top.is_some_and(|top| element.contains(Some(&top)));
        (is_seen && is_on_top).then_some(bounds)
    })
}

/// Returns the window's width and height in pixels.
pub fn window_size() -> (f64, f64) {
    let length = |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|v| v.as_f64());
    (
        length(window().inner_width()).unwrap_or(0.0),
        length(window().inner_height()).unwrap_or(0.0),
    )
}
