//! The edge of a panel, moved by dragging or with the arrow keys. A double click, Enter, or a drag
//! far beyond the smallest size folds the panel.

use super::typed_key::TypedKey;
use std::cell::Cell;

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

/// A panel's movable edge.
#[component]
pub fn Splitter<F: Fn() + Copy + 'static>(
    /// Its side.
    edge: Edge,
    /// The panel's size in pixels.
    size: RwSignal<f64>,
    /// The smallest size in pixels.
    least: f64,
    /// Its label for screen readers.
    name: &'static str,
    /// The panel that it lies over.
    area: &'static str,
    /// Folds the panel.
    fold: F,
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
    let set = move |to: f64| size.set(to.min(greatest()).max(least).round());
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
        let is_folded = Cell::new(false);
        drag(&splitter, &event, move |step| match step {
            Drag::Moved(event) => {
                let to = before + along(event) - start;
                // A drag goes on over the folded panel.
                if to > least / 2.0 {
                    set(to);
                } else if !is_folded.replace(true) {
                    set(before);
                    fold();
                }
            }
            Drag::Released => {}
            Drag::Cancelled => set(before),
        });
    };
    let key = move |event: KeyboardEvent| {
        let step = match (event.typed_key().as_str(), edge) {
            ("ArrowRight", Edge::Right) | ("ArrowLeft", Edge::Left) | ("ArrowUp", Edge::Top) => {
                16.0
            }
            ("ArrowLeft", Edge::Right) | ("ArrowRight", Edge::Left) | ("ArrowDown", Edge::Top) => {
                -16.0
            }
            ("Enter", _) => return fold(),
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
            on:dblclick=move |_| fold()
        ></div>
    }
}
