//! The world around what is looked at: a step as it was planned, or what happened.

use std::collections::BTreeMap;

use taskloom::planner::plan::{Atom, Change, Step, Value};
use taskloom::runtime::{Entry, Moment, Run};

use super::mind::{Belief, Mind};
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
    /// What the character that is shown believes of it after it; none: what is so.
    pub believed: Option<Belief>,
}

/// Values of ground facts.
pub type State = BTreeMap<Atom, Value>;

/// Every ground fact around what the cursor is at; where that takes no time, both sides
/// are the same. With the character that is shown its memory is its own.
pub fn around(answer: &Answer, cursor: Cursor, mind: Option<&Mind>) -> Vec<Row> {
    let mut initial: State = answer.initial.iter().cloned().collect();
    let Some(mind) = mind else {
        let (before, between) = made(answer, cursor);
        return rows(initial, before.into_iter(), between.into_iter());
    };
    let span = Span::of(answer, cursor);
    let run = answer.run.as_ref();
    let world = |run: &'_ Run, until| -> Vec<Change> {
        let changes = run.changes_until(until);
        changes.filter(|c| !mind.is_own(&c.atom)).cloned().collect()
    };
    let own = |run: &'_ Run, until| -> Vec<Change> {
        let changes = mind.heard(run, until).into_iter();
        changes.filter(|c| mind.is_own(&c.atom)).cloned().collect()
    };
    let (mut before, mut between) = (vec![], vec![]);
    for changes in [&world as &dyn Fn(&Run, Moment) -> Vec<Change>, &own] {
        let Some(run) = run else { break };
        let earlier = changes(run, span.from);
        between.extend(changes(run, span.to).into_iter().skip(earlier.len()));
        before.extend(earlier);
    }
    let (before, between) = span.with_planned(before.iter().collect(), between.iter().collect());
    let mut believed = mind.beliefs(&initial, run, &span);
    for change in before.iter().chain(&between) {
        believed.know(change);
    }
    initial.extend(mind.own_at_first());
    let mut rows = rows(initial, before.into_iter(), between.into_iter());
    for row in &mut rows {
        row.believed = believed.of(&row.atom, &row.after);
    }
    rows
}

/// What the cursor is at: a part of the run, or a step of a plan from a moment of it on.
pub struct Span<'a> {
    /// Where it begins.
    pub from: Moment,
    /// Where it ends.
    pub to: Moment,
    /// The steps that are planned from there on, before the one that is looked at.
    pub steps: &'a [Step],
    /// That one.
    pub step: Option<&'a Step>,
}

impl<'a> Span<'a> {
    /// What a cursor is at.
    pub fn of(answer: &'a Answer, cursor: Cursor) -> Self {
        let run = answer.run.as_ref();
        if let Some(happened) = cursor.happened.filter(|_| run.is_some()) {
            let (from, to) = match happened {
                Happened::Tick(tick) => {
                    let before = tick.checked_sub(1).map_or(Moment::Start, Moment::Tick);
                    (before, Moment::Tick(tick))
                }
                Happened::Line(Entry::Event(at)) => {
                    (Moment::BeforeEvent(at), Moment::AfterEvent(at))
                }
                Happened::Line(Entry::Perception(at)) => {
                    (Moment::Perception(at), Moment::Perception(at))
                }
                Happened::Line(Entry::Planning(at)) => (Moment::Planning(at), Moment::Planning(at)),
                Happened::Line(Entry::Step(at)) => (Moment::StepStart(at), Moment::StepEnd(at)),
            };
            return Self {
                from,
                to,
                steps: &[],
                step: None,
            };
        }
        let moment = cursor.plan.map_or(Moment::Start, Moment::Planning);
        let steps = plan_at(answer, cursor.plan).map_or(&[][..], |plan| &plan.steps);
        let at = cursor.step.filter(|at| *at < steps.len());
        Self {
            from: moment,
            to: moment,
            steps: &steps[..at.unwrap_or(0)],
            step: at.map(|at| &steps[at]),
        }
    }

    fn with_planned<'c>(
        &self,
        mut before: Vec<&'c Change>,
        mut between: Vec<&'c Change>,
    ) -> (Vec<&'c Change>, Vec<&'c Change>)
    where
        'a: 'c,
    {
        before.extend(self.steps.iter().flat_map(|step| &step.changes));
        between.extend(self.step.iter().flat_map(|step| &step.changes));
        (before, between)
    }
}

/// What has changed before what the cursor is at, and what changes there.
pub fn made(answer: &Answer, cursor: Cursor) -> (Vec<&Change>, Vec<&Change>) {
    let span = Span::of(answer, cursor);
    // Each moment is a later one of the same record.
    let until = |moment| {
        answer
            .run
            .iter()
            .flat_map(move |run| run.changes_until(moment))
    };
    let before: Vec<&Change> = until(span.from).collect();
    let between = until(span.to).skip(before.len()).collect();
    span.with_planned(before, between)
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
        believed: None,
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
        let mut answer = Answer::without_plan(1, (scenario, 0), Strategy::First, outcome);
        answer.initial = initial_state(&document, &answer.scenario);
        answer.run = trial.run;
        answer
    }

    /// What changes, and the ball's place.
    fn check(cursor: Cursor, expected: &str) {
        let rows = around(&answer(), cursor, None);
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
