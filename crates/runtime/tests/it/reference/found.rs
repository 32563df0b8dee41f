//! Plans as they were found: a recorded plan is below the tasks under way, which the interpreter keeps apart.

use std::iter::successors;
use std::sync::Arc;

use taskloom_planner::plan::{Node, NodeKind, Outcome, Plan};
use taskloom_runtime::{Planning, TaskState};

use super::domain::Domain;
use super::names::Ground;
use super::record::Planned;
use super::tree::task;

/// Returns the nodes of a plan without those under way, parents first, and how many of them are roots. The last roots
/// that are not planned are left out: they may be the rest of a task under way.
fn nodes(plan: &Plan, under_way: &[usize]) -> (Vec<usize>, usize) {
    let children = |node: usize| match &plan.nodes[node].kind {
        NodeKind::Decomposed(decomposed) => decomposed.children.clone(),
        NodeKind::Step(_) | NodeKind::Pending => vec![],
    };
    let mut roots = vec![];
    let mut open: Vec<usize> = plan.roots.iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        match under_way.contains(&node) {
            true => open.extend(children(node).into_iter().rev()),
            false => roots.push(node),
        }
    }
    while roots.len() > 1 && plan.nodes[roots[roots.len() - 1]].kind == NodeKind::Pending {
        roots.pop();
    }
    let count = roots.len();
    let mut at = 0;
    while at < roots.len() {
        roots.extend(children(roots[at]));
        at += 1;
    }
    (roots, count)
}

/// Returns a plan without its tasks under way, its nodes in the order of [`nodes`].
fn found(plan: &Plan, under_way: &[usize]) -> Plan {
    let (nodes, roots) = nodes(plan, under_way);
    let mut numbers = vec![usize::MAX; plan.nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        numbers[*node] = number;
    }
    let all = nodes.iter().enumerate().map(|(number, node)| {
        let mut node = plan.nodes[*node].clone();
        if let NodeKind::Decomposed(decomposed) = &mut node.kind {
            for child in &mut decomposed.children {
                *child = numbers[*child];
            }
        }
        match number < roots {
            true => Node {
                parent: None,
                block: None,
                is_background: false,
                ..node
            },
            false => Node {
                parent: node.parent.map(|parent| numbers[parent]),
                ..node
            },
        }
    });
    let all = all.collect();
    let mut steps = plan.steps.clone();
    for step in &mut steps {
        step.node = numbers[step.node];
    }
    Plan {
        steps,
        nodes: all,
        roots: (0..roots).collect(),
        ..plan.clone()
    }
}

/// Returns the outcome of a recorded planning as it was found.
pub fn outcome(planning: &Planning) -> Outcome {
    let outcome = planning.outcome.clone();
    match outcome.expect("the validator refuses nothing") {
        Outcome::Plan(plan) => Outcome::Plan(Arc::new(found(&plan, &planning.under_way))),
        other => other,
    }
}

/// Returns the tasks under way above each root of a recorded plan, the outermost first.
pub fn above(domain: &Domain, planning: &Planning) -> Vec<Vec<Ground>> {
    let Some(plan) = planning.plan() else {
        return vec![];
    };
    let (nodes, roots) = nodes(plan, &planning.under_way);
    let above = nodes[..roots].iter().map(|root| {
        let parent = |node: &usize| plan.nodes[*node].parent;
        let above = successors(parent(root), parent);
        let mut above: Vec<Ground> = above.map(|node| task(domain, plan, node)).collect();
        above.reverse();
        above
    });
    above.collect()
}

/// Returns the interpreter's planning in the same form.
pub fn detached(planned: &Planned) -> Planned {
    let mut above = planned.above.clone();
    let outcome = match &planned.outcome {
        Outcome::Plan(plan) => {
            let plan = found(plan, &[]);
            above.truncate(plan.roots.len());
            Outcome::Plan(Arc::new(plan))
        }
        other => other.clone(),
    };
    Planned {
        outcome,
        above,
        ..planned.clone()
    }
}

/// Returns the states of a recorded plan's nodes, without those under way. `None` if these decide what ends in the
/// background.
pub fn states(planning: &Planning, states: &[TaskState]) -> Option<Vec<TaskState>> {
    let plan = planning.plan()?;
    let is_known = planning.under_way.is_empty() || !plan.nodes.iter().any(|one| one.is_background);
    let (nodes, _) = nodes(plan, &planning.under_way);
    is_known.then(|| nodes.into_iter().map(|node| states[node]).collect())
}

/// Returns the interpreter's states in the same form.
pub fn expected(plan: &Plan, states: &[TaskState]) -> Vec<TaskState> {
    let (nodes, _) = nodes(plan, &[]);
    nodes.into_iter().map(|node| states[node]).collect()
}
