//! The looks of a task's state.

use leptos::prelude::*;
use taskloom_runtime::TaskState;

/// Returns the class and the name of a state.
pub fn word(state: TaskState) -> (&'static str, &'static str) {
    match state {
        TaskState::Planned => ("planned", "planned"),
        TaskState::InProgress => ("running", "in progress"),
        TaskState::Complete => ("complete", "complete"),
        TaskState::Failed => ("failed", "failed"),
        TaskState::Stopped => ("stopped", "stopped"),
    }
}

/// Returns the outline of a state's icon in a square of 16 units, a different shape for each.
pub fn shape(state: TaskState) -> &'static str {
    match state {
        TaskState::Planned => "M8 3.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z",
        TaskState::InProgress => "M4.5 3l8.5 5l-8.5 5z",
        TaskState::Complete => "M2.8 8.6l3.6 3.6l6.8-8",
        TaskState::Failed => "M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4",
        TaskState::Stopped => "M4.2 4.2h7.6v7.6h-7.6z",
    }
}

/// Shows the icon of a state, with its name for screen readers.
#[component]
pub fn StateMark(#[prop(into)] state: Signal<TaskState>) -> impl IntoView {
    let class = move || format!("state {}", word(state.get()).0);
    let name = move || word(state.get()).1;
    view! {
        <span class=class role="img" aria-label=name title=name>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d=move || shape(state.get())/></svg>
        </span>
    }
}
