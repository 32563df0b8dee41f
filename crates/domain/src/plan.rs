//! Plans in names instead of numbers, so that views, exporters and tests need no part
//! of the compiled domain.
//!
//! All of these travel from the worker to the page through postcard, so no field
//! is ever left out.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taskloom_document::{BlockId, Name, Wire};

use crate::ground::{Change, GroundTask};

/// A sequence of ground primitive tasks, and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The steps, in the order of execution.
    pub steps: Vec<Step>,
    /// The decomposition tree; children stand after their parents.
    pub nodes: Vec<Node>,
    /// The nodes of the initial task network, in its order.
    pub roots: Vec<usize>,
    /// The steps' costs together.
    pub cost: f64,
    /// What it is for, where it does not do tasks but reaches a goal.
    pub aim: Option<Aim>,
}

impl Plan {
    /// Whether there is more to be planned once it is carried out: it is for a goal of the agent's,
    /// behind which there may be others, or does not reach it.
    pub fn is_part_of_the_way(&self) -> bool {
        self.aim.as_ref().is_some_and(|aim| aim.goal.is_some())
    }
}

/// What a plan is for that does no tasks. Its roots are its steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Aim {
    /// A goal of the agent's. None: the scenario's; and where that has none, either, there is
    /// nothing to be reached, and nothing to do.
    pub goal: Option<Name>,
    /// It does not reach the goal, but comes nearer to it: what is estimated to be left.
    pub left: Option<f64>,
    /// Whether it is proven to be one of least cost.
    #[serde(default)]
    pub is_optimal: bool,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The primitive task.
    pub task: GroundTask,
    /// Its node in the decomposition tree.
    pub node: usize,
    /// What it costs in the state in which it starts.
    pub cost: f64,
    /// The steps that must come before it (direct ones only).
    pub after: Vec<usize>,
    /// What its planned effects change.
    pub changes: Vec<Change>,
}

/// A task in the decomposition tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The task.
    pub task: GroundTask,
    /// The node whose decomposition it is part of; none for a root.
    pub parent: Option<usize>,
    /// Its Task block in the parent's flowchart; none for a root.
    pub block: Option<BlockId>,
    /// What became of it.
    pub kind: NodeKind,
}

impl Node {
    /// How it was decomposed; nothing of a primitive task.
    pub fn decomposed(&self) -> Option<&Decomposed> {
        match &self.kind {
            NodeKind::Decomposed(decomposed) => Some(decomposed),
            NodeKind::Step(_) | NodeKind::Pending => None,
        }
    }
}

/// What a task in the decomposition tree is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NodeKind {
    /// A primitive task: the step of the plan.
    Step(usize),
    /// A compound task: how it was decomposed.
    Decomposed(Decomposed),
    /// A task that is yet to be done, in a plan that was made reactively: how is seen then.
    Pending,
}

/// The resolution of a flowchart by which a compound task was decomposed. Its path is
/// one and the same of all tasks that were decomposed by it: a plan may have as many of
/// them as steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Decomposed {
    /// The blocks on the chosen path, Begin and End included, in topological order.
    pub blocks: Arc<[BlockId]>,
    /// The wires between them.
    pub wires: Arc<[Wire]>,
    /// Bind blocks, their variables and the objects chosen.
    pub bindings: Vec<(BlockId, Name, Name)>,
    /// The subtasks' nodes, in topological order.
    pub children: Vec<usize>,
    /// The first step before which it was decomposed: its conditions were
    /// evaluated in the state before that step.
    pub at: usize,
}

/// Why there was no search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unplanned {
    /// One of the scenario's tasks cannot be read.
    Unreadable,
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "A task of the scenario is invalid, so nothing was planned.",
        })
    }
}
