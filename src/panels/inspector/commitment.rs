//! Fields for an actor's commitment to what it has started.

use leptos::prelude::*;
use taskloom_document::{PrimitiveTask, RecordType};

use super::edited::Edited;
use super::fields::{Labelled, NumberField};

/// The cooldown of a task or a goal.
#[component]
pub fn Cooldown<R: RecordType>(
    /// The task or goal.
    record: Edited<R>,
    /// Its cooldown.
    of: fn(&R) -> u32,
    /// Returns its cooldown, to change it.
    of_mut: fn(&mut R) -> &mut u32,
    /// Its explanation.
    hint: &'static str,
) -> impl IntoView {
    let value = record.memo(move |record| Some(f64::from(of(record))));
    let set = Callback::new(move |to: Option<f64>| {
        record.typed("Change the cooldown of", "cooldown", |record| {
            *of_mut(record) = to.unwrap_or_default() as u32;
        });
    });
    view! {
        <Labelled label="Cooldown in ticks">
            <NumberField label="Cooldown in ticks" natural=true value set/>
        </Labelled>
        <p class="hint">{hint}</p>
    }
}

/// The explanation of a task's cooldown.
pub const TASK_COOLDOWN: &str = "After it ends, its actor doesn't plan it again for this long.";

/// The explanation of a goal's cooldown.
pub const GOAL_COOLDOWN: &str =
    "After it is reached or given up, its actor doesn't pursue it for this long.";

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
