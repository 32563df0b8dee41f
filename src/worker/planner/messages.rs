//! The inputs and outputs of the state machine.

use std::sync::Arc;

use taskloom_document::{Document, Name};
use taskloom_planner::plan::Strategy;

use taskloom_worker::{
    Answer, Event, Experiment, KnownDocument, Phase, Program, Request, SentDocument, TRACE_BOUND,
    Wanted, program_of,
};

/// The time for a search while the user is typing, in milliseconds.
const SEARCH_MILLIS: u32 = 10_000;
/// The time for a search for the cheapest plan or for any plan, in milliseconds.
const LONG_SEARCH_MILLIS: u32 = 60_000;

/// The planner's activity for the newest revision.
#[derive(Debug, Clone, PartialEq)]
pub enum Planning {
    /// The worker is being loaded or started for the first time.
    Starting,
    /// The newest revision is answered, or there is nothing to plan.
    Idle,
    /// The newest revision has just been requested. Most requests are answered before there is
    /// anything to report, so the display doesn't change yet.
    Sent,
    /// It has been planning for this many seconds.
    Busy(Phase, u32),
    /// Planning was stopped before there was an answer to the newest revision.
    Stopped,
    /// It doesn't plan the newest revision, for this reason.
    Broken(String),
}

impl Planning {
    /// Returns `true` if an answer must be marked as old because it belongs to a revision other
    /// than this one. Planning that has just begun gets some time to replace it.
    pub fn is_old(&self, answer: &Answer, revision: u64) -> bool {
        answer.revision != revision && *self != Self::Sent
    }
}

/// A request for a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRequest {
    /// The id of the request, larger than that of the previous one.
    pub revision: u64,
    /// The document.
    pub document: Arc<Document>,
    /// Its scenario.
    pub scenario: Name,
    /// The character to plan for, by its index in the cast.
    pub character: usize,
    /// The search strategy.
    pub strategy: Strategy,
    /// If `true`, all characters use this strategy in the run, overriding their agents' settings.
    pub is_for_all: bool,
    /// Experiments beyond the scenario.
    pub experiment: Experiment,
}

impl PlanRequest {
    /// Returns the message for a worker that has a document already, or none.
    pub fn to_wanted(&self, known: Option<&KnownDocument>) -> Wanted {
        Wanted {
            revision: self.revision,
            document: match known {
                Some((since, earlier)) => SentDocument::Changed {
                    since: *since,
                    difference: self.document.difference_from(earlier),
                },
                None => SentDocument::Whole(self.document.to_json()),
            },
            scenario: self.scenario.clone(),
            character: self.character,
            strategy: self.strategy,
            is_for_all: self.is_for_all,
            experiment: self.experiment.clone(),
            millis: match self.strategy {
                Strategy::First => SEARCH_MILLIS,
                Strategy::Cheapest | Strategy::Fastest => LONG_SEARCH_MILLIS,
            },
            trace_bound: TRACE_BOUND,
        }
    }

    /// Returns the program that can plan this.
    pub fn program(&self) -> Program {
        program_of(self.strategy)
    }

    /// Returns `true` if both requests have the same answer.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.character, self.strategy, self.is_for_all)
            == (other.character, other.strategy, other.is_for_all)
            && self.experiment == other.experiment
            && self.scenario.same_spelling(&other.scenario)
            && self.document.same_meaning(&other.document, &self.scenario)
    }
}

/// An input of the state machine.
#[derive(Debug)]
pub enum Input {
    /// A program is being loaded, for the first time or again.
    Loading(Program),
    /// A program is loaded.
    Loaded(Program),
    /// No worker can run a program, for this reason.
    Missing(Program, &'static str),
    /// A plan is requested. This replaces every earlier request.
    Plan(PlanRequest),
    /// The answer to the newest request is known before any worker could find it.
    Known(Box<Answer>),
    /// This revision has nothing to plan.
    Forget(u64),
    /// Planning must stop now.
    Stop,
    /// The worker has sent a message.
    Heard(Event),
    /// The worker has crashed.
    Failed,
    /// The time returned by [`Planner::due`](super::Planner::due) has come.
    Wake,
}

/// A command of the state machine; commands are executed in order.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// End the worker, if there is one, and start another, of this program.
    Start(Program),
    /// End the worker.
    End,
    /// Send this request to the worker.
    Post(Request),
    /// Show an answer.
    Show(Arc<Answer>),
}
