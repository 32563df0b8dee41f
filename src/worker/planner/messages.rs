//! What the machine hears, and what it has done about it.

use std::sync::Arc;

use taskloom::document::{Document, Name, Point};
use taskloom::planner::plan::Strategy;

use crate::worker::experiment::Experiment;
use crate::worker::message::{Answer, Event, Exported, Request, Stage};

/// What the planner is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Planning {
    /// The worker's program is being loaded.
    Starting,
    /// It waits for an edit.
    Idle,
    /// It plans, for so many seconds already.
    Busy(Stage, u32),
    /// It cannot plan, and this is why.
    Broken(String),
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
    /// Whether the answer to one is the answer to the other.
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
    /// There is no worker, and will be none; why.
    Missing(&'static str),
    /// A plan is asked for; whatever was asked before is of no interest any more.
    Plan(Wish),
    /// Of this revision there is nothing to plan.
    Forget(u64),
    /// The planning that runs is to end, whatever it is at.
    Stop,
    /// Something beside planning is asked for: an export or a layout. A later one of a
    /// kind replaces one that waits.
    Ask(Request),
    /// The worker says something.
    Heard(Event),
    /// The worker broke.
    Failed,
    /// The grace of the request with this revision is over.
    GraceOver(u64),
    /// The request in flight has grown old enough to be replaced.
    Old,
    /// A second has gone by.
    Look,
}

/// What is to be done, in this order.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// End the worker that there may be, and start another.
    Start,
    /// Send the worker this.
    Post(Request),
    /// Tell when the grace of this revision is over, after so many milliseconds.
    Grace(u64, u32),
    /// Tell when the request in flight is old, after so many milliseconds.
    Age(u32),
    /// Show an answer.
    Show(Arc<Answer>),
    /// An export has ended.
    Exported(Result<Exported, String>),
    /// A layout has ended.
    LaidOut(Result<Vec<Point>, String>),
}
