//! The expectations of a scenario, and whether the newest answer meets them.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Expectation, Field, Scenario};
use taskloom_runtime::Verdict;

use super::editable_list::{EditableList, EditedList, RemoveButton};
use super::edited::Edited;
use super::example;
use super::fields::NumberField;
use crate::expression::ExpressionField;
use crate::session::Session;
use crate::ui::icon::{Icon, Lucide};
use crate::worker::{Answer, is_another};

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
pub fn Expectations(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let expectations =
        EditedList::new(scenario, "an expectation", |s| &s.expect, |s| &mut s.expect);
    let add = move || {
        scenario.change("Add an expectation of", |scenario| {
            scenario.expect.push(Expectation::PlanExists);
        });
    };
    let own = move |answer: &Arc<Answer>| answer.scenario == scenario.name();
    // Expectations refer to the plan by the document's strategy, whichever one is shown.
    let uses_other_search = Memo::new(move |_| {
        if session.plan.shown.with(|shown| shown.log().is_some()) {
            return false;
        }
        let answer = session.plan.answer.get();
        let answer = answer.filter(|answer| own(answer) && !answer.verdicts.is_empty());
        let strategy = session.plan.strategy.get();
        answer.is_some_and(|a| is_another(&session.domain(), &a.scenario, strategy))
    });
    let has_overrides = move || {
        session.plan.answer.with(|answer| {
            let answer = answer.as_ref().filter(|answer| own(answer));
            answer.is_some_and(|a| !a.experiment.interventions.is_empty() && !a.verdicts.is_empty())
        })
    };
    let logged = Memo::new(move |_| {
        session.plan.shown.with(|shown| {
            let answer = shown.answer.as_ref().filter(|answer| own(answer))?;
            let log = shown.log().filter(|_| !answer.verdicts.is_empty())?;
            Some(log.file.clone())
        })
    });
    let row = move |at| view! { <Row scenario expectations at/> };
    view! {
        <EditableList title="Expectations" one="an expectation" count=expectations.count() add row>
            <Show when=move || uses_other_search.get()>
                <p class="hint">
                    "Checked with the document's search, not the one selected below."
                </p>
            </Show>
            {move || {
                let file = logged.get()?;
                Some(view! { <p class="hint">{format!("Checked on the run of the log {file}.")}</p> })
            }}
            <Show when=has_overrides>
                <p class="hint">"Checked on the run with its overrides, which aren't in the document."</p>
            </Show>
        </EditableList>
    }
}

/// Returns a new expectation of a kind; `the plan is` expects the current plan of the first
/// actor.
fn fresh(session: Session, word: &str) -> Expectation {
    let found = || {
        session.plan.planned.with_untracked(|answer| {
            let plan = answer.as_ref().and_then(|answer| answer.plan_of_first());
            let steps = plan.map_or(&[][..], |plan| &plan.steps);
            steps.iter().map(|step| step.task.to_string()).collect()
        })
    };
    match word {
        "none" => Expectation::NoPlan,
        "plan" => Expectation::Plan(found()),
        "contains" => Expectation::Contains(String::new()),
        "cost" => Expectation::CostAtMost(10.0),
        "finally" => Expectation::Finally(String::new()),
        "recovers" => Expectation::Recovers,
        _ => Expectation::PlanExists,
    }
}

#[component]
fn Row(
    scenario: Edited<Scenario>,
    expectations: EditedList<Scenario, Expectation>,
    at: usize,
) -> impl IntoView {
    let session = Session::expect();
    let kind = expectations.memo(at, |expectation| Some(word(expectation)));
    let verdict = Memo::new(move |_| {
        let name = scenario.name();
        let shown = session.plan.shown.get();
        let is_stale = match shown.log() {
            // The planner doesn't check a log again after an edit.
            Some(log) => {
                let document = session.document();
                let now = document.scenarios.get(&name);
                now.is_none_or(|now| !log.has_checked(&now.expect))
            }
            None => session.plan.is_old(),
        };
        let own = shown.answer.filter(|a| a.scenario == name && !is_stale);
        own.and_then(|a| a.verdicts.get(at).cloned())
    });
    // An expectation that was just added isn't complete yet.
    let is_empty = expectations.memo(at, |expectation| match expectation {
        Expectation::Contains(text) | Expectation::Finally(text) => text.trim().is_empty(),
        _ => false,
    });
    let choose = move |event| {
        let to = fresh(session, &event_target_value(&event));
        scenario.change("Change an expectation of", |scenario| {
            if let Some(slot) = scenario.expect.get_mut(at) {
                *slot = to;
            }
        });
    };
    let kinds = move |(value, text): &(&'static str, &'static str)| {
        let (value, text) = (*value, *text);
        view! { <option value=value prop:selected=move || kind.get() == Some(value)>{text}</option> }
    };
    view! {
        <div class="row expectation">
            {move || mark(verdict.get())}
            <div class="grow">
                <select aria-label=format!("Expectation {}", at + 1) on:change=choose>
                    {KINDS.iter().map(kinds).collect_view()}
                </select>
                {move || kind.get().map(|kind| view! { <Detail scenario expectations at kind/> })}
                {move || match verdict.get() {
                    Some(Verdict::Missed(why)) => Some(view! { <p class="message bad">{format!("Failed: {why}")}</p> }),
                    Some(Verdict::Open(why)) if !is_empty.get() => Some(view! { <p class="message">{format!("Undecided: {why}")}</p> }),
                    _ => None,
                }}
            </div>
            <RemoveButton what=format!("expectation {}", at + 1) remove=move || expectations.remove(at)/>
        </div>
    }
}

/// The mark of a verdict.
fn mark(verdict: Option<Verdict>) -> AnyView {
    match verdict {
        Some(Verdict::Met) => view! { <span class="mark ok" role="img" title="Passed" aria-label="passed"><Icon name=Lucide::Check size=14/></span> }.into_any(),
        Some(Verdict::Missed(_)) => view! { <span class="mark no" role="img" title="Failed" aria-label="failed"><Icon name=Lucide::X size=14/></span> }.into_any(),
        Some(Verdict::Open(why)) => view! { <span class="mark dim" role="img" title=format!("Undecided: {why}") aria-label="undecided"><Icon name=Lucide::CircleQuestionMark size=14/></span> }.into_any(),
        None => view! { <span class="mark dim" role="img" title="Not checked: plan this scenario" aria-label="not checked"><Icon name=Lucide::Circle size=14/></span> }.into_any(),
    }
}

/// The task, formula, number or steps of an expectation.
#[component]
fn Detail(
    scenario: Edited<Scenario>,
    expectations: EditedList<Scenario, Expectation>,
    at: usize,
    kind: &'static str,
) -> impl IntoView {
    let session = Session::expect();
    let record = scenario.record();
    let document = session.document_untracked();
    let set = move |to: Expectation| expectations.change(at, "", |expectation| *expectation = to);
    match kind {
        "contains" | "finally" => view! {
            <ExpressionField record field=Field::Expectation(at) label=format!("Expected {}", at + 1)
                placeholder=if kind == "contains" { example::task(&document) } else { example::value(&document) }/>
        }
        .into_any(),
        "cost" => {
            let value = expectations.memo(at, |expectation| match expectation {
                Expectation::CostAtMost(cost) => Some(*cost),
                _ => None,
            });
            let set = Callback::new(move |cost: Option<f64>| {
                set(Expectation::CostAtMost(cost.unwrap_or(0.0)));
            });
            view! { <NumberField label=format!("Maximum cost {}", at + 1) value set/> }.into_any()
        }
        "plan" => {
            let text = expectations.memo(at, |expectation| match expectation {
                Expectation::Plan(steps) => steps.join("\n"),
                _ => String::new(),
            });
            let write = move |value: String| {
                set(Expectation::Plan(value.lines().map(str::to_owned).collect()));
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
