//! The actions of the characters at a tick of the run, and their purposes.

use leptos::prelude::*;
use taskloom_planner::plan::{Outcome, Plan};
use taskloom_runtime::{Entry, Run, StepExecution, TaskState};

use crate::panels::run::discoveries;
use crate::session::{Happened, Session, names, task_of};
use crate::ui::live::live;
use crate::ui::state_mark::StateMark;

/// The actions of a character at a tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// The index of the character in the cast.
    pub character: usize,
    /// The steps that it executes or that ended right then; none if it has nothing to do.
    pub steps: Vec<ActivityStep>,
    /// The reason why it does nothing, or the purpose of its steps.
    pub why: String,
    /// The facts that it learned or noticed right then.
    pub discoveries: Vec<String>,
}

/// A step with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityStep {
    /// Its state at the tick.
    pub state: TaskState,
    /// Its task.
    pub task: String,
    /// The reason why it failed or waits.
    pub reason: String,
}

/// Returns the actions of all characters at the end of a tick.
pub fn activities(run: &Run, tick: u32, characters: usize) -> Vec<Activity> {
    let discoveries = discoveries(run, Happened::Tick(tick));
    let of = |character: usize| {
        let steps = steps(run, tick, character);
        let own_discoveries = discoveries
            .iter()
            .filter(|item| item.character == character);
        Activity {
            character,
            why: why(run, tick, character, steps.first().map(|(at, _)| *at)),
            steps: steps
                .into_iter()
                .map(|(_, active_step)| active_step)
                .collect(),
            discoveries: own_discoveries.map(|item| item.text.to_string()).collect(),
        }
    };
    (0..characters).map(of).collect()
}

/// Returns the steps of a character that are in progress, or else those that ended right then; and
/// those that failed.
fn steps(run: &Run, tick: u32, character: usize) -> Vec<(usize, ActivityStep)> {
    // Steps are in the order in which they ended: what ended before is skipped.
    let ended = |step: &StepExecution| step.end.is_some_and(|end| end < tick);
    let first = run.executed.partition_point(ended);
    let steps = run.executed.iter().enumerate().skip(first);
    let is_meant = |(at, step): &(usize, &StepExecution)| {
        step.start <= tick && run.character_of(Entry::Step(*at)) == Some(character)
    };
    let active_step = |(at, step): (usize, &StepExecution)| {
        let is_over = step.end.is_some_and(|end| end <= tick);
        let reason = match (is_over, &step.reason) {
            (true, Some(reason)) => reason.to_string(),
            (false, Some(reason))
                if step.end.is_none() && step.acted.is_some_and(|t| t <= tick) =>
            {
                reason.to_string()
            }
            _ => String::new(),
        };
        let state = if is_over {
            step.state
        } else {
            TaskState::InProgress
        };
        let task = task_of(run, step)?.to_string();
        Some((
            at,
            ActivityStep {
                state,
                task,
                reason,
            },
        ))
    };
    let mut found: Vec<(usize, ActivityStep)> =
        steps.filter(is_meant).filter_map(active_step).collect();
    let is_busy = found
        .iter()
        .any(|(_, active_step)| active_step.state == TaskState::InProgress);
    found.retain(|(_, active_step)| !is_busy || active_step.state != TaskState::Complete);
    found
}

fn why(run: &Run, tick: u32, character: usize, step: Option<usize>) -> String {
    let step = step.and_then(|at| run.executed.get(at));
    let number = match step {
        Some(step) => Some(step.plan),
        None => {
            let mut plans = run.plans.iter();
            plans.rposition(|p| p.character == character && p.tick <= tick)
        }
    };
    let Some(planning) = number.and_then(|number| run.plans.get(number)) else {
        return "hasn't planned yet".to_owned();
    };
    match (&planning.outcome, step) {
        (Ok(Outcome::Plan(plan)), Some(step)) => purpose(plan, step.step),
        (Ok(Outcome::Plan(_)), None) => "nothing left to do".to_owned(),
        (Ok(Outcome::NoPlan), _) => "waiting: no plan".to_owned(),
        (Ok(Outcome::GaveUp(_)), _) => "waiting: the search gave up".to_owned(),
        _ => "no plan".to_owned(),
    }
}

/// Returns the goal or the task that a step is for; empty if it is its own purpose.
fn purpose(plan: &Plan, step: usize) -> String {
    if let Some(aim) = &plan.target {
        return match &aim.goal {
            Some(goal) => format!("for the goal {goal}"),
            None => "for the scenario's goal".to_owned(),
        };
    }
    let own = plan.steps.get(step).map(|step| step.node);
    let mut at = own;
    let mut top = own;
    // Parents come before their children, so this ends.
    while let Some(parent) = at.and_then(|at| plan.nodes.get(at)?.parent.filter(|p| *p < at)) {
        (at, top) = (Some(parent), Some(parent));
    }
    match top.filter(|top| Some(*top) != own) {
        Some(top) => plan
            .nodes
            .get(top)
            .map_or(String::new(), |node| format!("for {}", node.task)),
        None => String::new(),
    }
}

/// One row per character; a click shows that character.
#[component]
pub fn ActivityList() -> impl IntoView {
    let session = Session::expect();
    let rows = Memo::new(move |_| {
        let tick = session.tick()?;
        session.plan.answer.with(|answer| {
            let answer = answer.as_ref()?;
            let run = answer.run.as_ref()?;
            let names = names(&session.domain_untracked(), &answer.scenario);
            let rows = activities(run, tick, names.len().max(1)).into_iter();
            let named = rows.map(|activity| (names.get(activity.character).cloned(), activity));
            Some(named.collect::<Vec<_>>())
        })
    });
    let row = move |(name, activity): (Option<String>, Activity)| {
        let number = activity.character;
        let is_shown = move || session.desk.character.get() == number;
        let steps = activity.steps.into_iter().map(|active_step| {
            view! {
                <span class="does">
                    <span class="task">{active_step.task}</span>
                    <StateMark state=active_step.state/>
                </span>
                {(!active_step.reason.is_empty()).then(|| view! { <span class="dim">{active_step.reason}</span> })}
            }
        });
        let steps = steps.collect_view();
        let discoveries = activity.discoveries.join("; ");
        let label = name.is_some().then_some("Show this actor");
        view! {
            <li>
                <button class="bare" class:on=is_shown title=label on:click=move |_| session.show_character(number)>
                    {name.map(|name| view! { <b>{name}</b> })}
                    {steps}
                    <span class="dim">{activity.why}</span>
                    {(!discoveries.is_empty()).then(|| view! { <span class="learned">{discoveries}</span> })}
                </button>
            </li>
        }
    };
    live(move || {
        rows.get().map(|rows| {
            view! {
                <ul class="stage-doing" aria-label="Current actions">
                    {rows.into_iter().map(row).collect_view()}
                </ul>
            }
        })
    })
}
