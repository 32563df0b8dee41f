//! What a simulation answers.

use serde::{Deserialize, Serialize};

use crate::plan::{Change, Outcome};

/// The state of a task in execution (Krylov & Abramov 2020, section 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// In the plan, not yet executed.
    Planned,
    /// Being executed.
    InProgress,
    /// Successfully executed.
    Complete,
    /// Its preconditions did not hold, or an integrity rule was violated.
    Failed,
}

/// How a simulation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnd {
    /// The last plan was completed.
    Complete,
    /// A plan failed and no other was found.
    Failed,
    /// The simulation's own bound of ticks or of replanning was reached.
    OutOfTime,
}

/// A simulated run: plans made one after the other, and what was executed of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The outcome of each planning, in order: the tick, and what was found.
    pub plans: Vec<(u32, Outcome)>,
    /// What was executed, in order.
    pub executed: Vec<Execution>,
    /// What the scenario's events changed: the tick, the event, the changes.
    pub events: Vec<(u32, usize, Vec<Change>)>,
    /// How it ended.
    pub end: RunEnd,
    /// The tick at which it ended.
    pub ticks: u32,
}

/// The execution of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// Which of [`Run::plans`].
    pub plan: usize,
    /// Which of its steps.
    pub step: usize,
    /// The tick at which it started.
    pub start: u32,
    /// The tick at which it ended.
    pub end: u32,
    /// Complete, or failed.
    pub state: TaskState,
    /// Why it failed: the rule, as text.
    pub reason: Option<String>,
    /// What its executed effects changed.
    pub changes: Vec<Change>,
}
