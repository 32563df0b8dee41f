//! The world around the cursor: a planned step, or a part of the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_planner::plan::{Atom, Change, Step, Value};
use taskloom_runtime::{Entry, Moment, Run, TimeCursor, ValueTimeline, ValueTimelines};

use super::beliefs::{Belief, CharacterBeliefs};
use crate::panels::run::NumberTimeline;
use crate::session::{Cursor, Happened, Session};
use crate::worker::Answer;
use taskloom_document::sort::{CompactSort, map_of};

/// A ground fact, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The ground fact.
    pub atom: Atom,
    /// Its value before.
    pub before: Value,
    /// Its value after it.
    pub after: Value,
    /// The shown character's belief about it afterwards; `None` if it believes the actual value.
    pub believed: Option<Belief>,
}

/// Values of ground facts.
pub type State = BTreeMap<Atom, Value>;

/// An answer whose facts can be looked up quickly at any moment of its run.
pub struct Played {
    answer: Arc<Answer>,
    /// The shown character, if the scenario has a cast.
    pub beliefs: Option<CharacterBeliefs>,
    initial: State,
    /// The changes of the world, without its memory.
    world: ValueTimelines,
    /// The changes of its memory and of its beliefs.
    observed: ValueTimelines,
}

impl Played {
    /// Creates the view of an answer for a character, whose memory is the one that is shown.
    pub fn new(answer: Arc<Answer>, beliefs: Option<CharacterBeliefs>) -> Self {
        let mut initial: State = answer.initial.iter().cloned().collect();
        let run = answer.run.as_ref();
        let mut world = run.map(Run::timelines).unwrap_or_default();
        let mut observed = ValueTimelines::default();
        if let Some(beliefs) = &beliefs {
            initial.extend(beliefs.own_initial());
            world = world.only(|atom| !beliefs.is_own(atom));
            observed = run.map(|run| beliefs.observed(run)).unwrap_or_default();
        }
        Self {
            answer,
            beliefs,
            initial,
            world,
            observed,
        }
    }

    /// Returns every ground fact around the cursor, in order; both sides are the same if the
    /// cursor's position takes no time.
    pub fn around(&self, cursor: Cursor) -> Vec<Row> {
        let span = Span::of(&self.answer, cursor);
        let run = self.answer.run.as_ref();
        let ends = run.map(|run| (run.cursor(span.from), run.cursor(span.to)));
        let initial = self.initial.iter();
        let mut rows: BTreeMap<&Atom, (&Value, &Value)> =
            map_of(initial.map(|(atom, value)| (atom, (value, value))));
        let is_own = |atom: &Atom| {
            self.beliefs
                .as_ref()
                .is_some_and(|beliefs| beliefs.is_own(atom))
        };
        let own = self.observed.iter().filter(|(atom, _)| is_own(atom));
        for (atom, course) in self.world.iter().chain(own) {
            let Some((from, to)) = &ends else { break };
            // Not every ground fact is listed before it changes.
            if let Some(after) = course.at(to) {
                let first = || (course.first(), course.first());
                let row = rows.entry(atom).or_insert_with(first);
                *row = (course.at(from).unwrap_or(row.0), after);
            }
        }
        for change in span.steps.iter().flat_map(|step| &step.changes) {
            rows.insert(&change.atom, (&change.after, &change.after));
        }
        for change in span.step.iter().flat_map(|step| &step.changes) {
            let before = || (&change.before, &change.before);
            let row = rows.entry(&change.atom).or_insert_with(before);
            row.1 = &change.after;
        }
        let believes = self.beliefs(&span, ends.map(|(_, to)| to));
        let row = |(atom, (before, after)): (&Atom, (&Value, &Value))| Row {
            atom: atom.clone(),
            before: before.clone(),
            after: after.clone(),
            believed: believes(atom, after),
        };
        rows.into_iter().map(row).collect()
    }

    /// Returns the numbers that change in the run, in the order of their facts.
    pub fn numbers(&self) -> Vec<NumberTimeline> {
        let is_own = |atom: &Atom| {
            self.beliefs
                .as_ref()
                .is_some_and(|beliefs| beliefs.is_own(atom))
        };
        let own = self.observed.iter().filter(|(atom, _)| is_own(atom));
        let number = |value: &Value| match value {
            Value::Number(number) => Some(*number),
            Value::Bool(_) | Value::Object(_) => None,
        };
        let course = |(atom, course): (&Atom, &ValueTimeline)| {
            let first = self.initial.get(atom).unwrap_or(course.first());
            let before = number(first)?;
            let mut values = vec![(0, before)];
            for (tick, value) in course.by_tick() {
                match (number(value), values.last_mut()) {
                    (Some(value), Some((0, initial_value))) if tick == 0 => *initial_value = value,
                    (Some(value), _) => values.push((tick, value)),
                    (None, _) => {}
                }
            }
            let atom = atom.clone();
            Some(NumberTimeline {
                atom,
                before,
                values,
            })
        };
        let mut all: Vec<NumberTimeline> =
            self.world.iter().chain(own).filter_map(course).collect();
        all.compact_sort_by(|one, other| one.atom.cmp(&other.atom));
        all
    }

    /// Returns the belief about a ground fact after the cursor, if it isn't the actual value.
    fn beliefs<'a>(
        &'a self,
        span: &Span<'a>,
        to: Option<TimeCursor>,
    ) -> impl Fn(&Atom, &Value) -> Option<Belief> + 'a {
        let planned = span.planned();
        let planned: BTreeMap<&Atom, &Value> =
            map_of(planned.map(|change| (&change.atom, &change.after)));
        let at = move |timelines: &'a ValueTimelines, atom: &Atom| timelines.get(atom)?.at(&to?);
        move |atom, value| {
            let beliefs = self
                .beliefs
                .as_ref()
                .filter(|beliefs| beliefs.can_be_wrong())?;
            let observed = planned.get(atom).copied();
            let observed = observed.or_else(|| at(&self.observed, atom));
            // A character that has observed nothing of it believes the value before the first
            // change.
            let first = || {
                at(&self.world, atom)?;
                self.world.get(atom).map(ValueTimeline::first)
            };
            beliefs.belief(atom, value, observed, || {
                self.initial.get(atom).or_else(first)
            })
        }
    }
}

/// The newest answer, prepared once for lookups from all panels.
#[derive(Clone, Copy)]
pub struct Seen(Memo<Option<Arc<Played>>>);

impl Seen {
    /// Follows the answers and the shown character.
    pub fn provide(session: Session) {
        // The rest of the document is that of the answer: no edit is shown before it is planned.
        let played = Memo::new_with_compare(
            move |_| {
                let answer = session.plan.answer.get()?;
                let domain = session.domain_untracked();
                let beliefs = CharacterBeliefs::new(&domain, &answer.scenario, answer.character);
                Some(Arc::new(Played::new(answer, beliefs)))
            },
            |_, _| true,
        );
        provide_context(Self(played));
    }

    /// Returns the view that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the panel provides it")
    }

    /// Queries it; `None` if there is no answer. Tracked.
    pub fn with<T>(self, ask: impl FnOnce(&Played) -> T) -> Option<T> {
        self.0.with(|played| played.as_deref().map(ask))
    }

    /// Returns the numbers that change in the run of the current answer.
    pub fn numbers(self) -> Vec<NumberTimeline> {
        untrack(|| self.with(Played::numbers)).unwrap_or_default()
    }
}

/// The range of a cursor: a part of the run, or a step of a plan from a moment of the run on.
pub struct Span<'a> {
    /// Its start.
    pub from: Moment,
    /// Its end.
    pub to: Moment,
    /// The planned steps from there on, before the one at the cursor.
    pub steps: &'a [Step],
    /// The step at the cursor.
    pub step: Option<&'a Step>,
}

impl<'a> Span<'a> {
    /// Returns the range of a cursor.
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
        let steps = answer
            .plan_at(cursor.plan)
            .map_or(&[][..], |plan| &plan.steps);
        let at = cursor.step.filter(|at| *at < steps.len());
        Self {
            from: moment,
            to: moment,
            steps: &steps[..at.unwrap_or(0)],
            step: at.map(|at| &steps[at]),
        }
    }

    /// Returns the changes by the planned steps, including the one at the cursor.
    pub fn planned(&self) -> impl Iterator<Item = &'a Change> + use<'a> {
        let steps = self.steps.iter().chain(self.step);
        steps.flat_map(|step| &step.changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Document;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::{Budget, Strategy, initial_state};
    use taskloom_runtime::{default_planner, run_test};

    /// The ball's box slams shut at tick 4, while the ball is being taken.
    fn answer() -> Answer {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let scenario = "case-5-the-box-slams-shut".parse().unwrap();
        let test = {
            let mut plan = default_planner(Budget::default());
            run_test(&Domain::from(&document), &scenario, &mut plan, 100)
        };
        let outcome = test.outcome.unwrap();
        let mut answer = Answer::without_plan(1, (scenario, 0), Strategy::First, outcome);
        answer.initial = initial_state(&Domain::from(&document), &answer.scenario);
        answer.run = test.run;
        answer
    }

    /// The changes, and the ball's place.
    fn check(cursor: Cursor, expected: &str) {
        let rows = Played::new(Arc::new(answer()), None).around(cursor);
        let described = rows.iter().filter(|row| {
            let fact = row.atom.fact.as_str();
            row.before != row.after || fact == "ball_in_box" || fact == "box_open"
        });
        let described = described.map(|row| format!("{}: {} {}", row.atom, row.before, row.after));
        assert_eq!(described.collect::<Vec<_>>().join("\n"), expected);
    }

    fn happened(entry: Entry) -> Cursor {
        Cursor {
            happened: Some(Happened::Line(entry)),
            ..Cursor::default()
        }
    }

    #[test]
    fn steps_of_a_plan_have_planned_changes() {
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
    fn lines_of_a_run_have_actual_changes() {
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
