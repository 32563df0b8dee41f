//! What the planner says.

use leptos::prelude::*;
use taskloom::planner::plan::{Limit, Outcome, Strategy};

use super::FileState;
use crate::session::Session;
use crate::ui::count::grouped;
use crate::worker::{Answer, Planning, Stage};

/// The planner's answer in a few words, and the button that ends a long search.
#[component]
pub fn PlanStatus() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    view! {
        {move || files.reading.get().map(|file| view! { <Reading file/> })}
        <span class="plan-status" role="status" aria-live="off" aria-label="Plan">
            {move || session.planning_note.get().map(|note| {
                view! { <span class="pill warn" title=note>"restarted"</span> }
            })}
            {move || match session.planning.get() {
                Planning::Starting => {
                    view! { <span class="pill">"starting the planner…"</span> }.into_any()
                }
                Planning::Busy(stage, seconds) => {
                    let (text, title) = progress(session, stage, seconds);
                    view! {
                        <span class="pill run" title=title>{text}</span>
                        <button on:click=move |_| session.planner().stop()>"Stop"</button>
                    }
                        .into_any()
                }
                Planning::Broken(reason) => view! {
                    <span class="pill no" title=reason.clone()>{reason.clone()}</span>
                    {search_again(session)}
                }
                    .into_any(),
                Planning::Stopped => view! {
                    <span class="pill warn" title=STOPPED>"stopped: not planned since your last change"</span>
                    {search_again(session)}
                }
                    .into_any(),
                Planning::Idle | Planning::Sent => {
                    match session.answer.get() {
                        Some(answer) => {
                            let (class, text, title) = describe(&answer);
                            let again = (answer.outcome == Outcome::Stopped).then(|| search_again(session));
                            view! { <span class=class title=title>{text}</span> {again} }.into_any()
                        }
                        None if session.scenario.with(Option::is_some) => {
                            view! { <span class="pill run">"planning…"</span> }.into_any()
                        }
                        None => view! { <span class="pill">"nothing to plan"</span> }.into_any(),
                    }
                }
            }}
        </span>
    }
}

const STOPPED: &str = "Planning was stopped. What is shown is of before your last change.";

fn search_again(session: Session) -> impl IntoView {
    view! { <button on:click=move |_| session.plan_again()>"Search again"</button> }
}

/// The file that is being read, for how long, and the button that ends it.
#[component]
fn Reading(file: String) -> impl IntoView {
    let files = FileState::expect();
    let seconds = RwSignal::new(0_u32);
    let ticking = gloo::timers::callback::Interval::new(1_000, move || seconds.update(|s| *s += 1));
    let ticking = StoredValue::new_local(Some(ticking));
    on_cleanup(move || ticking.set_value(None));
    view! {
        <span class="plan-status" role="status" aria-label="Opening">
            <span class="pill run">
                {move || match seconds.get() {
                    0 => format!("Reading {file}…"),
                    seconds => format!("Reading {file}… {seconds} s"),
                }}
            </span>
            <button on:click=move |_| files.stop_reading()>"Stop"</button>
        </span>
    }
}

/// How far a planning is, and what the best plan so far costs.
fn progress(session: Session, stage: Stage, seconds: u32) -> (String, String) {
    let (at, means) = match stage {
        Stage::Reading => ("reading the document".to_owned(), SETTING_UP),
        Stage::Compiling => ("compiling".to_owned(), SETTING_UP),
        Stage::Preparing => ("preparing the search".to_owned(), SETTING_UP),
        Stage::Searching(nodes) => (
            format!("{} decisions", grouped(nodes)),
            "The search goes on",
        ),
        Stage::Validating => ("checking the plan".to_owned(), "There is a plan"),
        Stage::Simulating => ("running the plan".to_owned(), "There is a plan"),
    };
    // What an earlier search had found is no plan of this one.
    let old = session.is_old();
    let best = session.answer.with(|answer| match answer.as_deref() {
        Some(Answer {
            ended: false,
            outcome: Outcome::Plan(plan),
            ..
        }) if !old => format!("best so far {}, ", plan.cost),
        _ => String::new(),
    });
    let time = match seconds {
        0 => String::new(),
        seconds => format!(", {seconds} s"),
    };
    let text = format!("planning… {best}{at}{time}");
    let title = format!("{text}. {means}.");
    (text, title)
}

const SETTING_UP: &str = "The search has not begun: the larger the document, the longer it takes";

fn describe(answer: &Answer) -> (&'static str, String, String) {
    let millis = format!("{:.2}", answer.micros as f64 / 1000.0);
    let used = format!(
        "{} decisions, {} taken back, in {millis} ms",
        grouped(answer.statistics.nodes),
        grouped(answer.statistics.backtracks)
    );
    if let Some(reason) = &answer.invalid {
        return (
            "pill no",
            "the planner's plan is wrong".to_owned(),
            format!("A fault of Taskloom's: the validator refuses the plan. {reason}"),
        );
    }
    match &answer.outcome {
        Outcome::Plan(plan) => {
            let steps = match plan.steps.len() {
                1 => "1 step".to_owned(),
                n => format!("{n} steps"),
            };
            let proof = match answer.strategy {
                Strategy::Cheapest if answer.proved => ", the least",
                Strategy::Cheapest => ", not proved the least",
                Strategy::First | Strategy::Any => "",
            };
            let text = format!("plan: {steps}, cost {}{proof} · {millis} ms", plan.cost);
            ("pill ok", text, used)
        }
        Outcome::NoPlan => ("pill no", format!("no plan · {millis} ms"), used),
        Outcome::GaveUp(limit) => {
            let limit = match limit {
                Limit::Nodes => "too many decisions",
                Limit::Depth => "nested too deep",
                Limit::Memory => "out of memory",
                Limit::Time => "out of time",
            };
            ("pill warn", format!("gave up: {limit}"), used)
        }
        Outcome::Stopped => ("pill warn", "stopped".to_owned(), used),
        Outcome::NotPlanned(why) => ("pill warn", "not planned".to_owned(), why.to_string()),
    }
}
