//! The plan and the step that the panels show.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::planner::plan::{GroundTask, Outcome, Plan};
use taskloom::runtime::{Entry, Run, StepExecution};

use crate::panels::run::because;
use crate::session::{Cursor, Happened, Session};
use crate::worker::Answer;

/// Returns the plan that a cursor is in: the answer's own, or one of its run's.
pub fn plan_at(answer: &Answer, plan: Option<usize>) -> Option<&Plan> {
    match (plan, &answer.outcome) {
        (Some(plan), _) => answer.run.as_ref()?.plans.get(plan)?.plan(),
        (None, Outcome::Plan(plan)) => Some(plan),
        (None, _) => None,
    }
}

/// Returns the plan of the first character: the answer's own, or the run's first one.
pub fn plan_of_first(answer: &Answer) -> Option<&Plan> {
    if answer.character == 0 {
        return plan_at(answer, None);
    }
    let mut plans = answer.run.as_ref()?.plans.iter();
    plans.find(|planning| planning.character == 0)?.plan()
}

/// Returns `true` if one of the run's plans differs from the scenario's plan.
pub fn is_another(answer: &Answer, plan: usize) -> bool {
    let plans = answer.run.as_ref().map_or(&[][..], |run| &run.plans);
    let first = plans.iter().position(|p| p.character == answer.character);
    Some(plan) != first || plan_at(answer, Some(plan)) != plan_at(answer, None)
}

/// Returns the cursor at an entry of the run: its plan, and its step if it is one. For an event, it
/// is the plan that this character was executing.
pub fn cursor_of(run: &Run, entry: Entry, character: usize) -> Cursor {
    let latest = |of: usize, before: u32| {
        let mut plans = run.plans.iter();
        plans.rposition(|planning| planning.character == of && planning.tick < before)
    };
    let has_plan = |plan: &usize| run.plans.get(*plan).is_some_and(|p| p.plan().is_some());
    let (plan, step) = match entry {
        Entry::Step(at) => {
            let step = run.executed.get(at);
            (step.map(|s| s.plan), step.map(|s| s.step))
        }
        Entry::Planning(at) => (Some(at), None),
        // Events happen before the planning of their tick.
        Entry::Event(at) => {
            let tick = run.events.get(at).map_or(0, |event| event.tick);
            (latest(character, tick), None)
        }
        Entry::Perception(at) => {
            let seen = run.perceptions.get(at);
            (seen.and_then(|s| latest(s.character, s.tick)), None)
        }
    };
    Cursor {
        plan: plan.filter(has_plan),
        step,
        happened: Some(Happened::Line(entry)),
    }
}

/// Returns the cursor at a tick of the run: the plan that a character was executing at its end, and
/// the step in execution.
pub fn cursor_at(run: &Run, tick: u32, character: usize) -> Cursor {
    let mut plans = run.plans.iter();
    let plan = plans.rposition(|p| p.character == character && p.tick <= tick);
    let mut latest = run.executed.iter().rev();
    let step = latest
        .find(|step| Some(step.plan) == plan && step.start <= tick)
        .filter(|step| step.end.is_none_or(|end| end >= tick));
    Cursor {
        plan: plan.filter(|plan| run.plans[*plan].plan().is_some()),
        step: step.map(|step| step.step),
        happened: Some(Happened::Tick(tick)),
    }
}

/// Returns the plan at the cursor; tracked.
pub fn current(session: Session) -> Option<(Arc<Answer>, Plan)> {
    let answer = session.answer.get()?;
    let cursor = session.cursor.get();
    let plan = plan_at(&answer, cursor.plan)
        .or_else(|| plan_at(&answer, None))?
        .clone();
    Some((answer, plan))
}

/// Returns the number of steps of the plan at the cursor.
pub fn count(session: Session) -> usize {
    let cursor = session.cursor.get();
    session.answer.with(|answer| {
        answer
            .as_ref()
            .and_then(|a| plan_at(a, cursor.plan))
            .map_or(0, |p| p.steps.len())
    })
}

/// Returns the tick of the run at the cursor, for an entry the one at which it began; tracked.
pub fn tick(session: Session) -> Option<u32> {
    match session.cursor.get().happened? {
        Happened::Tick(tick) => Some(tick),
        Happened::Line(entry) => session.answer.with(|answer| {
            let run = answer.as_ref()?.run.as_ref()?;
            run.tick_of(entry)
        }),
    }
}

/// Returns the tick at which the longer of an answer's runs ended.
fn longest(answer: &Answer) -> u32 {
    let runs = answer.run.iter().chain(&answer.compared);
    runs.map(|run| run.ticks).max().unwrap_or(0)
}

/// Shows a character, at the same moment of the run.
pub fn show(session: Session, character: usize) {
    let tick = untrack(|| tick(session));
    let cursor = session.answer.with_untracked(|answer| {
        let run = answer.as_ref()?.run.as_ref()?;
        Some(cursor_at(run, tick?, character))
    });
    session.show_character(character);
    session.cursor.set(cursor.unwrap_or_default());
}

/// Moves the cursor to an entry of the run, and shows its character.
pub fn look(session: Session, entry: Entry) {
    let answer = session.answer.get_untracked();
    let Some(run) = answer.as_ref().and_then(|answer| answer.run.as_ref()) else {
        return;
    };
    let shown = session.character.get_untracked();
    let character = run.character_of(entry).unwrap_or(shown);
    session.show_character(character);
    session.cursor.set(cursor_of(run, entry, character));
}

/// Moves the cursor by a step or, if it is in the run, by an entry or tick. It stops at events and
/// at the entries of the shown character. The start comes before the first.
pub fn step(session: Session, by: isize) {
    let moved = |at: Option<usize>, count: usize| {
        let at = at.map_or(-1, |at| at as isize) + by;
        let at = usize::try_from(at).ok()?;
        (count > 0).then(|| at.min(count - 1))
    };
    let cursor = session.cursor.get_untracked();
    let character = session.character.get_untracked();
    let next = session.answer.with_untracked(|answer| {
        let run = answer.as_ref().and_then(|answer| answer.run.as_ref());
        let Some((run, happened)) = run.zip(cursor.happened) else {
            let count = answer.as_ref().and_then(|a| plan_at(a, cursor.plan));
            let step = moved(cursor.step, count.map_or(0, |plan| plan.steps.len()));
            return Cursor { step, ..cursor };
        };
        let entry = match happened {
            Happened::Line(entry) => entry,
            Happened::Tick(tick) => {
                let next = tick.checked_add_signed(by as i32);
                let most = answer.as_ref().map_or(0, |answer| longest(answer));
                let next = next.map(|tick| cursor_at(run, tick.min(most), character));
                return next.unwrap_or_default();
            }
        };
        let mut entries = run.entries();
        entries.retain(|entry| run.character_of(*entry).is_none_or(|of| of == character));
        let at = entries.iter().position(|other| *other == entry);
        let next = moved(at, entries.len()).and_then(|at| entries.get(at));
        next.map_or(Cursor::default(), |entry| cursor_of(run, *entry, character))
    });
    session.cursor.set(next);
}

/// Moves the cursor to a step of the shown plan, as it was planned.
pub fn choose(session: Session, step: Option<usize>) {
    session.cursor.update(|cursor| {
        cursor.step = step;
        cursor.happened = None;
    });
}

/// Keeps the cursor valid when a newer answer comes.
pub fn keep_inside(session: Session) {
    Effect::new(move || {
        let Some(answer) = session.answer.get() else {
            return;
        };
        let cursor = session.cursor.get_untracked();
        let character = answer.character;
        let kept = match cursor.happened {
            Some(Happened::Tick(tick)) => {
                let run = answer.run.as_ref().filter(|_| tick <= longest(&answer));
                run.map(|run| cursor_at(run, tick, character))
            }
            Some(Happened::Line(entry)) => answer.run.as_ref().and_then(|run| {
                let is_there = run.entries().contains(&entry);
                is_there.then(|| cursor_of(run, entry, character))
            }),
            None => plan_at(&answer, cursor.plan).map(|plan| Cursor {
                step: cursor.step.filter(|s| *s < plan.steps.len()),
                ..cursor
            }),
        };
        let kept = kept.unwrap_or_default();
        if kept != cursor {
            session.cursor.set(kept);
        }
    });
}

/// Says which plan is shown if the run made it, with a button that leads back.
#[component]
pub fn ShownPlan() -> impl IntoView {
    let session = Session::expect();
    let said = Memo::new(move |_| {
        let at = session.cursor.get().plan?;
        session.answer.with(|answer| {
            let answer = answer.as_ref().filter(|answer| is_another(answer, at))?;
            let run = answer.run.as_ref()?;
            let planning = run.plans.get(at)?;
            let of = run.plans[..=at].iter();
            let number = of.filter(|p| p.character == planning.character).count();
            let whose = session
                .characters
                .with(|names| names.get(planning.character).cloned());
            let whose = whose.map_or_else(String::new, |name| format!("{name}’s "));
            Some(format!(
                "{} {number} of the run, made at tick {}{}.",
                if whose.is_empty() {
                    "Plan".to_owned()
                } else {
                    format!("{whose}plan")
                },
                planning.tick,
                because(run, planning)
            ))
        })
    });
    let back = move || match session.shown_name() {
        Some(name) => format!("Show {name}’s initial plan"),
        None => "Show the scenario's plan".to_owned(),
    };
    move || {
        let text = said.get()?;
        Some(view! {
            <p class="hint shown-plan" role="status">
                {text}" "
                <button on:click=move |_| session.cursor.set(Cursor::default())>
                    {back}
                </button>
            </p>
        })
    }
}

/// Returns the task of an executed step, from the plan that the step belongs to.
pub fn task_of<'r>(run: &'r Run, executed: &StepExecution) -> Option<&'r GroundTask> {
    let plan = run.plans.get(executed.plan)?.plan()?;
    Some(&plan.steps.get(executed.step)?.task)
}
