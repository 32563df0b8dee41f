//! What page and worker say to each other, as postcard bytes.

use serde::{Deserialize, Serialize};
use taskloom_core::document::Name;
use taskloom_core::plan::{Atom, Outcome, Statistics, Trace, Value};
use taskloom_core::simulate::{Run, Verdict};

/// What the page asks of the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Are you there? Answered between two slices of a search.
    Ping,
    /// Plan and simulate a scenario. Replaces a planning that still runs.
    Plan {
        /// Which revision of the document this is.
        revision: u64,
        /// The text of the document's file: one reader for both makes the program smaller.
        document: String,
        /// The scenario.
        scenario: Name,
        /// Time for the search, in milliseconds.
        millis: u32,
        /// Events of the search to keep.
        trace_bound: usize,
    },
    /// End the planning that runs.
    Stop,
    /// Write files for another program.
    Export {
        /// The text of the document's file: one reader for both makes the program smaller.
        document: String,
        /// The scenario that a problem file states.
        scenario: Option<Name>,
        /// What to write.
        format: Format,
    },
}

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// The domain as JSON for a runtime.
    Json,
    /// HDDL: a domain file and a problem file.
    Hddl,
    /// C# in the paper's manner.
    CSharp,
}

/// What the worker tells the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The worker has started.
    Ready,
    /// It is there.
    Pong,
    /// A search goes on.
    Progress {
        /// The revision that is planned.
        revision: u64,
        /// What the search has used so far.
        statistics: Statistics,
    },
    /// A search has ended.
    Answer(Box<Answer>),
    /// An export has ended.
    Exported(Result<Exported, String>),
}

/// Files for another program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exported {
    /// Name and content of each file.
    pub files: Vec<(String, String)>,
    /// What the other language cannot say, in sentences.
    pub warnings: Vec<String>,
}

/// What the worker found for one revision of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The revision that was asked about.
    pub revision: u64,
    /// The scenario that was planned.
    pub scenario: Name,
    /// The plan, or why there is none.
    pub outcome: Outcome,
    /// Why the validator refuses the plan: a fault of the planner's, told so.
    pub invalid: Option<String>,
    /// The ground facts before the first step.
    pub initial: Vec<(Atom, Value)>,
    /// What the search used.
    pub statistics: Statistics,
    /// What the search did.
    pub trace: Trace,
    /// What the simulator did with the scenario; none where there is nothing to run.
    pub run: Option<Run>,
    /// What became of the scenario's expectations, in their order.
    pub verdicts: Vec<Verdict>,
    /// How long the search took, in microseconds.
    pub micros: u64,
}
