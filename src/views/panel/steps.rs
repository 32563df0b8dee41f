//! Which plan and which of its steps the panels are about.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_core::plan::{Outcome, Plan};

use crate::job::Answer;
use crate::session::{Cursor, Session};

/// The plan of an answer that the cursor is in: its own, or a replan of its run.
pub fn plan_at(answer: &Answer, plan: usize) -> Option<&Plan> {
    match (plan, &answer.outcome) {
        (0, Outcome::Plan(plan)) => Some(plan),
        (0, _) => None,
        _ => answer.run.as_ref()?.plans.get(plan)?.plan(),
    }
}

/// The plan that is looked at; tracked.
pub fn current(session: Session) -> Option<(Arc<Answer>, Plan)> {
    let answer = session.answer.get()?;
    let cursor = session.cursor.get();
    let plan = plan_at(&answer, cursor.plan)
        .or_else(|| plan_at(&answer, 0))?
        .clone();
    Some((answer, plan))
}

/// How many steps the plan has that is looked at.
pub fn count(session: Session) -> usize {
    let cursor = session.cursor.get();
    session.answer.with(|answer| {
        answer
            .as_ref()
            .and_then(|a| plan_at(a, cursor.plan))
            .map_or(0, |p| p.steps.len())
    })
}

/// Moves the cursor by a step; before the first lies the start.
pub fn step(session: Session, by: isize) {
    let count = untrack(|| count(session));
    session.cursor.update(|cursor| {
        let at = cursor.step.map_or(-1, |s| s as isize) + by;
        cursor.step = usize::try_from(at)
            .ok()
            .filter(|_| count > 0)
            .map(|at| at.min(count - 1));
    });
}

/// Keeps the cursor inside of a newer answer.
pub fn keep_inside(session: Session) {
    Effect::new(move || {
        let Some(answer) = session.answer.get() else {
            return;
        };
        let cursor = session.cursor.get_untracked();
        let fixed = match plan_at(&answer, cursor.plan) {
            Some(plan) => Cursor {
                step: cursor.step.filter(|s| *s < plan.steps.len()),
                ..cursor
            },
            None => Cursor::default(),
        };
        if fixed != cursor {
            session.cursor.set(fixed);
        }
    });
}
