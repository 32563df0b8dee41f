//! The events and forced failures of a scenario.

use leptos::prelude::*;
use taskloom_document::{Block, ChoicePolicy, Document, Event, Failure, Field, Scenario};

use super::editable_list::{EditableList, EditedList, RemoveButton};
use super::edited::Edited;
use super::example;
use super::fields::{Labelled, NumberField, OptionalNumber};
use crate::expression::ExpressionField;
use crate::session::Session;

/// The events: one card each.
#[component]
pub fn Events(scenario: Edited<Scenario>) -> impl IntoView {
    let events = EditedList::new(scenario, "an event", |s| &s.events, |s| &mut s.events);
    let add = move || events.add(Event::default(), Field::Event);
    let row = move |at| view! { <EventCard scenario events at/> };
    view! { <EditableList title="Events" one="an event" count=events.count() add row/> }
}

#[component]
fn EventCard(
    scenario: Edited<Scenario>,
    events: EditedList<Scenario, Event>,
    at: usize,
) -> impl IntoView {
    let tick = events.memo(at, |event| Some(f64::from(event.at)));
    let every = events.memo(at, |event| event.every.map(f64::from));
    let set_tick = Callback::new(move |to: Option<f64>| {
        events.change(at, "tick", |event| event.at = to.unwrap_or(0.0) as u32);
    });
    let set_every = Callback::new(move |to: Option<f64>| {
        events.change(at, "every", |event| event.every = to.map(|to| to as u32));
    });
    let waits = events.memo(at, |event| !event.when.trim().is_empty());
    // A repeated event checks its condition each time; one that happens once waits for it.
    let is_repeated = Memo::new(move |_| every.get().is_some());
    let (from, when) = (
        move || {
            if is_repeated.get() || waits.get() {
                "From tick"
            } else {
                "At tick"
            }
        },
        move || match (is_repeated.get(), waits.get()) {
            (true, _) => "only if",
            (false, true) => "as soon as",
            (false, false) => "when",
        },
    );
    let session = Session::expect();
    let example = example::value(&session.document_untracked());
    let number = at + 1;
    view! {
        <div class="boxed" role="group" aria-label=format!("Details of event {number}")>
            <div class="row">
                <div class="words grow">
                    {from}
                    <NumberField label=format!("Tick of event {number}") natural=true value=tick set=set_tick/>
                    <OptionalNumber choice=format!("Repetition of event {number}") label=format!("Repeat interval of event {number}, in ticks")
                        words=["once", "every"] first=10.0 natural=true value=every set=set_every unit="ticks"/>
                </div>
                <RemoveButton what=format!("event {number}") remove=move || events.remove(at)/>
            </div>
            <ExpressionField record=scenario.record() field=Field::Event(at) label=format!("Event {number}")
                placeholder=example/>
            <div class="row words">
                {when}
                <ExpressionField record=scenario.record() field=Field::EventWhen(at) label=format!("Condition of event {number}")
                    placeholder="optional condition"/>
            </div>
        </div>
    }
}

/// The forced failures: one card each.
#[component]
pub fn Failures(scenario: Edited<Scenario>) -> impl IntoView {
    let failures = EditedList::new(scenario, "a failure", |s| &s.failures, |s| &mut s.failures);
    let add = move || {
        let failure = Failure {
            task: String::new(),
            time: None,
            chance: None,
        };
        failures.add(failure, Field::Failure);
    };
    let row = move |at| view! { <FailureCard scenario failures at/> };
    view! {
        <EditableList title="Forced failures" name="Failures" one="a failure" count=failures.count() add row>
            <Seed scenario/>
        </EditableList>
    }
}

#[component]
fn FailureCard(
    scenario: Edited<Scenario>,
    failures: EditedList<Scenario, Failure>,
    at: usize,
) -> impl IntoView {
    let time = failures.memo(at, |failure| failure.time.map(f64::from));
    let chance = failures.memo(at, |failure| failure.chance);
    let set_time = Callback::new(move |to: Option<f64>| {
        failures.change(at, "time", |failure| failure.time = to.map(|to| to as u32));
    });
    let set_chance = Callback::new(move |to: Option<f64>| {
        failures.change(at, "chance", |failure| failure.chance = to);
    });
    let number = at + 1;
    let session = Session::expect();
    let example = example::task(&session.document_untracked());
    view! {
        <div class="boxed" role="group" aria-label=format!("Details of failure {number}")>
            <div class="row">
                <ExpressionField record=scenario.record() field=Field::Failure(at) label=format!("Failure {number}")
                    placeholder=example/>
                <RemoveButton what=format!("failure {number}") remove=move || failures.remove(at)/>
            </div>
            <div class="row words">
                "fails"
                <OptionalNumber choice=format!("Occurrences of failure {number}") label=format!("Occurrence of failure {number}")
                    words=["every time", "only time number"] first=1.0 natural=true value=time set=set_time/>
            </div>
            <div class="row words">
                <OptionalNumber choice=format!("Certainty of failure {number}") label=format!("Chance of failure {number}, from 0 to 1")
                    words=["for certain", "with a chance of"] first=0.5 value=chance set=set_chance/>
            </div>
        </div>
    }
}

/// Returns `true` if any method has an unmuted Choice that decides randomly.
fn has_random_choice(document: &Document) -> bool {
    let tasks = document.compound_tasks.values();
    tasks.into_iter().any(|task| {
        let muted = &task.method.muted;
        let mut blocks = task.method.blocks.iter();
        blocks.any(|(id, block)| {
            let is_by_chance = matches!(
                **block,
                Block::Choice {
                    policy: ChoicePolicy::Random,
                    ..
                }
            );
            is_by_chance && !muted.contains(id)
        })
    })
}

/// The random seed, shown if something is random: a failure with a chance, or a Choice.
#[component]
fn Seed(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let may_fail = scenario.memo(|s| s.failures.iter().any(|failure| failure.chance.is_some()));
    let is_random = Memo::new(move |_| may_fail.get() || has_random_choice(&session.document()));
    let seed = scenario.memo(|scenario| Some(f64::from(scenario.seed)));
    let set = Callback::new(move |to: Option<f64>| {
        scenario.typed("Change the seed of", "seed", |scenario| {
            scenario.seed = to.unwrap_or(0.0) as u32
        });
    });
    view! {
        <Show when=move || is_random.get()>
            <Labelled label="Random seed (same seed, same run)">
                <NumberField label="Random seed (same seed, same run)" natural=true value=seed set/>
            </Labelled>
        </Show>
    }
}
