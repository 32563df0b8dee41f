//! Long lists: some rows at first, more when asked for.

use leptos::prelude::*;

/// How many rows a list shows at first, and how many more each time.
pub const ROWS: usize = 200;

/// Below a list that does not show all its rows: the button that shows more.
#[component]
pub fn More(
    /// How many rows are shown.
    shown: RwSignal<usize>,
    /// How many there are.
    #[prop(into)]
    all: Signal<usize>,
) -> impl IntoView {
    view! {
        <Show when=move || { all.get() > shown.get() }>
            <button class="more" on:click=move |_| shown.update(|shown| *shown += ROWS)>
                {move || {
                    let left = all.get().saturating_sub(shown.get());
                    format!("Show {} more of {left}", left.min(ROWS))
                }}
            </button>
        </Show>
    }
}
