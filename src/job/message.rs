//! What page and worker say to each other, as postcard bytes.

use serde::{Deserialize, Serialize};
use taskloom_core::document::Name;
use taskloom_core::plan::{Atom, Outcome, Statistics, Trace, Value};
use taskloom_core::simulate::Run;

/// What the worker found for one revision of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The revision that was asked about.
    pub revision: u64,
    /// The scenario that was planned.
    pub scenario: Option<Name>,
    /// The plan, or why there is none.
    pub outcome: Outcome,
    /// Every ground fact before the first step.
    pub initial: Vec<(Atom, Value)>,
    /// What the search used.
    pub statistics: Statistics,
    /// What the search did.
    pub trace: Trace,
    /// What the simulator did with the scenario; none where there is nothing to run.
    pub run: Option<Run>,
    /// How long the search took, in microseconds.
    pub micros: u64,
}
