//! The open tasks of a plan: those that are not done yet, below the compound tasks under way.
//!
//! A new plan for the open tasks replaces them, so no completed subtask is done again. Only if the open
//! tasks are impossible, the compound task above them is decomposed again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taskloom_planner::plan::{GroundTask, Node, NodeKind, Plan};

mod attempts;
mod order;
mod saved;
mod tree;

pub use attempts::{Attempt, Differs, Replanning};

/// The tree of open tasks: compound tasks under way, and below them tasks to be planned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Open {
    /// The tree as a plan without steps. Its leaves are to be planned.
    tree: Plan,
    /// The first step that was done of each task under way; `None` for a leaf.
    begun: Vec<Option<GroundTask>>,
    /// The tick at which each task under way started; `None` for a leaf.
    #[serde(default)]
    started: Vec<Option<u32>>,
    /// The leaves, in the designer's order.
    leaves: Vec<usize>,
    /// The plan's node of each leaf; `None` for a new cleanup.
    sources: Vec<Option<usize>>,
    /// The aborted tasks that the first roots clean up after.
    #[serde(default)]
    cleanups: Vec<GroundTask>,
    /// The plan's nodes of the tasks under way.
    #[serde(skip)]
    kept: Vec<usize>,
}

/// A plan as far as it has been executed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Progressed {
    /// The plan.
    pub plan: Arc<Plan>,
    /// For each of the first nodes: if it is a task under way, its first step that was done before this
    /// plan was made.
    pub begun: Vec<Option<GroundTask>>,
    /// For each of the first nodes, the tick at which the first of its steps started, if one has.
    #[serde(default)]
    pub started: Vec<Option<u32>>,
    /// For each step, `true` if it is complete, or was ended in the background.
    pub complete: Vec<bool>,
    /// For each of the first nodes, `true` if it was ended because the main branch above it is complete.
    #[serde(default)]
    pub over: Vec<bool>,
    /// The first step that is not complete.
    pub step: usize,
    /// `true` if that step has started, even if it has failed since.
    pub has_started: bool,
    /// A task whose integrity rule was violated: the task above it must be decomposed again.
    pub broken: Option<usize>,
    /// The aborted tasks that the first roots clean up after.
    #[serde(default)]
    pub cleanups: Vec<GroundTask>,
    /// The root of a cleanup that has failed: it isn't done again.
    #[serde(default)]
    pub failed_cleanup: Option<usize>,
}

/// A plan, joined with the tree of open tasks.
#[derive(Debug, Clone)]
pub struct Joined {
    /// The plan.
    pub plan: Arc<Plan>,
    /// For each of the first nodes: if it is a task under way, its first step that was done.
    pub begun: Vec<Option<GroundTask>>,
    /// For each of the first nodes: if it is a task under way, the tick at which it started.
    pub started: Vec<Option<u32>>,
    /// The aborted tasks that the first roots clean up after.
    pub cleanups: Vec<GroundTask>,
}

impl Joined {
    /// Joins a plan with the tree of open tasks.
    pub fn new(open: Option<Open>, plan: &Arc<Plan>) -> Self {
        match open {
            Some(open) => open.joined(plan),
            None => Self {
                plan: plan.clone(),
                begun: vec![],
                started: vec![],
                cleanups: vec![],
            },
        }
    }
}

impl Progressed {
    /// Returns the first step that was done of each node, if any was.
    fn begun(&self) -> Vec<Option<GroundTask>> {
        let plan = &self.plan;
        let mut first: Vec<Option<usize>> = vec![None; plan.nodes.len()];
        // Children come after their parents.
        for (number, node) in plan.nodes.iter().enumerate().rev() {
            if let NodeKind::Step(step) = &node.kind {
                let is_over = self.over.get(number).copied().unwrap_or(false);
                let is_done = self.complete.get(*step).copied().unwrap_or(false) && !is_over;
                first[number] = is_done.then_some(*step);
            }
            if let (Some(parent), Some(step)) = (node.parent, first[number]) {
                let known = first[parent].get_or_insert(step);
                *known = step.min(*known);
            }
        }
        let before = |number: usize| self.begun.get(number).cloned().flatten();
        let own = first.iter().enumerate().map(|(number, first)| {
            let of_plan = || first.and_then(|step| Some(plan.steps.get(step)?.task.clone()));
            before(number).or_else(of_plan)
        });
        own.collect()
    }

    /// Returns the first step that was done of a task under way.
    pub fn first_done(&self, node: usize) -> Option<GroundTask> {
        self.begun().get(node).cloned().flatten()
    }

    /// Returns `true` for each node that is complete, or was ended in the background.
    pub fn complete_nodes(&self) -> Vec<bool> {
        let plan = &self.plan;
        let mut complete = vec![true; plan.nodes.len()];
        for (number, node) in plan.nodes.iter().enumerate().rev() {
            let is_over = self.over.get(number).copied().unwrap_or(false);
            let own = match &node.kind {
                _ if is_over => true,
                NodeKind::Step(step) => self.complete.get(*step).copied().unwrap_or(false),
                NodeKind::Pending => false,
                NodeKind::Decomposed(decomposed) if decomposed.children.is_empty() => {
                    // It is complete once the step after it has started.
                    decomposed.at < self.step
                        || decomposed.at >= plan.steps.len()
                        || decomposed.at == self.step && self.has_started
                }
                // Its children have set it.
                NodeKind::Decomposed(_) => complete[number],
            };
            complete[number] = own;
            if let Some(parent) = node.parent {
                complete[parent] &= own;
            }
        }
        complete
    }

    /// Returns the roots of the character's tasks that are not complete. As long as cleanups are not, a task
    /// that takes no step isn't either.
    pub fn open_roots(&self) -> Vec<usize> {
        let complete = self.complete_nodes();
        let cleanups = self.cleanups.len().min(self.plan.roots.len());
        let (cleanups, own) = self.plan.roots.split_at(cleanups);
        let is_clean = cleanups.iter().all(|root| complete[*root]);
        let begun = (!is_clean).then(|| self.begun());
        let is_complete = |root: usize| {
            let is_begun = begun.as_ref().is_none_or(|begun| begun[root].is_some());
            complete[root] && is_begun
        };
        let open = own.iter().copied().filter(|root| !is_complete(*root));
        open.collect()
    }
}

impl Default for Open {
    fn default() -> Self {
        Self {
            tree: Plan {
                steps: vec![],
                nodes: vec![],
                roots: vec![],
                cost: 0.0,
                target: None,
            },
            begun: vec![],
            started: vec![],
            leaves: vec![],
            sources: vec![],
            cleanups: vec![],
            kept: vec![],
        }
    }
}

impl Open {
    /// Returns the next task, in the designer's order.
    pub fn next(&self) -> Option<&GroundTask> {
        let leaf = *self.leaves.first()?;
        Some(&self.tree.nodes[leaf].task)
    }

    /// Returns the index of the open task that comes from a node of the plan.
    pub fn place_of(&self, node: usize) -> Option<usize> {
        self.sources.iter().position(|source| *source == Some(node))
    }

    /// Returns the plan's nodes of the open tasks, in order; `None` for new cleanups.
    pub fn sources(&self) -> &[Option<usize>] {
        &self.sources
    }

    /// Returns the number of the character's tasks with open parts, without cleanups.
    pub fn roots(&self) -> usize {
        self.tree.roots.len().saturating_sub(self.cleanups.len())
    }

    /// Returns the number of open tasks that are cleanups, or parts of them. They are the first ones.
    pub fn cleanup_leaves(&self) -> usize {
        let first = self.tree.roots.get(self.cleanups.len());
        let first = first.copied().unwrap_or(self.tree.nodes.len());
        self.leaves.partition_point(|leaf| *leaf < first)
    }

    /// Returns the tree as a plan of which nothing has been executed.
    pub fn into_progressed(self) -> Progressed {
        Progressed {
            plan: Arc::new(self.tree),
            begun: self.begun,
            started: self.started,
            complete: vec![],
            over: vec![],
            step: 0,
            has_started: false,
            broken: None,
            cleanups: self.cleanups,
            failed_cleanup: None,
        }
    }

    /// Replaces the open tasks, or the first of them, by a plan for them; its other roots come after.
    fn joined(self, done: &Plan) -> Joined {
        let Self {
            mut tree,
            begun,
            started,
            leaves,
            sources: _,
            cleanups,
            kept: _,
        } = self;
        let mut numbers: Vec<Option<usize>> = vec![None; done.nodes.len()];
        for (root, leaf) in done.roots.iter().zip(&leaves) {
            numbers[*root] = Some(*leaf);
        }
        let behind = tree.nodes.len();
        let mut more = 0;
        let numbers: Vec<usize> = numbers
            .into_iter()
            .map(|number| {
                number.unwrap_or_else(|| {
                    more += 1;
                    behind + more - 1
                })
            })
            .collect();
        for (number, node) in numbers.iter().zip(&done.nodes) {
            let mut kind = node.kind.clone();
            if let NodeKind::Decomposed(decomposed) = &mut kind {
                for child in &mut decomposed.children {
                    *child = numbers[*child];
                }
            }
            match tree.nodes.get_mut(*number) {
                Some(leaf) => leaf.kind = kind,
                None => tree.nodes.push(Node {
                    parent: node.parent.map(|parent| numbers[parent]),
                    kind,
                    ..node.clone()
                }),
            }
        }
        let others = done.roots.iter().skip(leaves.len());
        tree.roots.extend(others.map(|root| numbers[*root]));
        tree.steps = done.steps.clone();
        for step in &mut tree.steps {
            step.node = numbers[step.node];
        }
        tree.cost = done.cost;
        Joined {
            plan: Arc::new(tree),
            begun,
            started,
            cleanups,
        }
    }
}
