//! The expectations of a scenario, and whether the newest answer meets them.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Expectation, Field, Kind, Name, RecordRef, Scenario};
use taskloom::runtime::Verdict;

use super::fields::NumberField;
use crate::expression::ExpressionField;
use crate::session::Session;
use crate::worker::is_another;

/// The kinds of expectations: the word and the text of each.
const KINDS: [(&str, &str); 7] = [
    ("exists", "a plan exists"),
    ("none", "no plan exists"),
    ("plan", "the plan is"),
    ("contains", "the plan contains"),
    ("cost", "the plan costs at most"),
    ("finally", "at the end, this holds"),
    ("recovers", "the run completes"),
];

fn word(expectation: &Expectation) -> &'static str {
    match expectation {
        Expectation::PlanExists => "exists",
        Expectation::NoPlan => "none",
        Expectation::Plan(_) => "plan",
        Expectation::Contains(_) => "contains",
        Expectation::CostAtMost(_) => "cost",
        Expectation::Finally(_) => "finally",
        Expectation::Recovers => "recovers",
    }
}

/// One row per expectation, with a mark for its result.
#[component]
pub fn Expectations(name: Name, data: Memo<Option<Arc<Scenario>>>) -> impl IntoView {
    let session = Session::expect();
    let all = Memo::new(move |_| {
        data.with(|d| d.as_deref().map(|d| d.expect.clone()).unwrap_or_default())
    });
    let count = Memo::new(move |_| all.with(Vec::len));
    let this = StoredValue::new(name);
    let change = move |label: &str, change: &dyn Fn(&mut Vec<Expectation>)| {
        let name = this.get_value();
        session.change(&name, &format!("{label} of {name}"), |s: &mut Scenario| {
            change(&mut s.expect)
        });
    };
    // Expectations refer to the plan by the document's strategy, whichever one is shown.
    let uses_other_search = Memo::new(move |_| {
        let answer = session.plan.answer.get();
        let own = answer.filter(|a| a.scenario == this.get_value() && !a.verdicts.is_empty());
        own.is_some_and(|a| {
            is_another(
                &session.document(),
                &a.scenario,
                session.plan.strategy.get(),
            )
        })
    });
    let has_overrides = move || {
        session.plan.answer.with(|answer| {
            let own = answer.as_ref().filter(|a| a.scenario == this.get_value());
            own.is_some_and(|a| !a.experiment.interventions.is_empty() && !a.verdicts.is_empty())
        })
    };
    // The current plan of the first character, for 'the plan is'.
    let found = move || {
        session.plan.answer.with_untracked(|answer| {
            let plan = answer.as_ref().and_then(|answer| answer.plan_of_first());
            let steps = plan.map_or(&[][..], |plan| &plan.steps);
            steps.iter().map(|step| step.task.to_string()).collect()
        })
    };
    let fresh = move |word: &str| match word {
        "none" => Expectation::NoPlan,
        "plan" => Expectation::Plan(found()),
        "contains" => Expectation::Contains(String::new()),
        "cost" => Expectation::CostAtMost(10.0),
        "finally" => Expectation::Finally(String::new()),
        "recovers" => Expectation::Recovers,
        _ => Expectation::PlanExists,
    };
    view! {
        <section class="section" aria-label="Expectations">
            <h3>
                "Expectations"
                <button
                    class="bare add"
                    aria-label="Add an expectation"
                    title="Add an expectation"
                    on:click=move |_| change("Add an expectation", &|e| e.push(Expectation::PlanExists))
                >"+"</button>
            </h3>
            <For
                each=move || 0..count.get()
                key=|at| *at
                children=move |at| {
                    let kind = Memo::new(move |_| all.with(|all| all.get(at).map(word)));
                    let mark = Memo::new(move |_| {
                        let answer = session.plan.answer.get();
                        let own = answer.filter(|a| a.scenario == this.get_value() && !session.plan.is_old());
                        own.and_then(|a| a.verdicts.get(at).cloned())
                    });
                    view! {
                        <div class="row expectation">
                            {move || match mark.get() {
                                Some(Verdict::Met) => view! { <span class="mark ok" title="Passed" aria-label="passed">"✓"</span> }.into_any(),
                                Some(Verdict::Missed(_)) => view! { <span class="mark no" title="Failed" aria-label="failed">"✗"</span> }.into_any(),
                                Some(Verdict::Open(why)) => view! { <span class="mark dim" title=format!("Undecided: {why}") aria-label="undecided">"·"</span> }.into_any(),
                                None => view! { <span class="mark dim" title="Not checked: plan this scenario" aria-label="not checked">"·"</span> }.into_any(),
                            }}
                            <div class="grow">
                                <select
                                    aria-label=format!("Expectation {}", at + 1)
                                    on:change=move |event| {
                                        let to = fresh(&event_target_value(&event));
                                        change("Change an expectation", &|e| {
                                            if let Some(slot) = e.get_mut(at) {
                                                *slot = to.clone();
                                            }
                                        });
                                    }
                                >
                                    {KINDS
                                        .iter()
                                        .map(|(value, text)| view! { <option value=*value prop:selected=move || kind.get() == Some(*value)>{*text}</option> })
                                        .collect_view()}
                                </select>
                                {move || kind.get().map(|kind| view! { <Detail name=this.get_value() at kind all/> })}
                                {move || match mark.get() {
                                    Some(Verdict::Missed(why)) => Some(view! { <p class="message bad">{format!("Failed: {why}")}</p> }),
                                    Some(Verdict::Open(why)) => Some(view! { <p class="message">{format!("Undecided: {why}")}</p> }),
                                    _ => None,
                                }}
                            </div>
                            <button
                                class="bare remove"
                                aria-label=format!("Remove expectation {}", at + 1)
                                on:click=move |_| change("Remove an expectation", &|e| {
                                    if at < e.len() {
                                        e.remove(at);
                                    }
                                })
                            >"✕"</button>
                        </div>
                    }
                }
            />
            <Show when=move || uses_other_search.get()>
                <p class="hint">
                    "Checked with the document's search, not the one selected below."
                </p>
            </Show>
            <Show when=has_overrides>
                <p class="hint">"Checked on the run with its overrides, which aren't in the document."</p>
            </Show>
        </section>
    }
}

/// The task, formula, number or steps of an expectation.
#[component]
fn Detail(name: Name, at: usize, kind: &'static str, all: Memo<Vec<Expectation>>) -> impl IntoView {
    let session = Session::expect();
    let record = RecordRef::new(Kind::Scenario, name.clone());
    match kind {
        "contains" | "finally" => view! {
            <ExpressionField record field=Field::Expectation(at) label=format!("Expected {}", at + 1)/>
        }
        .into_any(),
        "cost" => {
            let value = Signal::derive(move || match all.with(|a| a.get(at).cloned()) {
                Some(Expectation::CostAtMost(cost)) => Some(cost),
                _ => None,
            });
            let set = Callback::new(move |cost: Option<f64>| {
                session.change_typing(&name, &format!("Change an expectation of {name}"), &format!("{name}/expect/{at}"), |s: &mut Scenario| {
                    if let Some(slot) = s.expect.get_mut(at) {
                        *slot = Expectation::CostAtMost(cost.unwrap_or(0.0));
                    }
                });
            });
            view! { <NumberField label=format!("Maximum cost {}", at + 1) value set/> }.into_any()
        }
        "plan" => {
            let text = Memo::new(move |_| match all.with(|a| a.get(at).cloned()) {
                Some(Expectation::Plan(steps)) => steps.join("\n"),
                _ => String::new(),
            });
            let write = move |value: String| {
                let steps: Vec<String> = value.lines().map(str::to_owned).collect();
                session.change_typing(&name, &format!("Change an expectation of {name}"), &format!("{name}/expect/{at}"), |s: &mut Scenario| {
                    if let Some(slot) = s.expect.get_mut(at) {
                        *slot = Expectation::Plan(steps);
                    }
                });
            };
            view! {
                <textarea
                    class="text code"
                    rows=move || text.with(|t| t.lines().count().clamp(2, 12).to_string())
                    aria-label=format!("Expected steps {}", at + 1)
                    placeholder="one step per line"
                    spellcheck="false"
                    prop:value=move || text.get()
                    on:input=move |event| write(event_target_value(&event))
                    on:blur=move |_| session.open.seal()
                ></textarea>
            }
            .into_any()
        }
        _ => ().into_any(),
    }
}
