//! The trees of plans: the names of tasks, the tasks above them, and their states.

use taskloom_document::{BlockId, ChoicePolicy, Name, Port};
use taskloom_planner::plan::{Decomposed, NodeKind, Plan};
use taskloom_runtime::TaskState;

use super::model::{CALLS, COMPOUNDS, Compound, Domain, Method, Object, PRIMITIVES, THINGS};
use super::record::Step;

/// A compound task on the path down to a step.
#[derive(Debug, Clone)]
pub struct Link {
    pub task: (usize, Object),
    /// The place of its decomposition among all of them.
    pub place: usize,
    /// The output of its Choice or Branch that was taken, as drawn; `None` if it was found for its goal.
    pub output: Option<usize>,
    /// The block that called it.
    pub block: Option<BlockId>,
    /// Its node: the plan and the node's index.
    pub id: (usize, usize),
    /// The first step of it that was done, if it was already under way.
    pub first: Option<(usize, Object)>,
    /// The tick at which the first of its steps started, if one has.
    pub start: Option<u32>,
    /// The object that its Bind found.
    pub found: Option<Object>,
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
    let task = task(plan, node);
    let compound = &domain.compounds[task.0 - PRIMITIVES];
    let is_drawn = !decomposed.blocks.is_empty();
    Some(Link {
        task,
        place: place(compound, decomposed),
        output: is_drawn.then(|| output(&compound.method, decomposed)),
        block: plan.nodes[node].block.clone(),
        id: (number, node),
        first: None,
        start: None,
        found: decomposed.bindings.first().map(|one| object(&one.2)),
    })
}

/// Returns the place of a decomposition in the designer's order: doing nothing for a goal comes first,
/// then the outputs of a Choice or Branch, and finally what was found for the goal.
pub fn place(compound: &Compound, taken: &Decomposed) -> usize {
    if taken.blocks.is_empty() {
        return if taken.children.is_empty() { 0 } else { 1_000 };
    }
    output(&compound.method, taken) + usize::from(!compound.goal.is_empty())
}

/// Returns the output of a method's Choice or Branch that was taken, as drawn.
pub fn output(method: &Method, taken: &Decomposed) -> usize {
    let mut wires = taken.wires.iter();
    let decides = ["k1", "while"];
    let wire = wires.find(|wire| decides.contains(&wire.from.as_str()));
    match (method, wire.map(|wire| wire.port)) {
        (Method::Choice(..), Some(Port::Alternative(port))) => usize::from(port) - 1,
        // An output without a wire is complete.
        (Method::Choice(_, ways), _) => {
            let unwired = ways
                .iter()
                .position(|alternative| alternative.calls.is_empty());
            unwired.expect("it was taken")
        }
        (Method::Branch(..) | Method::While(..), Some(Port::False)) => 1,
        _ => 0,
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
    let begins = begins.map(|step| task(new, step.node));
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
        if task(old, was) != task(new, is) {
            return Some(true);
        }
        let both = old.nodes[was].decomposed().zip(new.nodes[is].decomposed());
        let Some((a, b)) = both else {
            continue;
        };
        let compound = &domain.compounds[task(old, was).0 - PRIMITIVES];
        let [before, now] = [a, b].map(|one| place(compound, one));
        if before == now && now == 1_000 {
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
        let is_drawn = !a.blocks.is_empty();
        match &compound.method {
            _ if !is_drawn && now != before => return Some(now < before),
            Method::Choice(ChoicePolicy::Random, _) if !is_same => return Some(false),
            Method::Choice(ChoicePolicy::Highest, _) if !is_same => return Some(true),
            _ if now != before => return Some(now < before),
            _ if a.bindings != b.bindings => return Some(true),
            _ => {}
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

/// Returns the number after the letter of a name.
pub fn number(name: &Name) -> usize {
    name.as_str()[1..].parse().expect("a number")
}

/// Returns the number of an object: `o1`, `z-1`.
pub fn object(name: &Name) -> Object {
    match name.as_str().strip_prefix("z-") {
        Some(played) => THINGS + played.parse::<usize>().expect("a number") - 1,
        None => number(name),
    }
}

/// Returns the number of a task: `p1`, `c2`, `c2-while-t0`.
pub fn task_number(name: &Name) -> usize {
    let numbers = |text: &str| text.parse::<usize>().expect("a number");
    if let Some((whole, call)) = name.as_str().split_once("-while-t") {
        return PRIMITIVES + COMPOUNDS + numbers(&whole[1..]) * CALLS + numbers(call);
    }
    let compound = name.as_str().starts_with('c');
    let first = if compound { PRIMITIVES } else { 0 };
    first + number(name)
}

/// Returns the number of a task and its object: `p1(o0)`, `c2(z-1)`.
pub fn task(plan: &Plan, node: usize) -> (usize, Object) {
    let task = &plan.nodes[node].task;
    (task_number(&task.task), object(&task.args[0]))
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
        let (compound, _) = task(plan, parent);
        let block = plan.nodes[node].block.as_ref();
        block.is_some_and(|block| {
            super::options::options(domain, compound, &block.to_string()).background
        })
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
