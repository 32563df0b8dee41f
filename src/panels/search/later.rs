//! The searches for later plans of a run: each is repeated, with a trace, when it is looked at.

use std::sync::Arc;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use taskloom_runtime::Entry;

use crate::session::{Cursor, Happened, Session};
use crate::worker::{Answer, JobHandle, SearchReport};

/// The time for which the cursor rests at a planning before its search is repeated, in milliseconds.
const REST: u32 = 150;
/// The number of results that are kept.
const KEPT: usize = 16;

/// A planning of a run: the answer's revision, and its index in the run.
type Key = (u64, usize);

/// The result of repeating a search: `None` if the planning needed none.
pub type Repeated = Result<Option<Arc<SearchReport>>, String>;

/// The planning at the cursor, and the searches that have been repeated.
#[derive(Clone, Copy)]
pub struct Later {
    /// The shown planning, if the answer doesn't contain its search.
    pub shown: Memo<Option<usize>>,
    found: RwSignal<Vec<(Key, Repeated)>>,
}

impl Later {
    /// Repeats the search of each planning that is shown.
    pub fn new(session: Session) -> Self {
        let shown = Memo::new(move |_| {
            // The search of a game can't be repeated.
            if session.plan.shown.with(|shown| shown.log().is_some()) {
                return None;
            }
            let (cursor, character) = (session.desk.cursor.get(), session.desk.character.get());
            let answer = session.plan.answer.get()?;
            planning_at(&answer, cursor, character)
        });
        let found = RwSignal::new(vec![]);
        let later = Self { shown, found };
        let missing = Memo::new(move |_| {
            let planning = shown.get()?;
            let revision = session.plan.answer.with(|answer| {
                let answer = answer.as_ref().filter(|answer| answer.ended);
                answer.map(|answer| answer.revision)
            });
            let key = (revision?, planning);
            let is_old = session.plan.is_old() || session.plan.is_planning();
            (!is_old && later.of(key).is_none()).then_some(key)
        });
        let work = StoredValue::new_local(None::<Work>);
        Effect::new(move || {
            // The previous one is cancelled.
            work.set_value(None);
            let Some(key) = missing.get() else { return };
            let begin = move || {
                let done = move |result: Result<Option<SearchReport>, String>| {
                    later.keep(key, result.map(|report| report.map(Arc::new)));
                };
                let job = session.plan.client().trace(key.1, done);
                work.set_value(job.map(Work::Searching));
            };
            work.set_value(Some(Work::Waiting(Timeout::new(REST, begin))));
        });
        on_cleanup(move || work.set_value(None));
        later
    }

    /// Returns the repeated search of a planning; `None` while it isn't known. Tracked.
    pub fn of(self, key: Key) -> Option<Repeated> {
        self.found.with(|all| {
            let mut all = all.iter();
            all.find(|(other, _)| *other == key)
                .map(|(_, found)| found.clone())
        })
    }

    fn keep(self, key: Key, result: Repeated) {
        self.found.try_update(|all| {
            all.truncate(KEPT - 1);
            all.insert(0, (key, result));
        });
    }
}

/// The work of repeating a search; dropping it cancels that.
enum Work {
    /// The cursor may move on.
    Waiting(#[expect(dead_code, reason = "dropping it stops the clock")] Timeout),
    /// The search is repeated.
    Searching(#[expect(dead_code, reason = "dropping it ends the search")] JobHandle),
}

/// Returns the index of the last planning of a character at the cursor; `None` if the answer contains
/// its search, or there is none.
fn planning_at(answer: &Answer, cursor: Cursor, character: usize) -> Option<usize> {
    let run = answer.run.as_ref()?;
    let latest = |tick: u32| {
        let mut plans = run.plans.iter();
        plans.rposition(|planning| planning.character == character && planning.tick <= tick)
    };
    let planning = match cursor.happened {
        None => cursor.plan,
        Some(Happened::Line(Entry::Planning(at))) => Some(at),
        Some(Happened::Line(Entry::Step(at))) => run.executed.get(at).map(|step| step.plan),
        Some(Happened::Line(entry)) => run.tick_of(entry).and_then(latest),
        Some(Happened::Tick(tick)) => latest(tick),
    };
    planning.filter(|planning| answer.is_another_plan(*planning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Name;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::{Budget, Strategy};
    use taskloom_runtime::{default_planner, run_test};

    #[test]
    fn last_planning_at_a_tick_is_shown_unless_it_is_the_answers_own() {
        let scenario: Name = "case-5-the-box-slams-shut".parse().unwrap();
        let domain = Domain::from(&crate::examples::first());
        let test = run_test(
            &domain,
            &scenario,
            &mut default_planner(Budget::default()),
            100,
        );
        let outcome = test.outcome.unwrap();
        let mut answer = Answer::without_plan(1, (scenario, 0), Strategy::First, outcome);
        answer.run = test.run;
        let second = answer.run.as_ref().unwrap().plans[1].tick;
        let at = |happened| {
            let cursor = Cursor {
                happened: Some(happened),
                ..Cursor::default()
            };
            planning_at(&answer, cursor, 0)
        };
        assert_eq!(at(Happened::Tick(0)), None);
        assert_eq!(at(Happened::Tick(second - 1)), None);
        assert_eq!(at(Happened::Tick(second)), Some(1));
        assert_eq!(at(Happened::Tick(100)), Some(1));
        assert_eq!(at(Happened::Line(Entry::Planning(0))), None);
        assert_eq!(at(Happened::Line(Entry::Planning(1))), Some(1));
        assert_eq!(planning_at(&answer, Cursor::default(), 0), None);
    }
}
