//! The edge of a panel, moved by dragging or with the arrow keys.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;

use super::drag::{Drag, drag};

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
    let splitter = NodeRef::<html::Div>::new();
    let set = move |to: f64| size.set(to.min(greatest()).max(LEAST).round());
    let along = move |event: &PointerEvent| match edge {
        Edge::Right => event.client_x(),
        Edge::Left => -event.client_x(),
        Edge::Top => -event.client_y(),
    };
    let down = move |event: PointerEvent| {
        let Some(splitter) = splitter.get_untracked() else {
            return;
        };
        let (start, before) = (along(&event), size.get_untracked());
        drag(&splitter, &event, move |step| match step {
            Drag::Moved(event) => set(before + along(event) - start),
            Drag::Released => {}
            Drag::Cancelled => set(before),
        });
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
            node_ref=splitter
            on:pointerdown=down
            on:keydown=key
        ></div>
    }
}
