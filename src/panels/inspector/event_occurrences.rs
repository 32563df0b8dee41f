//! The events and forced failures of a scenario.

use leptos::prelude::*;
use taskloom::document::diagnostic::Place;
use taskloom::document::{Block, ChoicePolicy, Document, Event, Failure, Field, Scenario};

use super::edited::Edited;
use super::fields::{Labelled, NumberField};
use crate::expression::ExpressionField;
use crate::session::Session;

/// The events: one card each.
#[component]
pub fn Events(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let count = scenario.memo(|scenario| scenario.events.len());
    let add = move |_| {
        let field = Field::Event(count.get_untracked());
        scenario.change("Add an event to", |scenario| {
            scenario.events.push(Event::default())
        });
        let record = scenario.record();
        session.desk.focus_field(Place {
            record,
            field,
            span: None,
        });
    };
    let row = move |at: usize| {
        let tick = scenario.memo(move |s| s.events.get(at).map(|event| f64::from(event.at)));
        let every = scenario.memo(move |s| s.events.get(at)?.every.map(f64::from));
        let change = move |field: &str, change: &dyn Fn(&mut Event)| {
            scenario.typed(
                "Change an event of",
                &format!("event {at} {field}"),
                |scenario| {
                    if let Some(event) = scenario.events.get_mut(at) {
                        change(event);
                    }
                },
            );
        };
        let set_tick = Callback::new(move |to: Option<f64>| {
            change("tick", &|event| event.at = to.unwrap_or(0.0) as u32);
        });
        let set_every = Callback::new(move |to: Option<f64>| {
            change("every", &|event| event.every = to.map(|to| to as u32));
        });
        let remove = move |_| {
            scenario.change("Remove an event of", |scenario| {
                if at < scenario.events.len() {
                    scenario.events.remove(at);
                }
            });
        };
        // A repeated event checks its condition each time; one that happens once waits for it.
        let when = move || {
            if every.get().is_some() {
                "if"
            } else {
                "as soon as"
            }
        };
        view! {
            <div class="boxed" role="group" aria-label=format!("Details of event {}", at + 1)>
                <div class="row">
                    <div class="words grow">
                        "from tick"
                        <NumberField label=format!("Tick of event {}", at + 1) natural=true value=tick set=set_tick/>
                        "on, repeat every"
                        <NumberField label=format!("Repeat interval of event {}, in ticks", at + 1) natural=true optional=true
                            placeholder="never" value=every set=set_every/>
                        "ticks"
                    </div>
                    <button class="bare remove" aria-label=format!("Remove event {}", at + 1) on:click=remove>"✕"</button>
                </div>
                <div class="row words">
                    {when}
                    <ExpressionField record=scenario.record() field=Field::EventWhen(at) label=format!("Condition of event {}", at + 1)
                        placeholder="optional condition…"/>
                </div>
                <ExpressionField record=scenario.record() field=Field::Event(at) label=format!("Event {}", at + 1)
                    placeholder="effect…"/>
            </div>
        }
    };
    view! {
        <section class="section" aria-label="Events">
            <h3>
                "Events"
                <button class="bare add" aria-label="Add an event" title="Add an event" on:click=add>"+"</button>
            </h3>
            <For each=move || 0..count.get() key=|at| *at children=row/>
        </section>
    }
}

/// The forced failures: one card each.
#[component]
pub fn Failures(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let count = scenario.memo(|scenario| scenario.failures.len());
    let add = move |_| {
        let field = Field::Failure(count.get_untracked());
        scenario.change("Add a failure to", |scenario| {
            scenario.failures.push(Failure {
                task: String::new(),
                time: None,
                chance: None,
            });
        });
        let record = scenario.record();
        session.desk.focus_field(Place {
            record,
            field,
            span: None,
        });
    };
    let row = move |at: usize| {
        let time = scenario.memo(move |s| s.failures.get(at)?.time.map(f64::from));
        let chance = scenario.memo(move |s| s.failures.get(at)?.chance);
        let change = move |field: &str, change: &dyn Fn(&mut Failure)| {
            scenario.typed(
                "Change a failure of",
                &format!("failure {at} {field}"),
                |scenario| {
                    if let Some(failure) = scenario.failures.get_mut(at) {
                        change(failure);
                    }
                },
            );
        };
        let set_time = Callback::new(move |to: Option<f64>| {
            change("time", &|failure| failure.time = to.map(|to| to as u32));
        });
        let set_chance = Callback::new(move |to: Option<f64>| {
            change("chance", &|failure| failure.chance = to);
        });
        let remove = move |_| {
            scenario.change("Remove a failure of", |scenario| {
                if at < scenario.failures.len() {
                    scenario.failures.remove(at);
                }
            });
        };
        view! {
            <div class="boxed" role="group" aria-label=format!("Details of failure {}", at + 1)>
                <div class="row">
                    <ExpressionField record=scenario.record() field=Field::Failure(at) label=format!("Failure {}", at + 1)
                        placeholder="task or call…"/>
                    <button class="bare remove" aria-label=format!("Remove failure {}", at + 1) on:click=remove>"✕"</button>
                </div>
                <div class="row words">
                    "occurrence"
                    <NumberField label=format!("Occurrence of failure {}", at + 1) natural=true optional=true placeholder="every"
                        value=time set=set_time/>
                    "chance"
                    <NumberField label=format!("Chance of failure {}, from 0 to 1", at + 1) optional=true placeholder="always"
                        value=chance set=set_chance/>
                </div>
            </div>
        }
    };
    view! {
        <section class="section" aria-label="Failures">
            <h3>
                "Forced failures"
                <button class="bare add" aria-label="Add a failure" title="Add a failure" on:click=add>"+"</button>
            </h3>
            <For each=move || 0..count.get() key=|at| *at children=row/>
            <Seed scenario/>
        </section>
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
