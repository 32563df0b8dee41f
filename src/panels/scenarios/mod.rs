//! All scenarios of the document, side by side, as a table of tests.

use leptos::prelude::*;

/// The table of scenarios.
#[component]
pub fn ScenariosView() -> impl IntoView {
    view! { <section class="scenarios-view" aria-label="Scenarios"></section> }
}
