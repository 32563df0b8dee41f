//! The trees of plans: what a task is called, what stands above it, and the states of tasks.

use taskloom::document::{BlockId, Name, Port};
use taskloom::planner::plan::{Decomposed, NodeKind, Plan};
use taskloom::runtime::TaskState;

use super::model::{Domain, Method, Object, PRIMITIVES, THINGS};
use super::record::Step;

/// A compound task on the way down to a step.
#[derive(Debug, Clone)]
pub struct Link {
    pub task: (usize, Object),
    /// Which output of its Choice or Branch was taken, as drawn.
    pub output: usize,
    /// The block that called it.
    pub block: Option<BlockId>,
}

/// The compound tasks above a node, the root first.
pub fn links(domain: &Domain, plan: &Plan, node: usize) -> Vec<Link> {
    let above = ancestors(plan, node).into_iter().skip(1);
    let links = above.map(|above| link(domain, plan, above).expect("something is below it"));
    let mut links: Vec<Link> = links.collect();
    links.reverse();
    links
}

/// A node as a link, if it is decomposed.
fn link(domain: &Domain, plan: &Plan, node: usize) -> Option<Link> {
    let decomposed = plan.nodes[node].decomposed()?;
    let task = task(plan, node);
    Some(Link {
        task,
        output: output(&domain.compounds[task.0 - PRIMITIVES].method, decomposed),
        block: plan.nodes[node].block.clone(),
    })
}

/// Which output of a method's Choice or Branch was taken, as drawn.
pub fn output(method: &Method, taken: &Decomposed) -> usize {
    let mut wires = taken.wires.iter();
    let wire = wires.find(|wire| wire.from.to_string() == "k1");
    match (method, wire.map(|wire| wire.port)) {
        (Method::Choice(..), Some(Port::Alternative(port))) => usize::from(port) - 1,
        // One without a wire is complete.
        (Method::Choice(_, ways), _) => {
            let unwired = ways.iter().position(|way| way.calls.is_empty());
            unwired.expect("it was taken")
        }
        (Method::Branch(..), Some(Port::False)) => 1,
        _ => 0,
    }
}

/// Whether a plan leaves the way down to a step by an earlier output.
pub fn is_earlier(domain: &Domain, way: &[Link], new: &Plan) -> bool {
    let mut node = new.roots.first().copied();
    for (depth, old) in way.iter().enumerate() {
        let Some(at) = node else {
            return false;
        };
        let Some(now) = link(domain, new, at).filter(|now| now.task == old.task) else {
            return false;
        };
        if now.output != old.output {
            return now.output < old.output;
        }
        let Some(next) = way.get(depth + 1) else {
            return false;
        };
        let children = &new.nodes[at].decomposed().expect("it is").children;
        let mut children = children.iter().copied();
        node = children.find(|child| new.nodes[*child].block == next.block);
    }
    false
}

/// A node and those above it, the root last.
pub fn ancestors(plan: &Plan, node: usize) -> Vec<usize> {
    match plan.nodes[node].parent {
        None => vec![node],
        Some(parent) => [vec![node], ancestors(plan, parent)].concat(),
    }
}

/// How many of a character's tasks are done before a step of its plan. One for a goal does none.
pub fn done_before(plan: &Plan, step: usize) -> usize {
    if plan.aim.is_some() {
        return 0;
    }
    let above = ancestors(plan, plan.steps[step].node);
    let root = *above.last().expect("itself");
    plan.roots
        .iter()
        .take_while(|other| **other != root)
        .count()
}

/// The number behind the letter of a name.
pub fn number(name: &Name) -> usize {
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
        NodeKind::Pending => return TaskState::Planned,
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
