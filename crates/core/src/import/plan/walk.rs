//! Walks through a plan step by step. Each compound task is decomposed as early as
//! it can be: once what comes before it is done and its method is applicable. That
//! leaves what comes after it the most room, so what fails then fails always.

use crate::document::{Document, EffectTiming, Name, Scenario};
use crate::plan::{Decomposed, Invalid, Node, NodeKind, Plan, Precedence, Step, World};

use super::bind::{Bindings, Conditions};
use super::tree::{Tree, TreeKind};

/// Where a task of the tree stands.
#[derive(Debug, Clone, Default)]
struct Progress {
    /// How many tasks it waits for, its parent's decomposition among them.
    waits: usize,
    /// How many of its subtasks are not done.
    open: usize,
    /// The tasks that wait for it.
    after: Vec<usize>,
    /// The first step before which it was decomposed, and its bindings.
    decomposed: Option<(usize, Bindings)>,
    is_done: bool,
}

struct Walk<'a> {
    tree: Tree,
    document: &'a Document,
    world: World<'a>,
    conditions: Conditions,
    progress: Vec<Progress>,
    /// Compound tasks that wait for nothing, or for a state in which their methods
    /// are applicable; why not in the last one.
    ready: Vec<(usize, String)>,
}

/// The plan that a tree stands for.
///
/// # Errors
/// The first thing that is wrong, step by step.
pub fn walk(tree: Tree, document: &Document, scenario: &Name) -> Result<Plan, Invalid> {
    let nothing = Scenario::default();
    let scenario = document.scenarios.get(scenario);
    let mut walk = Walk {
        progress: vec![Progress::default(); tree.nodes.len()],
        tree,
        document,
        world: World::initial(document, scenario.map_or(&nothing, |s| &**s)),
        conditions: Conditions::default(),
        ready: vec![],
    };
    walk.order();
    let steps = walk.steps()?;
    if let Some((node, why)) = walk.ready.first() {
        let message = walk.not_applicable(*node, why);
        return Err(Invalid {
            message,
            step: None,
        });
    }
    walk.plan(steps)
}

impl Walk<'_> {
    /// Notes what waits for what.
    fn order(&mut self) {
        for (first, second) in self.tree.roots.iter().zip(self.tree.roots.iter().skip(1)) {
            wait(&mut self.progress, *first, *second);
        }
        for (number, node) in self.tree.nodes.iter().enumerate() {
            let TreeKind::Compound {
                resolution,
                children,
                ..
            } = &node.kind
            else {
                continue;
            };
            for child in children {
                if let Some(progress) = self.progress.get_mut(*child) {
                    progress.waits += 1;
                }
            }
            if let Some(progress) = self.progress.get_mut(number) {
                progress.open = children.len();
            }
            for (first, second) in &resolution.order {
                if let (Some(first), Some(second)) = (children.get(*first), children.get(*second)) {
                    wait(&mut self.progress, *first, *second);
                }
            }
        }
        for root in self.tree.roots.clone() {
            self.released(root);
        }
    }

    /// A task may wait for nothing now.
    fn released(&mut self, node: usize) {
        let waits = self.progress.get(node).map_or(1, |p| p.waits);
        let kind = self.tree.nodes.get(node).map(|n| &n.kind);
        if waits == 0 && matches!(kind, Some(TreeKind::Compound { .. })) {
            self.ready.push((node, String::new()));
        }
    }

    /// A task is done, and with it perhaps those above it.
    fn done(&mut self, node: usize) {
        let mut finished = vec![node];
        while let Some(node) = finished.pop() {
            let Some(progress) = self.progress.get_mut(node) else {
                continue;
            };
            progress.is_done = true;
            for after in std::mem::take(&mut progress.after) {
                if let Some(progress) = self.progress.get_mut(after) {
                    progress.waits -= 1;
                }
                self.released(after);
            }
            let parent = self.tree.nodes.get(node).and_then(|n| n.parent);
            if let Some(parent) = parent
                && let Some(progress) = self.progress.get_mut(parent)
            {
                progress.open -= 1;
                if progress.open == 0 {
                    finished.push(parent);
                }
            }
        }
    }

    /// Decomposes all that can be decomposed before a step.
    fn decompose(&mut self, at: usize) {
        let mut waiting = vec![];
        while let Some((node, _)) = self.ready.pop() {
            let Some(task) = self.tree.nodes.get(node) else {
                continue;
            };
            let TreeKind::Compound {
                resolution,
                children,
                known,
                ..
            } = &task.kind
            else {
                continue;
            };
            let bindings =
                self.conditions
                    .bindings(self.document, &self.world, &task.task, resolution, known);
            match bindings {
                Err(why) => waiting.push((node, why)),
                Ok(bindings) => {
                    let children = children.clone();
                    if let Some(progress) = self.progress.get_mut(node) {
                        progress.decomposed = Some((at, bindings));
                    }
                    if children.is_empty() {
                        self.done(node);
                    }
                    for child in children.into_iter().rev() {
                        if let Some(progress) = self.progress.get_mut(child) {
                            progress.waits -= 1;
                        }
                        self.released(child);
                    }
                }
            }
        }
        waiting.reverse();
        self.ready = waiting;
    }

    fn steps(&mut self) -> Result<Vec<Step>, Invalid> {
        let mut steps = vec![];
        for number in 0..self.tree.steps.len() {
            self.decompose(number);
            let at = |message: String| Invalid {
                message,
                step: Some(number),
            };
            let node = self.tree.steps.get(number).copied().unwrap_or_default();
            if self.progress.get(node).is_none_or(|p| p.waits > 0) {
                return Err(at(self.too_early(node)));
            }
            let Some(task) = self.tree.nodes.get(node).map(|n| n.task.clone()) else {
                continue;
            };
            let Some(record) = self.world.primitive(&task) else {
                return Err(at(format!("'{}' is no primitive task", task.task)));
            };
            if record.params.len() != task.args.len() {
                return Err(at(format!("'{task}' has {} arguments", task.args.len())));
            }
            let mut args = record.params.iter().zip(&task.args);
            if let Some((param, object)) = args.find(|(p, o)| !self.world.has_object(o, &p.of)) {
                return Err(at(format!("'{task}': '{object}' is no {}", param.of)));
            }
            let (starts, params) = (&record.preconditions, record.params);
            if let Some(why) = self.world.first_violation(starts, params, &task.args) {
                return Err(at(format!("'{task}' cannot start: '{why}' does not hold")));
            }
            let planned = |timing| timing != EffectTiming::Executed;
            let changes = self.world.changes(record, &task.args, planned);
            let changes = changes.map_err(|why| at(format!("'{task}': {why}")))?;
            let cost = self.world.cost(record, &task.args);
            self.world.apply(&changes);
            steps.push(Step {
                task,
                node,
                cost,
                after: vec![],
                changes,
            });
            self.done(node);
        }
        self.decompose(self.tree.steps.len());
        Ok(steps)
    }

    /// Why a step comes too early.
    fn too_early(&self, step: usize) -> String {
        let name = |node: usize| {
            let node = self.tree.nodes.get(node);
            node.map(|n| n.task.to_string()).unwrap_or_default()
        };
        let mut node = step;
        loop {
            if let Some((_, why)) = self.ready.iter().find(|(ready, _)| *ready == node) {
                return self.not_applicable(node, why);
            }
            let waits_for = self.progress.iter().position(|p| p.after.contains(&node));
            let parent = self.tree.nodes.get(node).and_then(|n| n.parent);
            let is_open = |parent: usize| {
                let progress = self.progress.get(parent);
                progress.is_some_and(|p| p.decomposed.is_none())
            };
            match (parent.filter(|parent| is_open(*parent)), waits_for) {
                (Some(parent), _) => node = parent,
                (None, Some(before)) => {
                    if let Some((_, why)) = self.ready.iter().find(|(n, _)| *n == before) {
                        return self.not_applicable(before, why);
                    }
                    return format!("'{}' comes before '{}' is done", name(step), name(before));
                }
                (None, None) => return format!("'{}' comes too early", name(step)),
            }
        }
    }

    fn not_applicable(&self, node: usize, why: &str) -> String {
        match self.tree.nodes.get(node).map(|n| (&n.task, &n.kind)) {
            Some((task, TreeKind::Compound { method, .. })) => {
                format!("method '{method}' of '{task}' is not applicable: {why}")
            }
            _ => why.to_owned(),
        }
    }

    fn plan(self, mut steps: Vec<Step>) -> Result<Plan, Invalid> {
        let mut step_of = vec![None; self.tree.nodes.len() + 1];
        for (number, node) in self.tree.steps.iter().enumerate() {
            if let Some(slot) = step_of.get_mut(node + 1) {
                *slot = Some(number);
            }
        }
        let parents = self.tree.nodes.iter().map(|node| match node.parent {
            Some(parent) => parent as u32 + 1,
            None => 0,
        });
        let parents = std::iter::once(0).chain(parents).collect();
        let (mut precedence, networks) = Precedence::new(parents, step_of);
        for (parent, children) in networks {
            let parent_node = (parent as usize).checked_sub(1);
            let kind = parent_node.and_then(|node| self.tree.nodes.get(node));
            match kind.map(|node| &node.kind) {
                Some(TreeKind::Compound {
                    resolution,
                    children: nodes,
                    ..
                }) => {
                    let after = closure(nodes.len(), &resolution.order);
                    let place = |task: u32| nodes.iter().position(|n| *n + 1 == task as usize);
                    precedence.group(parent, &children, |a, b| {
                        let (Some(a), Some(b)) = (place(a), place(b)) else {
                            return false;
                        };
                        after.get(a).is_some_and(|row| row.get(b) == Some(&true))
                    });
                }
                _ => precedence.group(parent, &children, |a, b| a < b),
            }
        }
        for step in &mut steps {
            step.after = precedence.directly_before(step.node as u32 + 1);
        }
        let cost = steps.iter().map(|step| step.cost).sum();
        let mut progress = self.progress.into_iter();
        let nodes = self.tree.nodes.into_iter().map(|node| {
            let decomposed = progress.next().and_then(|p| p.decomposed);
            let (at, bindings) = decomposed.unwrap_or_default();
            Node {
                kind: match node.kind {
                    TreeKind::Step(step) => NodeKind::Step(step),
                    TreeKind::Compound {
                        resolution,
                        children,
                        ..
                    } => NodeKind::Decomposed(Decomposed {
                        blocks: resolution.blocks.clone(),
                        wires: resolution.wires.clone(),
                        bindings,
                        children,
                        at,
                    }),
                },
                task: node.task,
                parent: node.parent,
                block: node.block,
            }
        });
        Ok(Plan {
            nodes: nodes.collect(),
            roots: self.tree.roots,
            steps,
            cost,
        })
    }
}

fn wait(progress: &mut [Progress], first: usize, second: usize) {
    if let Some(progress) = progress.get_mut(first) {
        progress.after.push(second);
    }
    if let Some(progress) = progress.get_mut(second) {
        progress.waits += 1;
    }
}

/// Which of some tasks come after each, by pairs of which the first is the lesser
/// of the two in the order of the tasks.
fn closure(tasks: usize, order: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut after = vec![vec![false; tasks]; tasks];
    for task in (0..tasks).rev() {
        for (_, to) in order.iter().filter(|(from, _)| *from == task) {
            let further = after.get(*to).cloned().unwrap_or_default();
            if let Some(row) = after.get_mut(task) {
                for (own, other) in row.iter_mut().zip(further) {
                    *own |= other;
                }
                if let Some(own) = row.get_mut(*to) {
                    *own = true;
                }
            }
        }
    }
    after
}
