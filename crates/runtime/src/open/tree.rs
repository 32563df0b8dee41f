//! The tree of open tasks below the roots of a plan.

use taskloom_planner::plan::{Decomposed, GroundTask, Node, NodeKind, Plan};

use super::{Open, Progressed, Replanning};
use crate::aborts::Abort;
use crate::task_options::GuardOf;

/// The roots of a plan that become part of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Roots {
    /// None of the character's tasks.
    None,
    /// The first of them that isn't complete.
    First,
    /// All that aren't complete.
    All,
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
    /// Returns `true` for a task that is to be planned as a whole.
    fn is_leaf(&self, number: usize) -> bool {
        self.again == Some(number)
            || self.begun[number].is_none()
            || self.plan.nodes[number].decomposed().is_none()
            || self.is_searched_again(number)
    }

    /// Returns `true` for a task under way whose goal is searched for again at each step.
    fn is_searched_again(&self, number: usize) -> bool {
        let decomposed = self.plan.nodes[number].decomposed();
        self.is_reactive && decomposed.is_some_and(|one| one.is_by_goal())
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
        if guard(self.plan, number).has_cleanup {
            return number;
        }
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
    /// Returns the open tasks of a reactive character: those of its cleanups, and those in the trees of all
    /// roots. `None` if nothing is open.
    pub fn open(&self, guard: GuardOf) -> Option<Open> {
        self.tree((Roots::All, true), None, Some(&[]), guard)
    }

    /// Returns the nodes of the tasks under way. A task of which only the same task remains isn't.
    pub fn nodes_under_way(&self, replanning: Replanning) -> Vec<usize> {
        let roots = (Roots::All, replanning.is_reactive);
        let open = self.tree(roots, None, None, replanning.guard);
        open.map_or(vec![], |open| open.kept)
    }

    /// Returns the open tasks in the trees of these roots, of a character that is reactive or not. The task
    /// `again` is to be decomposed again, so it is open as a whole. They come after the cleanups of the plan
    /// and new ones, unless those are `None`.
    pub(super) fn tree(
        &self,
        (roots, is_reactive): (Roots, bool),
        again: Option<usize>,
        cleanups: Option<&[Abort]>,
        guard: GuardOf,
    ) -> Option<Open> {
        let nodes = OpenNodes {
            plan: &self.plan,
            complete: self.complete_nodes(),
            begun: self.begun(),
            again,
            is_reactive,
        };
        let mut own = self.open_roots();
        match roots {
            Roots::None => own.clear(),
            Roots::First => own.truncate(1),
            Roots::All => {}
        }
        let mut open = Open::default();
        if let Some(new) = cleanups {
            for (root, abort) in self.pending_cleanups() {
                open.add(root, &nodes, &self.started, guard);
                open.cleanups.push(abort.task);
            }
            for abort in new {
                open.add_cleanup(abort);
            }
        }
        for root in own {
            open.add(root, &nodes, &self.started, guard);
        }
        (!open.tree.nodes.is_empty()).then_some(open)
    }
}

impl Open {
    /// Adds the open tasks below a root.
    fn add(&mut self, root: usize, nodes: &OpenNodes, started: &[Option<u32>], guard: GuardOf) {
        let plan = nodes.plan;
        let mut next: Vec<(usize, Option<usize>)> = vec![(root, None)];
        while let Some((outer, parent)) = next.pop() {
            let number = nodes.last_alike(outer, guard);
            let place = self.tree.nodes.len();
            let decomposed = plan.nodes[number].decomposed();
            let kind = match decomposed.filter(|_| !nodes.is_leaf(number)) {
                Some(decomposed) => {
                    self.kept.push(number);
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
                    if nodes.again != Some(number) && nodes.is_searched_again(number) {
                        self.kept.push(number);
                    }
                    self.sources.push(Some(number));
                    self.leaves.push(place);
                    NodeKind::Pending
                }
            };
            let is_leaf = kind == NodeKind::Pending;
            self.begun
                .push(nodes.begun[number].clone().filter(|_| !is_leaf));
            // The block, and so its timeout, is that of the outer one.
            let started = started.get(outer).copied().flatten();
            self.started.push(started.filter(|_| !is_leaf));
            self.push(Node {
                task: plan.nodes[number].task.clone(),
                parent,
                block: plan.nodes[outer].block.clone(),
                is_background: plan.nodes[outer].is_background,
                kind,
            });
        }
    }

    /// Adds a new cleanup.
    pub(super) fn add_cleanup(&mut self, abort: &Abort) {
        self.sources.push(None);
        self.leaves.push(self.tree.nodes.len());
        self.begun.push(None);
        self.started.push(None);
        self.cleanups.push(abort.task.clone());
        self.push(Node {
            task: abort.cleanup.clone(),
            parent: None,
            block: None,
            is_background: false,
            kind: NodeKind::Pending,
        });
    }

    /// Adds a node, as the last child of its parent.
    fn push(&mut self, node: Node) {
        let place = self.tree.nodes.len();
        match node.parent {
            None => self.tree.roots.push(place),
            Some(parent) => {
                if let NodeKind::Decomposed(above) = &mut self.tree.nodes[parent].kind {
                    above.children.push(place);
                }
            }
        }
        self.tree.nodes.push(node);
    }
}
