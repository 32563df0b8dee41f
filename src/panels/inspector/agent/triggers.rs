//! The triggers that make an agent replan: one switch each.

use leptos::prelude::*;
use taskloom_document::{Agent, Planning, Triggers, WhenComplete};

use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::NumberField;
use crate::panels::inspector::heading::Heading;

/// The triggers as switches. Those about goals are shown only if the agent has any.
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
        <section class="section triggers" aria-label="Replans when">
            <Heading title="Replans when"/>
            <Switch
                label="a step fails, after"
                on=on(|t| t.failure.is_some())
                set=Callback::new(move |on: bool| change("failure", &|t| t.failure = on.then_some(1)))
            >
                <NumberField label="Ticks after a failure" natural=true value=number(|t| t.failure.map(f64::from))
                    set=Callback::new(move |to: Option<f64>| change("failure", &|t| t.failure = to.map(|to| to as u32)))/>
                "ticks"
            </Switch>
            <Switch
                label="its plan is complete (repeats)"
                on=on(|t| t.complete == WhenComplete::Again)
                set=Callback::new(move |on: bool| {
                    let complete = if on { WhenComplete::Again } else { WhenComplete::Stop };
                    change("complete", &|t| t.complete = complete);
                })
            >""</Switch>
            <Switch
                label="it notices a change that affects its plan"
                on=on(|t| t.perception)
                set=Callback::new(move |on: bool| change("perception", &|t| t.perception = on))
            >""</Switch>
            <Show when=move || !has_goals.get() || triggers.with(|t| t.alternative)>
                <Switch
                    label="an earlier alternative becomes possible"
                    on=on(|t| t.alternative)
                    set=Callback::new(move |on: bool| change("alternative", &|t| t.alternative = on))
                >""</Switch>
            </Show>
            <Show when=move || has_goals.get() || triggers.with(|t| t.goal.is_some())>
                <Switch
                    label="another goal's value is higher, by more than"
                    on=on(|t| t.goal.is_some())
                    set=Callback::new(move |on: bool| change("goal", &|t| t.goal = on.then_some(0.0)))
                >
                    <NumberField label="Value difference to another goal" value=number(|t| t.goal)
                        set=Callback::new(move |to: Option<f64>| change("goal", &|t| t.goal = to))/>
                </Switch>
            </Show>
            <Switch
                label="time has passed, after"
                on=on(|t| t.every.is_some())
                set=Callback::new(move |on: bool| change("every", &|t| t.every = on.then_some(10)))
            >
                <NumberField label="Replanning interval, in ticks" natural=true value=number(|t| t.every.map(f64::from))
                    set=Callback::new(move |to: Option<f64>| change("every", &|t| t.every = to.map(|to| to as u32)))/>
                "ticks"
            </Switch>
        </section>
    }
}

/// A switch with its label, and more fields while it is on.
#[component]
fn Switch(
    /// Its label.
    label: &'static str,
    /// `true` if it is on.
    on: Signal<bool>,
    /// Receives the new state.
    set: Callback<bool>,
    /// Shown after the label while it is on.
    children: ChildrenFn,
) -> impl IntoView {
    let name = label
        .trim_end_matches(", after")
        .trim_end_matches(", by more than");
    // The label of a switch that is off has no number to lead to.
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
