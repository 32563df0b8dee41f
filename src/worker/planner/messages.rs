//! The machine's inputs and outputs.

use std::sync::Arc;

use taskloom::document::{Document, Name};
use taskloom::planner::plan::Strategy;

use crate::worker::experiment::Experiment;
use crate::worker::message::{Answer, Event, Request, Stage};

/// What the planner is doing about the newest revision.
#[derive(Debug, Clone, PartialEq)]
pub enum Planning {
    /// The worker is being loaded or started for the first time.
    Starting,
    /// The newest revision is answered, or there is nothing to plan.
    Idle,
    /// The newest revision has just been requested. Most are answered before there is
    /// anything to say, so what is shown doesn't change yet.
    Sent,
    /// It plans, for so many seconds already.
    Busy(Stage, u32),
    /// Planning was stopped before there was an answer to the newest revision.
    Stopped,
    /// It doesn't plan the newest revision, and this is why.
    Broken(String),
}

impl Planning {
    /// Returns `true` if an answer is to be marked as old: it is that of another revision than
    /// this one. A planning that has just begun is left the time to replace it.
    pub fn is_old(&self, answer: &Answer, revision: u64) -> bool {
        answer.revision != revision && *self != Self::Sent
    }
}

/// What is to be planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// Tells it from all others: larger than that of the wish before.
    pub revision: u64,
    /// The document.
    pub document: Arc<Document>,
    /// Its scenario.
    pub scenario: Name,
    /// Whose plan is looked for: one of its cast, by the number.
    pub character: usize,
    /// Which plan is wanted.
    pub strategy: Strategy,
    /// Whether all plan so in the run, whatever their agents say.
    pub is_for_all: bool,
    /// What is tried besides.
    pub experiment: Experiment,
}

impl Wish {
    /// Returns `true` if the answer to one is the answer to the other.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.character, self.strategy, self.is_for_all)
            == (other.character, other.strategy, other.is_for_all)
            && self.experiment == other.experiment
            && self.scenario.same_spelling(&other.scenario)
            && self.document.same_meaning(&other.document, &self.scenario)
    }
}

/// What happens.
#[derive(Debug)]
pub enum Input {
    /// The worker's program is loaded.
    Loaded,
    /// No worker can be started; why.
    Missing(&'static str),
    /// A plan is requested. It replaces every request before.
    Plan(Wish),
    /// This revision has nothing to plan.
    Forget(u64),
    /// Planning is to end now.
    Stop,
    /// The worker has sent a message.
    Heard(Event),
    /// The worker has crashed.
    Failed,
    /// The time that [`Planner::due`](super::Planner::due) named has come.
    Wake,
}

/// What is to be done, in this order.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// End the worker, if there is one, and start another.
    Start,
    /// End the worker.
    End,
    /// Send the worker this.
    Post(Request),
    /// Show an answer.
    Show(Arc<Answer>),
}
