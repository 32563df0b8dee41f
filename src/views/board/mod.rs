//! The Board: the paper's columns of sensors, conditions, actions and tasks.

use leptos::prelude::*;

/// The Board canvas.
#[component]
pub fn BoardView() -> impl IntoView {
    view! { <div class="canvas" tabindex="0" aria-label="Board"></div> }
}
