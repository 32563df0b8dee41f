//! The Method: one compound task's flowchart.

use leptos::prelude::*;
use taskloom_core::document::Name;

/// The canvas of a compound task's method.
#[component]
pub fn MethodView(
    /// The compound task.
    task: Name,
) -> impl IntoView {
    view! { <div class="canvas" tabindex="0" aria-label=format!("Method of {task}")></div> }
}
