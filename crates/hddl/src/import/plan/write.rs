//! Plans as plan files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::BY_GOAL;
use crate::import::ImportNames;
use crate::syntax::ast::Ident;
use crate::syntax::{PlanFile, PlannedAction, PlannedMethod};
use taskloom_document::BlockId;
use taskloom_planner::plan::{GroundTask, Node, NodeKind, Plan};

/// Returns a whole plan as a plan file, with the names of the files that the document was imported from.
/// Subtasks are in the order of their first steps if their method's ordering allows it, and always
/// in an order that it allows.
pub fn file_of_plan(plan: &Plan, names: &ImportNames) -> PlanFile {
    let task = |task: &GroundTask| {
        let name = std::iter::once(names.task(&task.task));
        let words = name.chain(task.args.iter().map(|object| names.object(object)));
        words.map(Ident::from).collect()
    };
    let id = |node: &usize| *node as u64;
    let starts = starts(plan);
    let subtasks = |node: &Node| {
        let ordered = subtasks(plan, node, &starts);
        ordered.iter().map(id).collect::<Vec<u64>>()
    };
    // The task that represents an initial task network isn't in the file.
    let initial = match plan.roots.as_slice() {
        [root] => {
            let node = plan.nodes.get(*root);
            node.filter(|n| Some(&n.task.task) == names.initial_network.as_ref())
        }
        _ => None,
    };
    let steps = plan.steps.iter().map(|step| PlannedAction {
        id: id(&step.node),
        task: task(&step.task),
    });
    let compound = plan.nodes.iter().enumerate().filter_map(|(number, node)| {
        let is_initial = initial.is_some_and(|initial| std::ptr::eq(initial, node));
        let NodeKind::Decomposed(by) = &node.kind else {
            return None;
        };
        if is_initial {
            return None;
        }
        let method = match by.is_by_goal() {
            true => BY_GOAL,
            false => {
                let method = names.method(&node.task.task, by);
                method.map_or("method", |method| method.name.as_str())
            }
        };
        Some(PlannedMethod {
            id: id(&number),
            task: task(&node.task),
            method: Ident::from(method),
            subtasks: subtasks(node),
        })
    });
    PlanFile {
        steps: steps.collect(),
        roots: match initial {
            Some(initial) => subtasks(initial),
            None => plan.roots.iter().map(id).collect(),
        },
        decompositions: compound.collect(),
    }
}

/// Returns the start of each task: its first step, or for one without steps, the step before which
/// it was decomposed, which it precedes.
fn starts(plan: &Plan) -> Vec<(usize, bool)> {
    let mut starts: Vec<Option<usize>> = vec![None; plan.nodes.len()];
    let mut keys = vec![(0, false); plan.nodes.len()];
    for (number, node) in plan.nodes.iter().enumerate().rev() {
        if let (NodeKind::Step(step), Some(own)) = (&node.kind, starts.get_mut(number)) {
            *own = Some(*step);
        }
        let own = starts.get(number).copied().flatten();
        if let Some(key) = keys.get_mut(number) {
            *key = match (own, &node.kind) {
                (Some(first), _) => (first, true),
                (None, NodeKind::Decomposed(by)) => (by.at, false),
                (None, NodeKind::Step(step)) => (*step, true),
                (None, NodeKind::Pending) => (plan.steps.len(), true),
            };
        }
        if let (Some(first), Some(parent)) = (own, node.parent)
            && let Some(above) = starts.get_mut(parent)
        {
            *above = Some(above.map_or(first, |above| above.min(first)));
        }
    }
    keys
}

/// Returns the subtasks of a task: repeatedly the one without open predecessors that begins first.
fn subtasks(plan: &Plan, node: &Node, starts: &[(usize, bool)]) -> Vec<usize> {
    let NodeKind::Decomposed(by) = &node.kind else {
        return vec![];
    };
    if by.is_by_goal() {
        return by.children.clone();
    }
    let children = by.children.iter().filter_map(|child| {
        let block = plan.nodes.get(*child)?.block.as_ref()?;
        Some((block, *child))
    });
    let mut of_block: FxHashMap<&BlockId, Vec<usize>> = FxHashMap::default();
    for (block, child) in children {
        of_block.entry(block).or_default().push(child);
    }
    let mut waits: FxHashMap<&BlockId, usize> = by.blocks.iter().map(|b| (b, 0)).collect();
    let mut after: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
    for wire in &*by.wires {
        if let Some(waits) = waits.get_mut(&wire.to) {
            *waits += 1;
            after.entry(&wire.from).or_default().push(&wire.to);
        }
    }
    // Other blocks take no time, and their positions in the order of resolution break ties between
    // blocks that begin together.
    let places = by.blocks.iter().enumerate().map(|(place, id)| (id, place));
    let places: FxHashMap<&BlockId, usize> = places.collect();
    let key = |id: &BlockId| {
        let first = of_block.get(id).and_then(|children| children.first());
        let start = first.and_then(|child| starts.get(*child));
        (start.copied(), places.get(id).copied())
    };
    let free = by.blocks.iter().filter(|id| waits.get(id) == Some(&0));
    let mut free: BinaryHeap<_> = free.map(|id| Reverse((key(id), id))).collect();
    let mut ordered = vec![];
    while let Some(Reverse((_, id))) = free.pop() {
        ordered.extend(of_block.get(id).into_iter().flatten());
        for to in after.get(id).into_iter().flatten() {
            if let Some(waits) = waits.get_mut(to) {
                *waits -= 1;
                if *waits == 0 {
                    free.push(Reverse((key(to), to)));
                }
            }
        }
    }
    ordered
}
