//! Builds a plan from a plan file's tree and the decompositions that succeeded.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::Candidate;
use super::pattern::Pattern;
use super::tree::{Tree, TreeKind};
use super::walk::{AppliedAlternative, WalkedPlan};
use taskloom_document::BlockId;
use taskloom_document::stop::Stop;
use taskloom_document::syntax::decimal::rounded;
use taskloom_planner::plan::{Decomposed, Node, NodeKind, Plan, Precedence};

/// A task still to be added to the plan.
struct Open<'w> {
    node: usize,
    /// Its decomposition; `None` for a step.
    applied: Option<&'w AppliedAlternative>,
    parent: Option<usize>,
    block: Option<BlockId>,
    is_background: bool,
}

/// Returns the plan. It contains the node above the initial tasks if that represents an initial
/// task network. Meaningless if stopped.
pub fn plan(
    tree: &Tree,
    candidates: &[Vec<Candidate>],
    mut walked_plan: WalkedPlan,
    has_top: bool,
    stop: &Stop,
) -> Plan {
    let mut nodes: Vec<Node> = vec![];
    let mut patterns: Vec<Option<&Pattern>> = vec![];
    let mut roots = vec![];
    let mut node_of = FxHashMap::default();
    let mut open: Vec<Open> = vec![];
    let candidate = |open: &Open| {
        let matching = open.applied?.matching;
        candidates.get(open.node)?.get(matching)
    };
    let top = Open {
        node: 0,
        applied: walked_plan.top(),
        parent: None,
        block: None,
        is_background: false,
    };
    if has_top {
        open.push(top);
    } else {
        open.extend(children(tree, candidate(&top), &walked_plan, &top, None));
    }
    while let Some(next) = open.pop() {
        if stop.after(1) {
            break;
        }
        let Some(own) = tree.nodes.get(next.node) else {
            continue;
        };
        let number = nodes.len();
        if next.parent.is_none() {
            roots.push(number);
        }
        if let Some(parent) = next.parent.and_then(|parent| nodes.get_mut(parent))
            && let NodeKind::Decomposed(decomposed) = &mut parent.kind
        {
            decomposed.children.push(number);
        }
        let candidate = candidate(&next);
        open.extend(children(tree, candidate, &walked_plan, &next, Some(number)));
        let kind = match own.kind {
            TreeKind::Step(step) => {
                node_of.insert(next.node, number);
                NodeKind::Step(step)
            }
            TreeKind::Compound { .. } => NodeKind::Decomposed(decomposed(candidate, next.applied)),
        };
        patterns.push(candidate.map(|c| &*c.pattern));
        nodes.push(Node {
            task: own.task.clone(),
            parent: next.parent,
            block: next.block,
            is_background: next.is_background,
            kind,
        });
    }
    let mut steps = std::mem::take(&mut walked_plan.steps);
    for step in &mut steps {
        step.node = node_of.get(&step.node).copied().unwrap_or_default();
    }
    let mut plan = Plan {
        // The sum of an empty iterator would be -0.
        cost: steps.iter().fold(0.0, |sum, step| rounded(sum + step.cost)),
        steps,
        nodes,
        roots,
        target: None,
    };
    state_order(&mut plan, &patterns, stop);
    plan
}

/// Returns a decomposition, without its children.
fn decomposed(candidate: Option<&Candidate>, applied: Option<&AppliedAlternative>) -> Decomposed {
    let resolution = candidate.and_then(|c| c.pattern.resolution.as_ref());
    Decomposed {
        blocks: resolution.map(|r| r.blocks.clone()).unwrap_or_default(),
        wires: resolution.map(|r| r.wires.clone()).unwrap_or_default(),
        bindings: applied.map(|t| t.bindings.clone()).unwrap_or_default(),
        children: vec![],
        at: applied.map_or(0, |t| t.at),
    }
}

/// Returns the children of a task, the last one first.
fn children<'w>(
    tree: &Tree,
    candidate: Option<&Candidate>,
    walked_plan: &'w WalkedPlan,
    of: &Open<'w>,
    parent: Option<usize>,
) -> Vec<Open<'w>> {
    let Some((candidate, applied)) = candidate.zip(of.applied) else {
        return vec![];
    };
    let subtasks = candidate.pattern.subtasks.iter();
    let subtasks = subtasks.zip(&candidate.matching.places).rev();
    let open = subtasks.filter_map(|(subtask, place)| {
        let (node, _) = tree.child(of.node, *place as usize)?;
        Some(Open {
            node,
            applied: walked_plan.child(applied, *place as usize),
            parent,
            block: subtask.block.clone(),
            is_background: subtask.is_background,
        })
    });
    open.collect()
}

/// Sets the steps that must come directly before each step.
fn state_order(plan: &mut Plan, patterns: &[Option<&Pattern>], stop: &Stop) {
    let mut step_of = vec![None; plan.nodes.len() + 1];
    for (number, node) in plan.nodes.iter().enumerate() {
        if let (NodeKind::Step(step), Some(slot)) = (&node.kind, step_of.get_mut(number + 1)) {
            *slot = Some(*step as u32);
        }
    }
    let parents = plan.nodes.iter().map(|node| match node.parent {
        Some(parent) => parent as u32 + 1,
        None => 0,
    });
    let parents = std::iter::once(0).chain(parents).collect();
    let (mut precedence, networks) = Precedence::new(parents, step_of);
    for (parent, children) in networks.iter() {
        let parent_node = (parent as usize).checked_sub(1);
        let pattern = parent_node.and_then(|node| patterns.get(node).copied().flatten());
        let kind = parent_node
            .and_then(|node| plan.nodes.get(node))
            .map(|node| &node.kind);
        match (pattern.filter(|p| !p.is_sequence()), kind) {
            (Some(pattern), Some(NodeKind::Decomposed(decomposed))) => {
                let nodes = &decomposed.children;
                let after = successors(nodes.len(), &pattern.after, stop);
                let place = |task: u32| nodes.binary_search(&(task as usize - 1)).ok();
                precedence.group(parent, children, stop, |a, b| {
                    let (Some(a), Some(b)) = (place(a), place(b)) else {
                        return false;
                    };
                    after.get(a).is_some_and(|after| after.contains(b))
                });
            }
            _ => precedence.sequence(parent, children),
        }
    }
    for step in &mut plan.steps {
        if stop.after(1) {
            return;
        }
        step.after = precedence.directly_before(step.node as u32 + 1);
    }
}

/// Returns all successors of each task, from its direct successors, which have greater numbers.
/// Meaningless if stopped.
fn successors(tasks: usize, directly: &[Vec<u32>], stop: &Stop) -> Vec<FixedBitSet> {
    let mut after = vec![FixedBitSet::with_capacity(tasks); tasks];
    for task in (0..tasks).rev() {
        let mut own = FixedBitSet::with_capacity(tasks);
        for to in directly.get(task).into_iter().flatten() {
            let to = *to as usize;
            if stop.after(1 + tasks / 512) {
                return after;
            }
            if let Some(further) = after.get(to) {
                own.union_with(further);
                own.insert(to);
            }
        }
        if let Some(row) = after.get_mut(task) {
            *row = own;
        }
    }
    after
}
