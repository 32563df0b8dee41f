//! The run that is shown: the simulator's, or that of a log.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::Name;

use super::Kept;
use super::log::OpenLog;
use crate::worker::Answer;

/// The reason why the run of a log can't be changed, and what to do.
const LOGGED: &str = "A log's run can't be changed. Close the log first.";

/// The source of a run.
#[derive(Clone)]
pub enum RunSource {
    /// The planner, with the simulator.
    Planner,
    /// A log that a game or the simulator has written.
    Log(Arc<OpenLog>),
}

/// The run that is shown, with its source. Whatever reads or changes "the run" asks this.
#[derive(Clone)]
pub struct ShownRun {
    /// The source of the run and of its verdicts.
    pub source: RunSource,
    /// The planner's latest answer, with the run and the verdicts of the source.
    pub answer: Option<Arc<Answer>>,
}

impl ShownRun {
    /// Chooses what is shown, by the planner's latest answer, the open log and the scenario being planned.
    pub(super) fn new(
        planned: Option<Arc<Answer>>,
        log: Option<Arc<OpenLog>>,
        scenario: Option<&Name>,
    ) -> Self {
        let log = log.filter(|log| match &planned {
            Some(answer) => log.is_of(answer),
            None => scenario == Some(log.scenario()),
        });
        match log {
            None => Self {
                source: RunSource::Planner,
                answer: planned,
            },
            Some(log) => Self {
                answer: planned.map(|answer| Arc::new(log.in_place_of_run(&answer))),
                source: RunSource::Log(log),
            },
        }
    }

    /// Returns the log that the run is from.
    pub fn log(&self) -> Option<&Arc<OpenLog>> {
        match &self.source {
            RunSource::Planner => None,
            RunSource::Log(log) => Some(log),
        }
    }

    /// Returns `Ok` if facts can be overridden in the run, and its start edited.
    ///
    /// # Errors
    /// Returns the reason why not, and what to do.
    pub fn can_be_changed(&self) -> Result<(), &'static str> {
        match self.source {
            RunSource::Planner => Ok(()),
            RunSource::Log(_) => Err(LOGGED),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let pointers = |shown: &Self| {
            let answer = shown.answer.as_ref().map(Arc::as_ptr);
            (answer, shown.log().map(Arc::as_ptr))
        };
        pointers(self) == pointers(other)
    }
}

/// Returns the memo of the run that is shown, and that of the answer with it.
pub(super) fn memos(
    planned: RwSignal<Option<Arc<Answer>>>,
    log: Kept<RwSignal<Option<Arc<OpenLog>>>>,
    scenario: Kept<RwSignal<Option<Name>>>,
) -> (Memo<ShownRun>, Memo<Option<Arc<Answer>>>) {
    let shown = Memo::new_with_compare(
        move |_| {
            let scenario = scenario.get();
            ShownRun::new(planned.get(), log.get(), scenario.as_ref())
        },
        |old: Option<&ShownRun>, new: Option<&ShownRun>| match (old, new) {
            (Some(old), Some(new)) => !old.is_same(new),
            _ => true,
        },
    );
    let answer = Memo::new_with_compare(
        move |_| shown.with(|shown| shown.answer.clone()),
        |old: Option<&Option<Arc<Answer>>>, new: Option<&Option<Arc<Answer>>>| {
            let [old, new] =
                [old, new].map(|answer| answer.and_then(Option::as_ref).map(Arc::as_ptr));
            old != new
        },
    );
    (shown, answer)
}
