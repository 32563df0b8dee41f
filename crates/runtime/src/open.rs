//! The open tasks of a plan: those that are not done yet, below the compound tasks under way.
//!
//! A new plan for the open tasks replaces them, so no completed subtask is done again. Only if the open
//! tasks are impossible, the compound task above them is decomposed again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taskloom_planner::plan::{Decomposed, GroundTask, Node, NodeKind, Plan};

use crate::task_options::GuardOf;

mod saved;

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
    /// The plan's node of each leaf.
    sources: Vec<usize>,
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
    /// For each step, `true` if it is complete.
    pub complete: Vec<bool>,
    /// The first step that is not complete.
    pub step: usize,
    /// `true` if that step is in progress.
    pub has_started: bool,
    /// A task whose integrity rule was violated: the task above it must be decomposed again.
    pub broken: Option<usize>,
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
}

/// The input of one search.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The tree that the plan becomes part of; `None` if the plan stands alone.
    pub open: Option<Open>,
    /// The tasks, in sequence.
    pub tasks: Option<Vec<GroundTask>>,
    /// `true` if tasks that have failed are excluded.
    pub excludes: bool,
    /// The required difference from the current plan.
    pub differs: Differs,
}

/// The difference from the current plan that makes a plan better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Differs {
    /// Any plan will do.
    Anyhow,
    /// It decomposes this task under way by an earlier alternative.
    At(usize),
    /// It does the open tasks in a way that comes earlier in the designer's order.
    Below,
}

/// The nodes of a plan that are not complete.
struct OpenNodes<'p> {
    plan: &'p Plan,
    complete: Vec<bool>,
    /// The first step that was done of each node, if any was.
    begun: Vec<Option<GroundTask>>,
    /// The task that is decomposed again.
    again: Option<usize>,
    /// `true` if only the next step is planned.
    is_reactive: bool,
}

impl OpenNodes<'_> {
    /// Returns `true` for a task that is to be planned as a whole. A reactive actor searches again for
    /// each step to a goal.
    fn is_leaf(&self, number: usize) -> bool {
        let decomposed = self.plan.nodes[number].decomposed();
        self.again == Some(number)
            || self.begun[number].is_none()
            || decomposed.is_none_or(|one| self.is_reactive && one.is_by_goal())
    }

    /// Returns the children that are not complete.
    fn children(&self, number: usize) -> impl Iterator<Item = usize> {
        let decomposed = self.plan.nodes[number].decomposed();
        let children = decomposed.map_or(&[][..], |decomposed| &decomposed.children);
        let is_open = |child: &usize| !self.complete[*child];
        children.iter().copied().filter(is_open)
    }

    /// Returns the lowest task that is all that remains of the same task: only that one is kept.
    fn last_alike(&self, number: usize, guard: GuardOf) -> usize {
        let nodes = &self.plan.nodes;
        let task = &nodes[number].task;
        let (mut found, mut lowest) = (number, number);
        while !self.is_leaf(lowest) {
            let mut open = self.children(lowest);
            let (Some(only), None) = (open.next(), open.next()) else {
                break;
            };
            lowest = only;
            let guard = guard(self.plan, lowest);
            if guard.has_limits {
                break;
            }
            if nodes[lowest].task == *task {
                found = lowest;
            } else if guard.has_rules {
                break;
            }
        }
        found
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
                first[number] = self.is_complete_step(*step).then_some(*step);
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

    fn is_complete_step(&self, step: usize) -> bool {
        self.complete.get(step).copied().unwrap_or(false)
    }

    /// Returns `true` for each node that is complete.
    pub fn complete_nodes(&self) -> Vec<bool> {
        let plan = &self.plan;
        let mut complete = vec![true; plan.nodes.len()];
        for (number, node) in plan.nodes.iter().enumerate().rev() {
            let own = match &node.kind {
                NodeKind::Step(step) => self.is_complete_step(*step),
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

    /// Returns the tasks under way, from the lowest one that contains the next task up to the root.
    fn under_way(&self) -> Vec<usize> {
        let (complete, begun) = (self.complete_nodes(), self.begun());
        let plan = &self.plan;
        let mut open: Vec<usize> = plan.roots.iter().rev().copied().collect();
        let mut path = vec![];
        while let Some(number) = open.pop() {
            if complete[number] {
                continue;
            }
            let decomposed = plan.nodes[number].decomposed();
            let Some(decomposed) = decomposed.filter(|_| begun[number].is_some()) else {
                break;
            };
            path.push(number);
            open.extend(decomposed.children.iter().rev());
        }
        path.reverse();
        path
    }

    /// Returns the open tasks in the tree of the first root that is not complete, or of all roots if only
    /// the next step is planned. The task `again` is to be decomposed again, so it is open as a whole.
    /// `None` if nothing is open.
    pub fn open(&self, again: Option<usize>, is_reactive: bool, guard: GuardOf) -> Option<Open> {
        let plan = &self.plan;
        let nodes = OpenNodes {
            plan,
            complete: self.complete_nodes(),
            begun: self.begun(),
            again,
            is_reactive,
        };
        let roots = plan.roots.iter().copied();
        let mut roots = roots.filter(|root| !nodes.complete[*root]);
        let roots: Vec<usize> = match is_reactive {
            true => roots.collect(),
            false => roots.next().into_iter().collect(),
        };
        let mut found = Open {
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
        };
        let mut next: Vec<(usize, Option<usize>)> =
            roots.into_iter().rev().map(|r| (r, None)).collect();
        while let Some((outer, parent)) = next.pop() {
            let number = nodes.last_alike(outer, guard);
            let place = found.tree.nodes.len();
            let decomposed = plan.nodes[number].decomposed();
            let kind = match decomposed.filter(|_| !nodes.is_leaf(number)) {
                Some(decomposed) => {
                    let mut open: Vec<usize> = nodes.children(number).collect();
                    open.reverse();
                    next.extend(open.into_iter().map(|child| (child, Some(place))));
                    NodeKind::Decomposed(Decomposed {
                        children: vec![],
                        at: 0,
                        ..decomposed.clone()
                    })
                }
                None => {
                    found.sources.push(number);
                    found.leaves.push(place);
                    NodeKind::Pending
                }
            };
            let is_leaf = kind == NodeKind::Pending;
            found
                .begun
                .push(nodes.begun[number].clone().filter(|_| !is_leaf));
            // The block, and so its timeout, is that of the outer one.
            let started = self.started.get(outer).copied().flatten();
            found.started.push(started.filter(|_| !is_leaf));
            found.tree.nodes.push(Node {
                task: plan.nodes[number].task.clone(),
                parent,
                block: plan.nodes[outer].block.clone(),
                kind,
            });
            match parent {
                None => found.tree.roots.push(place),
                Some(parent) => {
                    if let NodeKind::Decomposed(above) = &mut found.tree.nodes[parent].kind {
                        above.children.push(place);
                    }
                }
            }
        }
        (!found.tree.nodes.is_empty()).then_some(found)
    }

    /// Returns the searches for the open tasks, in the order in which they are tried: the open tasks, and
    /// then each task under way, decomposed again, from the lowest up. `calls` are the character's tasks
    /// that are not complete, with their current arguments.
    pub fn attempts(
        &self,
        calls: Option<&[GroundTask]>,
        is_reactive: bool,
        guard: GuardOf,
    ) -> Vec<Attempt> {
        let under_way = self.under_way();
        let above_broken = self.broken.map(|broken| {
            let parent = self.plan.nodes.get(broken).and_then(|node| node.parent);
            parent.unwrap_or(broken)
        });
        let first = above_broken.and_then(|above| {
            let mut above = Some(above);
            while let Some(number) = above {
                if let Some(place) = under_way.iter().position(|other| *other == number) {
                    return Some(place);
                }
                above = self.plan.nodes.get(number).and_then(|node| node.parent);
            }
            None
        });
        let levels: Vec<Option<usize>> = match first {
            Some(first) => under_way[first..].iter().copied().map(Some).collect(),
            None => std::iter::once(None)
                .chain(under_way.iter().copied().map(Some))
                .collect(),
        };
        let mut attempts: Vec<Attempt> = vec![];
        for level in levels {
            let attempt = self.attempt(level, calls, is_reactive, guard);
            if attempts.iter().all(|other| other.tasks != attempt.tasks) {
                attempts.push(attempt);
            }
        }
        attempts
    }

    /// Returns one of the searches: the one that decomposes the task `again`, if given.
    pub fn attempt(
        &self,
        again: Option<usize>,
        calls: Option<&[GroundTask]>,
        is_reactive: bool,
        guard: GuardOf,
    ) -> Attempt {
        let open = self.open(again, is_reactive, guard);
        // A character's task of which nothing is under way is planned with its current arguments.
        let open = open.filter(|open| open.begun.first().is_some_and(Option::is_some));
        let tasks = match &open {
            None => calls.map(<[GroundTask]>::to_vec),
            Some(open) if is_reactive => open.next().map(|next| vec![next.clone()]),
            Some(open) => calls.map(|calls| {
                let own = open.leaves.iter().map(|leaf| &open.tree.nodes[*leaf].task);
                own.chain(calls.iter().skip(1)).cloned().collect()
            }),
        };
        Attempt {
            open,
            tasks,
            excludes: true,
            differs: Differs::Anyhow,
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
        self.sources.iter().position(|source| *source == node)
    }

    /// Returns the plan's nodes of the open tasks, in order.
    pub fn sources(&self) -> &[usize] {
        &self.sources
    }

    /// Returns the number of the character's tasks with open parts.
    pub fn roots(&self) -> usize {
        self.tree.roots.len()
    }

    /// Returns the tree as a plan of which nothing has been executed.
    pub fn into_progressed(self) -> Progressed {
        Progressed {
            plan: Arc::new(self.tree),
            begun: self.begun,
            started: self.started,
            complete: vec![],
            step: 0,
            has_started: false,
            broken: None,
        }
    }

    /// Replaces the open tasks, or the first of them, by a plan for them; its other roots come after.
    pub fn joined(self, done: &Plan) -> Joined {
        let Self {
            mut tree,
            begun,
            started,
            leaves,
            sources: _,
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
        }
    }
}
