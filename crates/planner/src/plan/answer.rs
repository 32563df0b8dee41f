//! Plans and the other outcomes of a search, with names instead of numbers, so that views,
//! exporters and tests don't depend on the compiled domain.
//!
//! All of these types travel from the worker to the page through postcard, so no field may be
//! skipped.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::compile::{GroundQuery, Problem};
use taskloom_document::{BlockId, Name};
use taskloom_domain::ground::{Atom, GroundTask, Value};
use taskloom_domain::plan::{Plan, Unplanned};

/// The limits of a search. The core has no clock: the caller, who runs a search in slices and
/// cancels it, limits the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The number of decisions (tasks chosen, alternatives tried).
    pub nodes: u64,
    /// The nesting depth of decompositions.
    pub depth: u32,
    /// The memory use of the search, in bytes.
    pub memory: u64,
}

impl Default for Budget {
    /// Returns a budget that suffices for any game's domain and is small enough for a live view.
    fn default() -> Self {
        Self {
            nodes: 2_000_000,
            depth: 2_000,
            memory: 256 << 20,
        }
    }
}

/// The part of the budget that a search used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// The limit [`Budget::nodes`].
    Nodes,
    /// The limit [`Budget::depth`]: every alternative was searched, but some only down to that
    /// depth.
    Depth,
    /// The limit [`Budget::memory`].
    Memory,
    /// The caller's time limit.
    Time,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// A plan, which has passed validation.
    Plan(Arc<Plan>),
    /// No plan exists: the search space is exhausted.
    NoPlan,
    /// The budget ended the search.
    GaveUp(Limit),
    /// The caller cancelled the search.
    Stopped,
    /// The problem can't be searched, so that nothing is known about plans.
    NotPlanned(Unplanned),
}

impl Outcome {
    /// Returns the outcome of a search that exhausted the search space of a problem without a plan.
    pub fn exhausted(problem: &Problem) -> Self {
        match problem.roots() {
            None => Self::NotPlanned(Unplanned::Unreadable),
            Some(_) => Self::NoPlan,
        }
    }
}

/// The resources that a search used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// The number of decisions.
    pub nodes: u64,
    /// The number of decisions taken back.
    pub backtracks: u64,
    /// The maximum nesting depth of decompositions.
    pub depth: u32,
    /// The peak memory use, in bytes.
    pub memory: u64,
}

/// The events of a search, in order. Their number is bounded: once the bound is reached, later
/// events are only counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trace {
    /// The events kept.
    pub events: Vec<TraceEvent>,
    /// The states that a search for a goal explored.
    pub states: Vec<ExploredState>,
    /// The number of events and states beyond the bound.
    pub dropped: u64,
}

/// A state that a search for a goal explored. In regression, the conditions before the rest of a
/// plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExploredState {
    /// The state that it was reached from.
    pub parent: Option<usize>,
    /// The task executed between the parent and this state; `None` for the start.
    pub task: Option<GroundTask>,
    /// The agent's goal that is searched for; `None` for the scenario's.
    pub goal: Option<Name>,
    /// The cost from the start: g.
    pub cost: f64,
    /// The estimated cost to the goal: h; infinite if it is unreachable. `None` if it wasn't
    /// computed, since other states came first.
    #[serde(rename = "left")]
    pub remaining_estimate: Option<f64>,
    /// The conditions of the goal that don't hold in the state.
    pub differs: Vec<String>,
    /// The status of the state.
    #[serde(rename = "fate")]
    pub status: NodeStatus,
}

/// The status of a state that a search explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeStatus {
    /// It wasn't expanded.
    Open,
    /// It was expanded.
    Closed,
    /// It is a dead end: no goal is reachable from there.
    Hopeless,
    /// It is on the path of the plan that was found.
    Chosen,
}

/// An event of a search. `parent` turns the list of events into a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceEvent {
    /// The event during which it occurred.
    pub parent: Option<usize>,
    /// The task that it concerns.
    pub task: GroundTask,
    /// The length of the plan at that moment.
    pub step: usize,
    /// The kind of event.
    pub kind: TraceKind,
}

/// The kind of a search event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TraceKind {
    /// A task was chosen as the next one.
    Task {
        /// The block that calls it, in the flowchart of the task above it.
        block: Option<BlockId>,
    },
    /// An alternative of the compound task's flowchart was tried.
    Alternative {
        /// The chosen outputs and bindings, for display: `yes, 2 with the hammer, ?place = shed`.
        label: String,
        /// The blocks on its path.
        blocks: Vec<BlockId>,
    },
    /// A condition didn't hold.
    Failed {
        /// The block of the condition; `None` for a precondition of the task.
        block: Option<BlockId>,
        /// The variable of a Bind block, if the condition is false for one of its objects.
        variable: Option<Name>,
        /// The conjunct that failed, as text with objects for variables.
        conjunct: String,
        /// The ground facts that it read, with their values.
        saw: Vec<(Atom, Value)>,
    },
    /// An effect can't be applied: a number would leave its range, or an object or number is
    /// undefined.
    Inapplicable {
        /// The reason, as text.
        why: String,
        /// The ground facts that it read, with their values.
        saw: Vec<(Atom, Value)>,
    },
    /// A Bind block has no objects to choose from.
    NoObject {
        /// The block.
        block: BlockId,
        /// The type that has no objects.
        of: Name,
    },
    /// The game's answer to the query of a Bind block has no object of its type.
    NoAnswer {
        /// The block.
        block: BlockId,
        /// The query.
        query: GroundQuery,
        /// The type.
        of: Name,
    },
    /// All tasks were done, but the scenario's goal didn't hold.
    GoalFailed {
        /// The conjunct that failed.
        conjunct: String,
        /// The ground facts that it read, with their values.
        saw: Vec<(Atom, Value)>,
    },
    /// Every alternative failed, so the search backtracked.
    Backtrack,
    /// The search pruned this task.
    Pruned {
        /// The reason.
        why: Pruned,
        /// The block that calls it, in the flowchart of the task above it.
        block: Option<BlockId>,
    },
}

impl TraceKind {
    /// Returns the block at which it happened, if it is about one block.
    pub fn block(&self) -> Option<&BlockId> {
        match self {
            Self::Failed { block, .. } => block.as_ref(),
            Self::NoObject { block, .. } | Self::NoAnswer { block, .. } => Some(block),
            _ => None,
        }
    }
}

/// The reason why a search prunes a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pruned {
    /// The current path contains the same state and network: the task leads back to itself.
    Circle,
    /// An equal state and network were searched before, at no greater cost from the start.
    Known,
    /// The task is nested more deeply than the budget allows.
    TooDeep,
    /// The best plan so far costs no more than any plan from here.
    TooDear,
    /// No plan is possible from here, whatever the conditions.
    Hopeless,
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Circle => "leads back to itself without changing anything",
            Self::Known => "reaches a state that was already searched",
            Self::TooDeep => "is nested too deeply",
            Self::TooDear => "costs at least as much as the best plan so far",
            Self::Hopeless => "can't lead to a plan from here",
        })
    }
}
