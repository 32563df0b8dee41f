//! How firmly an actor keeps to a task that it has started.

use leptos::prelude::*;
use taskloom::document::PrimitiveTask;

use super::edited::Edited;

/// The switch that makes a primitive task uninterruptible.
#[component]
pub fn Uninterruptible(task: Edited<PrimitiveTask>) -> impl IntoView {
    const LABEL: &str = "replanning can't interrupt it";
    let on = task.memo(|task| task.uninterruptible);
    let set = move |event| {
        let on = event_target_checked(&event);
        task.change("Change the interruption of", |task| {
            task.uninterruptible = on;
        });
    };
    view! {
        <div class="switch-row">
            <label
                class="switch"
                title="A reason to replan waits until it ends; a failure or an integrity rule still ends it at once"
            >
                <input
                    type="checkbox"
                    role="switch"
                    aria-label=LABEL
                    prop:checked=move || on.get()
                    on:change=set
                />
                <span>{LABEL}</span>
            </label>
        </div>
    }
}
