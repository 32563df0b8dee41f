//! The world before and after a step.

use taskloom_core::plan::{Atom, Change, Value};
use taskloom_core::simulate::Moment;
use taskloom_core::sorted::SortedMap;

use super::steps::plan_at;
use crate::job::Answer;
use crate::session::Cursor;

/// A ground fact, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The ground fact.
    pub atom: Atom,
    /// Its value before the step.
    pub before: Value,
    /// Its value after it.
    pub after: Value,
}

type State = SortedMap<Atom, Value>;

fn apply(state: &mut State, changes: &[Change]) {
    for change in changes {
        state.insert(change.atom.clone(), change.after.clone());
    }
}

/// Every ground fact around the step that the cursor is at; before the first
/// step both sides are the start.
pub fn around(answer: &Answer, cursor: Cursor) -> Vec<Row> {
    let mut before: State = answer.initial.iter().cloned().collect();
    let Some(plan) = plan_at(answer, cursor.plan) else {
        return rows(&before, &before);
    };
    if let Some(run) = answer.run.as_ref().filter(|_| cursor.plan > 0) {
        for change in run.changes_until(Moment::Planning(cursor.plan)) {
            before.insert(change.atom.clone(), change.after.clone());
        }
    }
    let Some(at) = cursor.step.filter(|s| *s < plan.steps.len()) else {
        return rows(&before, &before);
    };
    for step in plan.steps.iter().take(at) {
        apply(&mut before, &step.changes);
    }
    let mut after = before.clone();
    if let Some(step) = plan.steps.get(at) {
        for change in &step.changes {
            before
                .entry(change.atom.clone())
                .or_insert_with(|| change.before.clone());
        }
        apply(&mut after, &step.changes);
    }
    rows(&before, &after)
}

fn rows(before: &State, after: &State) -> Vec<Row> {
    before
        .iter()
        .map(|(atom, value)| Row {
            atom: atom.clone(),
            before: value.clone(),
            after: after.get(atom).unwrap_or(value).clone(),
        })
        .collect()
}
