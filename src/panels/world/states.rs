//! The world around what is looked at: a step as it was planned, or what happened.

use std::collections::BTreeMap;

use taskloom::planner::plan::{Atom, Change, Value};
use taskloom::runtime::{Entry, Moment};

use crate::panels::plan::steps::plan_at;
use crate::session::{Cursor, Happened};
use crate::worker::Answer;

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

type State = BTreeMap<Atom, Value>;

/// Every ground fact around what the cursor is at; where that takes no time, both sides
/// are the same.
pub fn around(answer: &Answer, cursor: Cursor) -> Vec<Row> {
    let initial: State = answer.initial.iter().cloned().collect();
    let (before, between) = made(answer, cursor);
    rows(initial, before.into_iter(), between.into_iter())
}

/// What has changed before what the cursor is at, and what changes there.
pub fn made(answer: &Answer, cursor: Cursor) -> (Vec<&Change>, Vec<&Change>) {
    let run = answer.run.as_ref();
    if let Some((run, happened)) = run.zip(cursor.happened) {
        let (from, to) = match happened {
            Happened::Tick(tick) => {
                let before = tick.checked_sub(1).map_or(Moment::Start, Moment::Tick);
                (before, Moment::Tick(tick))
            }
            Happened::Line(Entry::Event(at)) => (Moment::BeforeEvent(at), Moment::AfterEvent(at)),
            Happened::Line(Entry::Perception(at)) => {
                (Moment::Perception(at), Moment::Perception(at))
            }
            Happened::Line(Entry::Planning(at)) => (Moment::Planning(at), Moment::Planning(at)),
            Happened::Line(Entry::Step(at)) => (Moment::StepStart(at), Moment::StepEnd(at)),
        };
        // Each moment is a later one of the same record.
        let before: Vec<&Change> = run.changes_until(from).collect();
        let between = run.changes_until(to).skip(before.len()).collect();
        return (before, between);
    }
    let before = run.zip(cursor.plan);
    let before = before.map(|(run, at)| run.changes_until(Moment::Planning(at)));
    let mut before: Vec<&Change> = before.into_iter().flatten().collect();
    let steps = plan_at(answer, cursor.plan).map_or(&[][..], |plan| &plan.steps);
    match cursor.step.filter(|at| *at < steps.len()) {
        Some(at) => {
            before.extend(steps[..at].iter().flat_map(|step| &step.changes));
            (before, steps[at].changes.iter().collect())
        }
        None => (before, vec![]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::document::Document;
    use taskloom::planner::plan::{Budget, Strategy, initial_state};
    use taskloom::runtime::{by_policy, trial};

    /// The ball's box slams shut at tick 4, while the ball is being taken.
    fn answer() -> Answer {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let scenario = "case-5-the-box-slams-shut".parse().unwrap();
        let trial = {
            let mut plan = by_policy(Budget::default());
            trial(&document, &scenario, &mut plan, 100)
        };
        let outcome = trial.outcome.unwrap();
        let mut answer = Answer::without_plan(1, scenario, Strategy::First, outcome);
        answer.initial = initial_state(&document, &answer.scenario);
        answer.run = trial.run;
        answer
    }

    /// What changes, and the ball's place.
    fn check(cursor: Cursor, expected: &str) {
        let rows = around(&answer(), cursor);
        let told = rows.iter().filter(|row| {
            let fact = row.atom.fact.as_str();
            row.before != row.after || fact == "ball_in_box" || fact == "box_open"
        });
        let told = told.map(|row| format!("{}: {} {}", row.atom, row.before, row.after));
        assert_eq!(told.collect::<Vec<_>>().join("\n"), expected);
    }

    fn happened(entry: Entry) -> Cursor {
        Cursor {
            happened: Some(Happened::Line(entry)),
            ..Cursor::default()
        }
    }

    #[test]
    fn a_step_of_a_plan_changes_what_was_planned() {
        let step = Cursor {
            step: Some(1),
            ..Cursor::default()
        };
        check(
            step,
            "ball_in_box: true false\nbox_open: true true\nhas(ball): false true",
        );
        // The plan after the failure starts in the world as it was then.
        let step = Cursor {
            plan: Some(1),
            step: Some(0),
            happened: None,
        };
        check(step, "ball_in_box: true true\nbox_open: false true");
    }

    #[test]
    fn a_line_of_the_run_changes_what_happened() {
        let failed = "ball_in_box: true true\nbox_open: true false";
        check(happened(Entry::Step(1)), failed);
        check(happened(Entry::Event(0)), failed);
        let plans = "ball_in_box: true true\nbox_open: false false";
        check(happened(Entry::Planning(1)), plans);
        check(
            happened(Entry::Step(3)),
            "ball_in_box: true false\nbox_open: true true\nhas(ball): false true",
        );
    }
}
