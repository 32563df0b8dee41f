//! Plans and the other outcomes of a search, in names instead of numbers, so
//! that views, exporters and tests need no part of the compiled domain.
//!
//! All of these travel from the worker to the page through postcard, so no field
//! is ever left out.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::compile::Problem;
use taskloom_document::{BlockId, Name};
use taskloom_domain::ground::{Atom, GroundTask, Value};
use taskloom_domain::plan::{Plan, Unplanned};

/// What a search may use up. Core has no clock: time is the caller's, who runs
/// a search in slices and stops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Decisions taken (tasks chosen, alternatives tried).
    pub nodes: u64,
    /// Nesting of decompositions.
    pub depth: u32,
    /// Memory held by the search, in bytes.
    pub memory: u64,
}

impl Default for Budget {
    /// Enough for any domain of a game, little enough for a live view.
    fn default() -> Self {
        Self {
            nodes: 2_000_000,
            depth: 2_000,
            memory: 256 << 20,
        }
    }
}

/// Which part of the budget a search used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// [`Budget::nodes`]
    Nodes,
    /// [`Budget::depth`]: every alternative was searched, some only so deep.
    Depth,
    /// [`Budget::memory`]
    Memory,
    /// The caller's time.
    Time,
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// A plan, which has passed validation.
    Plan(Arc<Plan>),
    /// No plan exists: the search is exhausted.
    NoPlan,
    /// The budget ended the search.
    GaveUp(Limit),
    /// The caller stopped it.
    Stopped,
    /// There was nothing that a search could be about: nothing is known of plans.
    NotPlanned(Unplanned),
}

impl Outcome {
    /// What a search that has looked at everything and found no plan may say of its
    /// problem.
    pub(super) fn exhausted(problem: &Problem) -> Self {
        match problem.roots() {
            None => Self::NotPlanned(Unplanned::Unreadable),
            Some(_) => Self::NoPlan,
        }
    }
}

/// What a search used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Decisions taken.
    pub nodes: u64,
    /// Decisions taken back.
    pub backtracks: u64,
    /// Deepest nesting of decompositions.
    pub depth: u32,
    /// Greatest memory held, in bytes.
    pub memory: u64,
}

/// What a search did, in order; bounded: once full, later events are counted only.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trace {
    /// The events kept.
    pub events: Vec<TraceEvent>,
    /// The states that a search for a goal came upon.
    pub states: Vec<Reached>,
    /// How many came after the bound was reached.
    pub dropped: u64,
}

/// A state that a search for a goal came upon; looking back from the goal, conditions before the
/// rest of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// The one that it came from.
    pub parent: Option<usize>,
    /// What was done there; none where the search starts.
    pub task: Option<GroundTask>,
    /// The goal of the agent's that the search is for; none: the scenario's.
    pub goal: Option<Name>,
    /// What it cost to get there: g.
    pub cost: f64,
    /// What it takes from there, as estimated: h, infinite where it is out of reach. None: that was
    /// not worked out, as others came first.
    pub left: Option<f64>,
    /// What does not hold there of what is to be reached.
    pub differs: Vec<String>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a state that a search came upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It was left to be looked at.
    Open,
    /// All that can be done there was looked at.
    Closed,
    /// No goal can be reached from there.
    Hopeless,
    /// It is on the way of the plan that was found.
    Chosen,
}

/// One event of a search; `parent` makes a tree of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceEvent {
    /// The event in whose course it happened.
    pub parent: Option<usize>,
    /// The task that it concerns.
    pub task: GroundTask,
    /// The plan's length at that moment.
    pub step: usize,
    /// What happened.
    pub kind: TraceKind,
}

/// What happened in a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TraceKind {
    /// A task was chosen to be the next.
    Task,
    /// A resolution of the compound task's flowchart was tried.
    Alternative {
        /// The outputs and bindings chosen, for reading: `yes, 2 with the hammer, ?place = shed`.
        label: String,
        /// The blocks on its path.
        blocks: Vec<BlockId>,
    },
    /// A condition did not hold.
    Failed {
        /// The block whose condition it is; none for a precondition of the task.
        block: Option<BlockId>,
        /// The conjunct that failed, as text with objects for variables.
        conjunct: String,
        /// The ground facts it read, with the values seen.
        saw: Vec<(Atom, Value)>,
    },
    /// An effect cannot be: of a number out of its range, or of nothing.
    Inapplicable {
        /// Why, in words.
        why: String,
        /// The ground facts it read, with the values seen.
        saw: Vec<(Atom, Value)>,
    },
    /// A Bind block has nothing to choose from.
    NoObject {
        /// The block.
        block: BlockId,
        /// The type of which there is no object.
        of: Name,
    },
    /// All tasks could be done, and then the scenario's goal did not hold.
    GoalFailed {
        /// The conjunct that failed.
        conjunct: String,
        /// The ground facts it read, with the values seen.
        saw: Vec<(Atom, Value)>,
    },
    /// Every alternative failed; the search went back.
    Backtrack,
    /// The search did not go on here.
    Pruned(Pruned),
}

/// Why a search does not go on with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pruned {
    /// It is at this very state and network already: the task leads back to itself.
    Circle,
    /// It was at this state and network before, and no further from the start.
    Known,
    /// The task is nested deeper than the budget allows.
    TooDeep,
    /// The best plan so far costs no more than what would come of it.
    TooDear,
    /// No plan can come of it, whatever its conditions.
    Hopeless,
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Circle => "leads back to itself without changing anything",
            Self::Known => "comes to a situation that was searched before",
            Self::TooDeep => "is nested too deep",
            Self::TooDear => "costs no less than the best plan so far",
            Self::Hopeless => "can lead to no plan from here",
        })
    }
}
