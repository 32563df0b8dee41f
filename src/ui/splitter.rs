//! The edge of a panel, moved by dragging or with the arrow keys.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The side of its panel on which the edge lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The panel is to the left of it.
    Right,
    /// The panel is to the right of it.
    Left,
    /// The panel is below it.
    Top,
}

const LEAST: f64 = 120.0;

/// A panel's movable edge.
#[component]
pub fn Splitter(
    /// Its side.
    edge: Edge,
    /// The panel's size in pixels.
    size: RwSignal<f64>,
    /// Its label for screen readers.
    name: &'static str,
    /// The panel that it lies over.
    area: &'static str,
) -> impl IntoView {
    let greatest = move || {
        let length = if edge == Edge::Top {
            window().inner_height()
        } else {
            window().inner_width()
        };
        length.ok().and_then(|l| l.as_f64()).unwrap_or(1280.0) * 0.6
    };
    let set = move |to: f64| size.set(to.min(greatest()).max(LEAST).round());
    let grab = StoredValue::new(None::<(f64, f64)>);
    let along = move |event: &PointerEvent| match edge {
        Edge::Right => event.client_x(),
        Edge::Left => -event.client_x(),
        Edge::Top => -event.client_y(),
    };
    let down = move |event: PointerEvent| {
        if let Some(target) = event
            .current_target()
            .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
        {
            // Without capture the drag ends where the pointer leaves the edge.
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        grab.set_value(Some((along(&event), size.get_untracked())));
        event.prevent_default();
    };
    let drag = move |event: PointerEvent| {
        if let Some((start, before)) = grab.get_value() {
            set(before + along(&event) - start);
        }
    };
    let key = move |event: KeyboardEvent| {
        let step = match (event.key().as_str(), edge) {
            ("ArrowRight", Edge::Right) | ("ArrowLeft", Edge::Left) | ("ArrowUp", Edge::Top) => {
                16.0
            }
            ("ArrowLeft", Edge::Right) | ("ArrowRight", Edge::Left) | ("ArrowDown", Edge::Top) => {
                -16.0
            }
            _ => return,
        };
        event.prevent_default();
        set(size.get_untracked() + step);
    };
    view! {
        <div
            class=format!("splitter over-{area}")
            role="separator"
            tabindex="0"
            aria-label=name
            aria-orientation=if edge == Edge::Top { "horizontal" } else { "vertical" }
            aria-valuenow=move || size.get().to_string()
            on:pointerdown=down
            on:pointermove=drag
            on:pointerup=move |_| grab.set_value(None)
            on:pointercancel=move |_| grab.set_value(None)
            on:keydown=key
        ></div>
    }
}
