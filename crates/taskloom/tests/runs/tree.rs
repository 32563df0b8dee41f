//! The trees of plans: what a task is called, what stands above it, and the states of tasks.

use taskloom::document::Name;
use taskloom::planner::plan::{NodeKind, Plan};
use taskloom::runtime::TaskState;

use super::model::{Object, PRIMITIVES, THINGS};
use super::record::Step;

/// A node and those above it, the root last.
pub fn ancestors(plan: &Plan, node: usize) -> Vec<usize> {
    match plan.nodes[node].parent {
        None => vec![node],
        Some(parent) => [vec![node], ancestors(plan, parent)].concat(),
    }
}

/// How many of a plan's tasks are done before a step's.
pub fn done_before(plan: &Plan, step: usize) -> usize {
    let above = ancestors(plan, plan.steps[step].node);
    let root = *above.last().expect("itself");
    plan.roots
        .iter()
        .take_while(|other| **other != root)
        .count()
}

/// The number behind the letter of a name.
fn number(name: &Name) -> usize {
    name.as_str()[1..].parse().expect("a number")
}

/// The number of an object: `o1`, `z0`.
pub fn object(name: &Name) -> Object {
    if name.as_str().starts_with('z') {
        THINGS + number(name)
    } else {
        number(name)
    }
}

/// The number of a task and its object: `p1(o0)`, `c2(z1)`.
pub fn task(plan: &Plan, node: usize) -> (usize, Object) {
    let task = &plan.nodes[node].task;
    let compound = task.task.as_str().starts_with('c');
    let first = if compound { PRIMITIVES } else { 0 };
    (first + number(&task.task), object(&task.args[0]))
}

/// The states of a plan's nodes, each by itself.
pub fn states<'s>(
    plan: &Plan,
    number: usize,
    steps: impl Iterator<Item = &'s Step> + Clone,
) -> Vec<TaskState> {
    let of_step = |step: usize| {
        let found = steps.clone().find(|s| s.plan == number && s.step == step);
        found.map_or(TaskState::Planned, |found| found.state)
    };
    (0..plan.nodes.len())
        .map(|node| state(plan, node, &of_step))
        .collect()
}

fn state(plan: &Plan, node: usize, of_step: &dyn Fn(usize) -> TaskState) -> TaskState {
    let decomposed = match &plan.nodes[node].kind {
        NodeKind::Step(step) => return of_step(*step),
        NodeKind::Pending => panic!("nobody is reactive"),
        NodeKind::Decomposed(decomposed) => decomposed,
    };
    let below = decomposed
        .children
        .iter()
        .map(|child| state(plan, *child, of_step));
    let below: Vec<TaskState> = below.collect();
    let are_before = || (0..decomposed.at).all(|step| of_step(step) == TaskState::Complete);
    if below.contains(&TaskState::Failed) {
        TaskState::Failed
    } else if below.iter().all(|s| *s == TaskState::Complete) && (!below.is_empty() || are_before())
    {
        TaskState::Complete
    } else if below.iter().any(|s| *s != TaskState::Planned) {
        TaskState::InProgress
    } else {
        TaskState::Planned
    }
}
