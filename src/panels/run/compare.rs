//! The comparison of a scenario's run with one in the other planning mode, lookahead or reactive.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::plan::Plan;
use taskloom_runtime::{PlanningMode, Run, RunEnd, TaskState, planning_modes};

use super::axis::Axis;
use super::lanes::Lanes;
use crate::session::{Session, task_of};
use crate::worker::Answer;

/// Returns the names of a scenario's planning mode and of the other one; `None` if there is no
/// other.
fn mode_names(domain: &Domain, scenario: &Name) -> Option<(&'static str, &'static str)> {
    let planning_modes = planning_modes(domain, scenario);
    match (
        planning_modes.contains(&PlanningMode::Ahead),
        planning_modes.contains(&PlanningMode::Reactive),
    ) {
        (true, false) => Some(("lookahead", "reactive")),
        (false, true) => Some(("reactive", "lookahead")),
        (true, true) => Some(("mixed", "swapped")),
        (false, false) => None,
    }
}

/// Runs the scenario in the other planning mode, too.
#[component]
pub fn CompareButton() -> impl IntoView {
    let session = Session::expect();
    let other = Memo::new(move |_| {
        let scenario = session.plan.scenario.get()?;
        mode_names(&session.domain(), &scenario).map(|(_, other)| other)
    });
    let text = move || {
        format!(
            "Compare with {} planning",
            other.get().unwrap_or("reactive")
        )
    };
    let title = move || match other.get() {
        Some(other) => format!("Also simulate the scenario with {other} planning"),
        None => "Nothing to compare: no actor has tasks to decompose".to_owned(),
    };
    view! {
        <button
            title=title
            disabled=move || other.get().is_none() || session.plan.shown.with(|shown| shown.log().is_some())
            aria-pressed=move || session.plan.compares.get().to_string()
            class:pressed=move || session.plan.compares.get()
            on:click=move |_| session.plan.toggle_comparison()
            aria-label=text
        >
            <span class="long" aria-hidden="true">{text}</span>
            <span class="short" aria-hidden="true">"Compare"</span>
        </button>
    }
}

/// The other run below the one that is shown, and a table that compares both.
#[component]
pub fn Comparison(answer: Arc<Answer>, names: Vec<String>) -> impl IntoView {
    let session = Session::expect();
    let domain = session.domain_untracked();
    let Some((own, other)) = mode_names(&domain, &answer.scenario) else {
        let text = "Nothing to compare: no actor in this scenario has tasks to decompose.";
        return view! { <p class="hint">{text}</p> }.into_any();
    };
    let (Some(run), Some(compared)) = (&answer.run, &answer.compared) else {
        return view! { <p class="hint">"The other run isn't ready yet."</p> }.into_any();
    };
    let goals = planning_modes(&domain, &answer.scenario)
        .into_iter()
        .enumerate();
    let goals = goals.filter(|(_, manner)| *manner == PlanningMode::Goals);
    let goals: Vec<&str> = goals
        .filter_map(|(at, _)| Some(names.get(at)?.as_str()))
        .collect();
    let same = match goals.as_slice() {
        [] => None,
        [one] => Some(format!("{one} plans for goals in both runs.")),
        many => Some(format!("{} plan for goals in both runs.", many.join(", "))),
    };
    let rows: [(&str, Describe); 5] = [
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
        let at = session.tick()?;
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
        <table class="comparison" aria-label="Comparison of planning modes">
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
    let (_, other) = mode_names(&session.domain_untracked(), &answer.scenario)?;
    Some(view! {
        <p class="course-title" aria-hidden="true">{format!("{other}:")}</p>
        <Lanes answer names axis by_hand is_shown=false/>
    })
}

/// A property of a run, in words.
type Describe = fn(&Run) -> String;

fn outcome(run: &Run) -> String {
    match &run.end {
        RunEnd::Complete => "complete".to_owned(),
        RunEnd::GoalMissed(part) => format!("goal missed: {part}"),
        RunEnd::Failed => "fails".to_owned(),
        RunEnd::OutOfTicks => "cut off".to_owned(),
        RunEnd::OutOfPlans => "cut off, too many plans made no progress".to_owned(),
        RunEnd::Endless => "no end".to_owned(),
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

/// Returns the total cost of the steps that completed.
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

/// Describes what is executed at a tick.
fn doing(run: &Run, tick: u32, names: &[String]) -> String {
    if tick > run.ticks {
        return "ended".to_owned();
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
