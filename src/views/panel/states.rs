//! The world around what is looked at: a step as it was planned, or what happened.

use taskloom_core::plan::{Atom, Change, Value};
use taskloom_core::simulate::{Entry, Moment};
use taskloom_core::sorted::SortedMap;

use super::steps::plan_at;
use crate::job::Answer;
use crate::session::Cursor;

/// A ground fact, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The ground fact.
    pub atom: Atom,
    /// Its value before.
    pub before: Value,
    /// Its value after it.
    pub after: Value,
}

type State = SortedMap<Atom, Value>;

/// Every ground fact around what the cursor is at; where that takes no time, both sides
/// are the same.
pub fn around(answer: &Answer, cursor: Cursor) -> Vec<Row> {
    let initial: State = answer.initial.iter().cloned().collect();
    let run = answer.run.as_ref();
    if let Some((run, entry)) = run.zip(cursor.entry) {
        let (from, to) = match entry {
            Entry::Event(at) => (Moment::BeforeEvent(at), Moment::AfterEvent(at)),
            Entry::Planning(at) => (Moment::Planning(at), Moment::Planning(at)),
            Entry::Step(at) => (Moment::StepStart(at), Moment::StepEnd(at)),
        };
        // Each moment is a later one of the same record.
        let before: Vec<&Change> = run.changes_until(from).collect();
        let between = run.changes_until(to).skip(before.len());
        return rows(initial, before.into_iter(), between);
    }
    let made = run.zip(cursor.plan);
    let before = made.map(|(run, at)| run.changes_until(Moment::Planning(at)));
    let before = before.into_iter().flatten();
    let steps = plan_at(answer, cursor.plan).map_or(&[][..], |plan| &plan.steps);
    match cursor.step.filter(|at| *at < steps.len()) {
        Some(at) => {
            let planned = steps[..at].iter().flat_map(|step| &step.changes);
            rows(initial, before.chain(planned), steps[at].changes.iter())
        }
        None => rows(initial, before, [].iter()),
    }
}

fn rows<'a>(
    mut before: State,
    changes: impl Iterator<Item = &'a Change>,
    between: impl Iterator<Item = &'a Change>,
) -> Vec<Row> {
    for change in changes {
        before.insert(change.atom.clone(), change.after.clone());
    }
    let mut after = State::new();
    for change in between {
        // Not every ground fact is listed at first.
        let value = || change.before.clone();
        before.entry(change.atom.clone()).or_insert_with(value);
        after.insert(change.atom.clone(), change.after.clone());
    }
    let row = |(atom, before): (&Atom, &Value)| Row {
        atom: atom.clone(),
        before: before.clone(),
        after: after.get(atom).unwrap_or(before).clone(),
    };
    before.iter().map(row).collect()
}
