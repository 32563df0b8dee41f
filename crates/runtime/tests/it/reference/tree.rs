//! The trees of plans: the names of tasks, the tasks above them, and their states.

use std::sync::Arc;

use taskloom_document::{BlockId, ChoicePolicy, Name, Wire};
use taskloom_planner::plan::{Decomposed, NodeKind, Plan};
use taskloom_runtime::TaskState;

use super::domain::Domain;
use super::method::{Method, Place};
use super::names::{Ground, Object};
use super::record::Step;

/// A compound task on the path down to a step.
#[derive(Debug, Clone)]
pub struct Link {
    pub task: Ground,
    /// The place of its decomposition among all of them.
    pub place: Place,
    /// `true` if one of the drawn tasks that it was decomposed into isn't in the background.
    pub has_main_branch: bool,
    /// The block that called it.
    pub block: Option<BlockId>,
    /// Its node: the plan and the node's index.
    pub id: (usize, usize),
    /// The first step of it that was done, if it was already under way.
    pub first: Option<Ground>,
    /// The tick at which the first of its steps started, if one has.
    pub start: Option<u32>,
    /// The objects that its Binds found.
    pub found: Vec<(Name, Object)>,
    /// The wires of its decomposition.
    pub wires: Arc<[Wire]>,
}

impl Link {
    /// Returns `true` if its wires lead from a block to another one.
    pub fn leads(&self, from: &BlockId, to: &BlockId) -> bool {
        let mut next = self.wires.iter().filter(|wire| wire.from == *from);
        next.any(|wire| wire.to == *to || self.leads(&wire.to, to))
    }
}

/// Returns the compound tasks above a node of a plan, given by its number, the root first.
pub fn links(domain: &Domain, plan: &Plan, (number, node): (usize, usize)) -> Vec<Link> {
    let above = ancestors(plan, node).into_iter().skip(1);
    let links = above.map(|above| link(domain, plan, (number, above)).expect("something is below"));
    let mut links: Vec<Link> = links.collect();
    links.reverse();
    links
}

/// Returns a node as a link, if it is decomposed.
pub fn link(domain: &Domain, plan: &Plan, (number, node): (usize, usize)) -> Option<Link> {
    let decomposed = plan.nodes[node].decomposed()?;
    let task = task(domain, plan, node);
    let method = &domain.compound(task.task).method;
    let is_drawn = !decomposed.blocks.is_empty();
    Some(Link {
        task,
        place: place(domain, task, decomposed),
        has_main_branch: is_drawn && method.has_main_branch(&method.taken(domain, decomposed)),
        block: plan.nodes[node].block.clone(),
        id: (number, node),
        first: None,
        start: None,
        found: found(domain, decomposed),
        wires: decomposed.wires.clone(),
    })
}

/// Returns the objects that the Binds of a decomposition found, with their variables.
pub fn found(domain: &Domain, decomposed: &Decomposed) -> Vec<(Name, Object)> {
    let found = decomposed.bindings.iter();
    let found = found.map(|(_, name, object)| (name.clone(), domain.names.object(object)));
    found.collect()
}

/// Returns the place of a decomposition in the designer's order.
pub fn place(domain: &Domain, task: Ground, decomposed: &Decomposed) -> Place {
    match (decomposed.blocks.is_empty(), decomposed.children.is_empty()) {
        (true, true) => Place::Nothing,
        (true, false) => Place::Found,
        (false, _) => {
            let method = &domain.compound(task.task).method;
            Method::place(&method.taken(domain, decomposed))
        }
    }
}

/// Returns `true` if a plan decomposes a task under way by an earlier output, and does not begin
/// with its first step after the cleanups, which are its first roots.
pub fn leaves(domain: &Domain, old: &Link, new: &Plan, (root, cleanups): (usize, usize)) -> bool {
    let mut steps = new.steps.iter();
    let begins = steps.find(|step| {
        let above = ancestors(new, step.node);
        !new.roots[..cleanups.min(new.roots.len())].contains(above.last().expect("itself"))
    });
    let begins = begins.map(|step| task(domain, new, step.node));
    let now = new
        .roots
        .get(root)
        .and_then(|root| link(domain, new, (0, *root)));
    begins != old.first && now.is_some_and(|now| now.task == old.task && now.place < old.place)
}

/// Returns `true` if a plan comes before an old one in the designer's order, below these nodes of
/// both.
pub fn comes_first(
    domain: &Domain,
    (old, new): (&Plan, &Plan),
    nodes: impl Iterator<Item = (usize, usize)>,
) -> Option<bool> {
    for (was, is) in nodes {
        let own = task(domain, old, was);
        if own != task(domain, new, is) {
            return Some(true);
        }
        let both = old.nodes[was].decomposed().zip(new.nodes[is].decomposed());
        let Some((a, b)) = both else {
            continue;
        };
        let [before, now] = [a, b].map(|one| place(domain, own, one));
        if [&before, &now].iter().all(|place| **place == Place::Found) {
            let cost = |plan: &Plan, one: &Decomposed| -> f64 {
                let steps = one
                    .children
                    .iter()
                    .map(|child| match plan.nodes[*child].kind {
                        NodeKind::Step(step) => plan.steps[step].cost,
                        _ => 0.0,
                    });
                steps.sum()
            };
            if cost(new, b) < cost(old, a) {
                return Some(true);
            }
            continue;
        }
        let is_same = a.blocks == b.blocks && a.bindings == b.bindings;
        let method = &domain.compound(own.task).method;
        let taken = method.taken(domain, a);
        let is_by = |policies: &[ChoicePolicy]| method.chooses_by(&taken, policies);
        let scored = [ChoicePolicy::Highest, ChoicePolicy::Cheapest];
        if !is_same && is_by(&[ChoicePolicy::Random]) {
            return Some(false);
        } else if !is_same && is_by(&scored) {
            return Some(true);
        } else if now != before {
            return Some(now < before);
        } else if a.bindings != b.bindings {
            return Some(true);
        }
        let below = a.children.iter().copied().zip(b.children.iter().copied());
        let found = comes_first(domain, (old, new), below.collect::<Vec<_>>().into_iter());
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Returns a node and those above it, the root last.
pub fn ancestors(plan: &Plan, node: usize) -> Vec<usize> {
    match plan.nodes[node].parent {
        None => vec![node],
        Some(parent) => [vec![node], ancestors(plan, parent)].concat(),
    }
}

/// Returns a node's task.
pub fn task(domain: &Domain, plan: &Plan, node: usize) -> Ground {
    domain.names.ground(&plan.nodes[node].task)
}

/// Returns the task of a step.
pub fn task_of_step(domain: &Domain, plan: &Plan, step: usize) -> Ground {
    task(domain, plan, plan.steps[step].node)
}

/// Returns the task of a plan's first step that isn't below the first roots, so many, which are cleanups.
pub fn first_step(domain: &Domain, plan: &Plan, cleanups: usize) -> Option<Ground> {
    let cleanups = &plan.roots[..cleanups.min(plan.roots.len())];
    let mut steps = 0..plan.steps.len();
    let step = steps.find(|step| {
        let root = *ancestors(plan, plan.steps[*step].node)
            .last()
            .expect("itself");
        !cleanups.contains(&root)
    });
    step.map(|step| task_of_step(domain, plan, step))
}

/// Returns the goal of a plan.
pub fn goal(domain: &Domain, plan: &Plan) -> Option<usize> {
    let goal = plan.target.as_ref().and_then(|target| target.goal.as_ref());
    goal.map(|goal| domain.names.goal(goal))
}

/// Returns the state of each of a plan's nodes.
pub fn states<'s>(
    domain: &Domain,
    plan: &Plan,
    number: usize,
    steps: impl Iterator<Item = &'s Step> + Clone,
) -> Vec<TaskState> {
    let of_step = |step: usize| {
        let found = steps.clone().find(|s| s.plan == number && s.step == step);
        found.map_or(TaskState::Planned, |found| found.state)
    };
    let mut of_steps: Vec<TaskState> = (0..plan.steps.len()).map(of_step).collect();
    let mut skipped = vec![];
    loop {
        // The tasks of which a step or an unplanned task remains.
        let mut open = vec![false; plan.nodes.len()];
        for (node, planned) in plan.nodes.iter().enumerate() {
            let is_open = match planned.kind {
                NodeKind::Step(step) => !is_over(&of_steps[step]),
                NodeKind::Pending => !skipped.contains(&node),
                NodeKind::Decomposed(_) => false,
            };
            for above in ancestors(plan, node).into_iter().filter(|_| is_open) {
                open[above] = true;
            }
        }
        let ends = |node: &usize| {
            let aside = ancestors(plan, *node).into_iter().filter(|above| {
                plan.nodes[*above].parent.is_some() && is_aside(domain, plan, *above)
            });
            let mut mains = aside.map(|above| {
                let parent = plan.nodes[above].parent.expect("a task above it");
                let children = &plan.nodes[parent].decomposed().expect("tasks").children;
                let mut main = children.iter().filter(|one| !is_aside(domain, plan, **one));
                main.any(|one| open[*one])
            });
            mains.any(|goes_on| !goes_on)
        };
        let mut new = vec![];
        for (node, planned) in plan.nodes.iter().enumerate() {
            let is_new = match planned.kind {
                NodeKind::Step(step) => of_steps[step] == TaskState::Planned,
                NodeKind::Pending => !skipped.contains(&node),
                NodeKind::Decomposed(_) => false,
            };
            new.extend(Some(node).filter(|node| is_new && ends(node)));
        }
        if new.is_empty() {
            return (0..plan.nodes.len())
                .map(|node| state(domain, plan, node, (&of_steps, &skipped)))
                .collect();
        }
        for node in new {
            if let NodeKind::Step(step) = plan.nodes[node].kind {
                of_steps[step] = TaskState::Stopped;
            }
            skipped.push(node);
        }
    }
}

fn is_over(state: &TaskState) -> bool {
    matches!(state, TaskState::Complete | TaskState::Stopped)
}

/// Returns `true` if a node is in the background of the one above it, which does something else, too.
fn is_aside(domain: &Domain, plan: &Plan, node: usize) -> bool {
    let is_background = |node: usize| {
        let parent = plan.nodes[node].parent.expect("a task above it");
        let compound = domain.compound(task(domain, plan, parent).task);
        let block = plan.nodes[node].block.as_ref();
        block.is_some_and(|block| compound.method.options(block).background)
    };
    let parent = plan.nodes[node].parent.expect("a task above it");
    let siblings = plan.nodes[parent].decomposed().expect("it has tasks");
    let mut siblings = siblings.children.iter();
    is_background(node) && siblings.any(|other| !is_background(*other))
}

fn state(
    domain: &Domain,
    plan: &Plan,
    node: usize,
    (of_steps, skipped): (&[TaskState], &[usize]),
) -> TaskState {
    let decomposed = match &plan.nodes[node].kind {
        NodeKind::Step(step) => return of_steps[*step],
        NodeKind::Pending if skipped.contains(&node) => return TaskState::Stopped,
        NodeKind::Pending => return TaskState::Planned,
        NodeKind::Decomposed(decomposed) => decomposed,
    };
    let below = decomposed.children.iter().map(|child| {
        let state = state(domain, plan, *child, (of_steps, skipped));
        (state, is_aside(domain, plan, *child))
    });
    let below: Vec<(TaskState, bool)> = below.collect();
    let are_before = || of_steps[..decomposed.at].iter().all(is_over);
    let is_done = below.iter().all(|(state, _)| is_over(state));
    if below.iter().any(|one| one.0 == TaskState::Failed) {
        TaskState::Failed
    } else if below.is_empty() && !are_before() {
        TaskState::Planned
    } else if is_done && below.contains(&(TaskState::Stopped, false)) {
        TaskState::Stopped
    } else if is_done {
        TaskState::Complete
    } else if below.iter().any(|one| one.0 != TaskState::Planned) {
        TaskState::InProgress
    } else {
        TaskState::Planned
    }
}
