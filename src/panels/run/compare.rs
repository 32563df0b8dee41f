//! The same scenario in the other manner of planning: reactive beside ahead.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Document, Name};
use taskloom::planner::plan::Plan;
use taskloom::runtime::{Manner, Run, RunEnd, TaskState, manners};

use super::super::plan::steps::{task_of, tick};
use super::axis::Axis;
use super::lanes::Lanes;
use crate::session::Session;
use crate::worker::Answer;

/// What the two manners of a scenario are called: its own, and the other. None where there is no
/// other.
fn called(document: &Document, scenario: &Name) -> Option<(&'static str, &'static str)> {
    let manners = manners(document, scenario);
    match (
        manners.contains(&Manner::Ahead),
        manners.contains(&Manner::Reactive),
    ) {
        (true, false) => Some(("plan-ahead", "reactive")),
        (false, true) => Some(("reactive", "plan-ahead")),
        (true, true) => Some(("as it is", "the other manner")),
        (false, false) => None,
    }
}

/// Has the scenario run in the other manner, too.
#[component]
pub fn CompareButton() -> impl IntoView {
    let session = Session::expect();
    let other = Memo::new(move |_| {
        let scenario = session.scenario.get()?;
        called(&session.document(), &scenario).map(|(_, other)| other)
    });
    let text = move || format!("Compare with {}", other.get().unwrap_or("reactive"));
    let title = move || match other.get() {
        Some(_) => {
            "Runs the scenario once more, with the other manner of planning, beside this run"
        }
        None => "Nobody has tasks to decompose: there is no other manner of planning for goals",
    };
    view! {
        <button
            title=title
            disabled=move || other.get().is_none()
            aria-pressed=move || session.compares.get().to_string()
            class:pressed=move || session.compares.get()
            on:click=move |_| session.compares.update(|compares| *compares = !*compares)
        >
            {text}
        </button>
    }
}

/// The other run below the one that is shown, and both in numbers side by side.
#[component]
pub fn Comparison(answer: Arc<Answer>, names: Vec<String>) -> impl IntoView {
    let session = Session::expect();
    let document = session.document_untracked();
    let Some((own, other)) = called(&document, &answer.scenario) else {
        let text = "Nobody in this scenario has tasks to decompose: there is nothing to compare.";
        return view! { <p class="hint">{text}</p> }.into_any();
    };
    let (Some(run), Some(compared)) = (&answer.run, &answer.compared) else {
        return view! { <p class="hint">"The other run is not there yet."</p> }.into_any();
    };
    let goals = manners(&document, &answer.scenario).into_iter().enumerate();
    let goals = goals.filter(|(_, manner)| *manner == Manner::Goals);
    let goals: Vec<&str> = goals
        .filter_map(|(at, _)| Some(names.get(at)?.as_str()))
        .collect();
    let same = match goals.as_slice() {
        [] => None,
        [one] => Some(format!("{one} plans for goals, in both runs alike.")),
        many => Some(format!(
            "{} plan for goals, in both runs alike.",
            many.join(", ")
        )),
    };
    let rows: [(&str, Told); 5] = [
        ("outcome", outcome),
        ("ends at tick", |run| run.ticks.to_string()),
        ("plans made", |run| run.plans.len().to_string()),
        ("steps", steps),
        ("cost", |run| cost(run).to_string()),
    ];
    let rows = rows.map(|(title, of)| {
        view! {
            <tr>
                <th scope="row">{title}</th>
                <td>{of(run)}</td>
                <td>{of(compared)}</td>
            </tr>
        }
    });
    let (both, who) = (answer.clone(), names.clone());
    let busy = move || {
        let at = tick(session)?;
        let (here, there) = (both.run.as_ref()?, both.compared.as_ref()?);
        Some(view! {
            <tr>
                <th scope="row">{format!("at tick {at}")}</th>
                <td>{doing(here, at, &who)}</td>
                <td>{doing(there, at, &who)}</td>
            </tr>
        })
    };
    view! {
        <table class="comparison" aria-label="Both manners of planning side by side">
            <thead>
                <tr>
                    <td></td>
                    <th scope="col">{format!("{own} (above)")}</th>
                    <th scope="col">{format!("{other} (below)")}</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()} {busy}</tbody>
        </table>
        {same.map(|text| view! { <p class="hint">{text}</p> })}
    }
    .into_any()
}

/// The lanes of the other run.
#[component]
pub fn OtherLanes(
    answer: Arc<Answer>,
    names: Vec<String>,
    axis: Axis,
    by_hand: Vec<bool>,
) -> impl IntoView {
    let session = Session::expect();
    answer.compared.as_ref()?;
    let (_, other) = called(&session.document_untracked(), &answer.scenario)?;
    Some(view! {
        <p class="course-title" aria-hidden="true">{format!("{other}:")}</p>
        <Lanes answer names axis by_hand is_shown=false/>
    })
}

/// Something of a run, in words.
type Told = fn(&Run) -> String;

fn outcome(run: &Run) -> String {
    match &run.end {
        RunEnd::Complete => "complete".to_owned(),
        RunEnd::GoalMissed(part) => format!("goal missed: {part}"),
        RunEnd::Failed => "fails".to_owned(),
        RunEnd::OutOfTicks => "cut off".to_owned(),
        RunEnd::OutOfPlans => "cut off, too many plans failed".to_owned(),
        RunEnd::Endless => "goes on endlessly".to_owned(),
        RunEnd::Stopped => "stopped".to_owned(),
    }
}

fn steps(run: &Run) -> String {
    let count = |state| {
        run.executed
            .iter()
            .filter(|step| step.state == state)
            .count()
    };
    match count(TaskState::Failed) {
        0 => count(TaskState::Complete).to_string(),
        failed => format!("{} complete, {failed} failed", count(TaskState::Complete)),
    }
}

/// What the steps cost that were complete.
fn cost(run: &Run) -> f64 {
    let complete = run
        .executed
        .iter()
        .filter(|step| step.state == TaskState::Complete);
    let cost = complete.filter_map(|step| {
        let plan: &Plan = run.plans.get(step.plan)?.plan()?;
        Some(plan.steps.get(step.step)?.cost)
    });
    cost.sum()
}

/// What is carried out at a tick, in words.
fn doing(run: &Run, tick: u32, names: &[String]) -> String {
    if tick > run.ticks {
        return "it has ended".to_owned();
    }
    let steps = run.executed.iter();
    let running = steps.filter(|step| {
        let is_over = |end: u32| end <= tick && (step.start < end || end < tick);
        step.start <= tick && !step.end.is_some_and(is_over)
    });
    let words = running.filter_map(|step| {
        let task = task_of(run, step)?;
        let who = names.get(run.plans.get(step.plan)?.character);
        Some(who.map_or_else(|| task.to_string(), |who| format!("{who}: {task}")))
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        "nothing".to_owned()
    } else {
        words.join(", ")
    }
}
