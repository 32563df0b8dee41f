//! Plans in terms of names instead of numbers, so that views, exporters and tests don't need the
//! compiled domain.
//!
//! All of these are sent from the worker to the page with postcard, so no field may be skipped in
//! serialization.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taskloom_document::{BlockId, Name, Wire};

use crate::ground::{Change, GroundTask};

/// A sequence of ground primitive tasks, and its derivation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The steps, in the order of execution.
    pub steps: Vec<Step>,
    /// The decomposition tree; children come after their parents.
    pub nodes: Vec<Node>,
    /// The nodes of the initial task network, in its order.
    pub roots: Vec<usize>,
    /// The total cost of the steps.
    pub cost: f64,
    /// The target, if the plan doesn't do tasks but reaches a goal.
    #[serde(rename = "aim")]
    pub target: Option<PlanTarget>,
}

impl Plan {
    /// Returns `true` if a task is in the background of the one above it: it is stopped when the other
    /// tasks of the same decomposition are complete. If all of them are in the background, none is.
    pub fn is_in_background(&self, node: usize) -> bool {
        let Some(found) = self.nodes.get(node).filter(|node| node.is_background) else {
            return false;
        };
        let parent = found.parent.and_then(|parent| self.nodes.get(parent));
        let siblings = parent.and_then(Node::decomposed);
        siblings.is_some_and(|decomposed| self.has_main_branch(decomposed))
    }

    /// Returns `true` if any task of a decomposition is not in the background.
    pub fn has_main_branch(&self, decomposed: &Decomposed) -> bool {
        let children = decomposed.children.iter();
        let mut children = children.filter_map(|child| self.nodes.get(*child));
        children.any(|child| !child.is_background)
    }

    /// Returns `true` if more planning follows once the plan has been executed: it is for one of
    /// the agent's goals, after which others may follow, or doesn't reach it.
    pub fn is_intermediate(&self) -> bool {
        self.target
            .as_ref()
            .is_some_and(|target| target.goal.is_some())
    }

    /// Returns `true` if it gets closer to its goal without reaching it.
    pub fn is_partial(&self) -> bool {
        let target = self.target.as_ref();
        target.is_some_and(|target| target.remaining_estimate.is_some())
    }

    /// Returns `true` if it is a sequence of primitive tasks that a search for a goal found: no order of
    /// its steps is drawn.
    pub fn is_by_search(&self) -> bool {
        let mut roots = self.roots.iter().filter_map(|root| self.nodes.get(*root));
        self.target.is_some() && roots.all(|root| root.decomposed().is_none())
    }
}

/// The target of a plan that reaches a goal. Its roots are its steps, or it has one root: a task that
/// serves the goal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PlanTarget {
    /// One of the agent's goals. `None` means the scenario's goal; if it has none either, there
    /// is nothing to reach and nothing to do.
    pub goal: Option<Name>,
    /// The estimated remaining cost, if the plan doesn't reach the goal but gets closer to it.
    #[serde(rename = "left")]
    pub remaining_estimate: Option<f64>,
    /// `true` if the plan is proven to have minimum cost.
    #[serde(default)]
    pub is_optimal: bool,
}

/// The order of a plan's roots, if they aren't a sequence: for each of them, all earlier ones that it
/// waits for, by their indices.
pub type RootOrder = Vec<Vec<usize>>;

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The primitive task.
    pub task: GroundTask,
    /// The node in the decomposition tree.
    pub node: usize,
    /// The cost in the state in which it starts.
    pub cost: f64,
    /// The steps that must come before it (direct ones only).
    pub after: Vec<usize>,
    /// The changes made by its planned effects.
    pub changes: Vec<Change>,
}

/// A task in the decomposition tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The task.
    pub task: GroundTask,
    /// The node whose decomposition it is part of; `None` for a root.
    pub parent: Option<usize>,
    /// The Task block in the parent's flowchart; `None` for a root, and for a subtask found by a
    /// search for the parent's goal.
    pub block: Option<BlockId>,
    /// `true` if that block is in the background.
    #[serde(default)]
    pub is_background: bool,
    /// The kind of the node.
    pub kind: NodeKind,
}

impl Node {
    /// Returns how it was decomposed; `None` for a primitive task.
    pub fn decomposed(&self) -> Option<&Decomposed> {
        match &self.kind {
            NodeKind::Decomposed(decomposed) => Some(decomposed),
            NodeKind::Step(_) | NodeKind::Pending => None,
        }
    }
}

/// The kind of a task in the decomposition tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NodeKind {
    /// A primitive task, with its step of the plan.
    Step(usize),
    /// A compound task, with its decomposition.
    Decomposed(Decomposed),
    /// A task that is still to be decomposed when it is reached, in a reactive plan.
    Pending,
}

/// The resolution of a flowchart by which a compound task was decomposed. All tasks that were
/// decomposed by the same path share it: a plan may have as many of them as steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Decomposed {
    /// The blocks on the chosen path, Begin and End included, in topological order. None, if the
    /// subtasks were found by a search for the task's goal.
    pub blocks: Arc<[BlockId]>,
    /// The wires between them.
    pub wires: Arc<[Wire]>,
    /// The Bind blocks, their variables and the chosen objects.
    pub bindings: Vec<(BlockId, Name, Name)>,
    /// The subtasks' nodes, in topological order.
    pub children: Vec<usize>,
    /// The step before which it was decomposed: its conditions were evaluated in the state before
    /// that step.
    pub at: usize,
}

impl Decomposed {
    /// Returns `true` if its subtasks are not drawn in the flowchart: they lead to the task's goal.
    pub fn is_by_goal(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// The reason why there was no search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unplanned {
    /// One of the scenario's tasks is invalid.
    Unreadable,
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "A task of the scenario is invalid, so nothing was planned.",
        })
    }
}
