//! Long lists: some rows at first, more on request.

use leptos::prelude::*;

/// The number of rows that a list shows at first, and adds each time.
pub const ROWS: usize = 200;

/// The button below a list that doesn't show all of its rows; it shows more.
#[component]
pub fn More(
    /// The number of rows shown.
    shown: RwSignal<usize>,
    /// The total number of rows.
    #[prop(into)]
    all: Signal<usize>,
) -> impl IntoView {
    view! {
        <Show when=move || { all.get() > shown.get() }>
            <button class="more" on:click=move |_| shown.update(|shown| *shown += ROWS)>
                {move || {
                    let left = all.get().saturating_sub(shown.get());
                    format!("Show {} more ({left} left)", left.min(ROWS))
                }}
            </button>
        </Show>
    }
}
