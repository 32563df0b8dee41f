//! When an agent makes a new plan: a switch each.

use leptos::prelude::*;
use taskloom::document::{Agent, Planning, Triggers, WhenComplete};

use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::NumberField;

/// The triggers as switches. What is about goals is there only where the agent has any.
#[component]
pub fn TriggerFields(agent: Edited<Agent>) -> impl IntoView {
    let triggers = agent.memo(|agent| agent.triggers.clone());
    let has_goals = agent.memo(|agent| matches!(agent.planning, Planning::Goals { .. }));
    let change = move |field: &'static str, change: &dyn Fn(&mut Triggers)| {
        agent.typed("Change a trigger of", field, |agent| {
            change(&mut agent.triggers)
        });
    };
    let on = move |of: fn(&Triggers) -> bool| Signal::derive(move || triggers.with(of));
    let number = move |of: fn(&Triggers) -> Option<f64>| Signal::derive(move || triggers.with(of));
    view! {
        <section class="section triggers" aria-label="Makes a new plan">
            <h3>"Makes a new plan"</h3>
            <Switch
                label="when a step has failed, after"
                on=on(|t| t.failure.is_some())
                set=Callback::new(move |on: bool| change("failure", &|t| t.failure = on.then_some(1)))
            >
                <NumberField label="Ticks after a failure" natural=true value=number(|t| t.failure.map(f64::from))
                    set=Callback::new(move |to: Option<f64>| change("failure", &|t| t.failure = to.map(|to| to as u32)))/>
                "ticks"
            </Switch>
            <Switch
                label="when the plan is complete: it begins anew"
                on=on(|t| t.complete == WhenComplete::Again)
                set=Callback::new(move |on: bool| {
                    let complete = if on { WhenComplete::Again } else { WhenComplete::Stop };
                    change("complete", &|t| t.complete = complete);
                })
            >""</Switch>
            <Switch
                label="when it notices a change of what its plan depends on"
                on=on(|t| t.perception)
                set=Callback::new(move |on: bool| change("perception", &|t| t.perception = on))
            >""</Switch>
            <Show when=move || !has_goals.get() || triggers.with(|t| t.alternative)>
                <Switch
                    label="when an alternative has become possible that comes before the one it follows"
                    on=on(|t| t.alternative)
                    set=Callback::new(move |on: bool| change("alternative", &|t| t.alternative = on))
                >""</Switch>
            </Show>
            <Show when=move || has_goals.get() || triggers.with(|t| t.goal.is_some())>
                <Switch
                    label="when another goal is worth more, by over"
                    on=on(|t| t.goal.is_some())
                    set=Callback::new(move |on: bool| change("goal", &|t| t.goal = on.then_some(0.0)))
                >
                    <NumberField label="How much more another goal is worth" value=number(|t| t.goal)
                        set=Callback::new(move |to: Option<f64>| change("goal", &|t| t.goal = to))/>
                </Switch>
            </Show>
            <Switch
                label="at regular times, every"
                on=on(|t| t.every.is_some())
                set=Callback::new(move |on: bool| change("every", &|t| t.every = on.then_some(10)))
            >
                <NumberField label="Ticks between new plans" natural=true value=number(|t| t.every.map(f64::from))
                    set=Callback::new(move |to: Option<f64>| change("every", &|t| t.every = to.map(|to| to as u32)))/>
                "ticks"
            </Switch>
        </section>
    }
}

/// A switch with its words, and what else there is to say while it is on.
#[component]
fn Switch(
    /// Its words.
    label: &'static str,
    /// Whether it is on.
    on: Signal<bool>,
    /// Takes what it is switched to.
    set: Callback<bool>,
    /// Shown behind the words while it is on.
    children: ChildrenFn,
) -> impl IntoView {
    let name = label
        .trim_end_matches(", after")
        .trim_end_matches(", by over")
        .trim_end_matches(", every");
    // Behind the words of a switch that is off there is no number to lead to.
    let words = move || if on.get() { label } else { name };
    view! {
        <div class="switch-row">
            <label class="switch">
                <input
                    type="checkbox"
                    role="switch"
                    aria-label=name
                    prop:checked=move || on.get()
                    on:change=move |event| set.run(event_target_checked(&event))
                />
                <span>{words}</span>
            </label>
            <Show when=move || on.get()>
                <span class="words">{children()}</span>
            </Show>
        </div>
    }
}
