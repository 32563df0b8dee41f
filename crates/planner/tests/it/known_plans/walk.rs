//! Random walks forward through a domain: the steps of a walk are a plan.

use super::domain::{Call, Domain};
use super::world::State;
use testkit::random::Random;

/// A task that occurred in the walk; those of a network have consecutive numbers.
#[derive(Debug, Clone)]
pub struct Node {
    pub call: Call,
    pub parent: Option<usize>,
    /// The number of tasks that must be done before it.
    waits: usize,
    /// The tasks that wait for it.
    after: Vec<usize>,
    pub decomposition: Option<Decomposition>,
}

/// The decomposition of a compound task.
#[derive(Debug, Clone)]
pub struct Decomposition {
    pub method: usize,
    pub bound: Option<u8>,
    /// The number of steps before it.
    pub at: usize,
    pub first_child: usize,
    /// The number of children that are not done yet.
    open: usize,
}

/// The steps of a walk, and the states in between.
#[derive(Debug)]
pub struct Walk {
    pub nodes: Vec<Node>,
    pub steps: Vec<usize>,
    pub last: State,
}

/// Returns the minimum depth of decompositions below each task, by the domain's structure.
fn heights(domain: &Domain) -> Vec<usize> {
    let primitives = domain.primitives.len();
    let mut heights = vec![0; primitives];
    heights.resize(primitives + domain.compounds.len(), usize::MAX);
    for _ in 0..domain.compounds.len() {
        for (number, compound) in domain.compounds.iter().enumerate() {
            let methods = compound.methods.iter();
            let least = methods.filter_map(|m| height(&heights, m.tasks.iter().map(|t| t.0)));
            let least = least.min().unwrap_or(usize::MAX);
            let own = &mut heights[primitives + number];
            *own = (*own).min(least);
        }
    }
    heights
}

fn height(heights: &[usize], tasks: impl Iterator<Item = u8>) -> Option<usize> {
    let highest = tasks.map(|task| heights[task as usize]).max().unwrap_or(0);
    highest.checked_add(1)
}

/// Decomposes and executes at random and, once there are `enough` steps, as briefly as possible.
/// Returns `None` at a dead end.
pub fn walk(domain: &Domain, random: &mut Random, enough: usize) -> Option<Walk> {
    let heights = heights(domain);
    let mut nodes: Vec<Node> = vec![];
    for (number, root) in domain.roots.iter().enumerate() {
        nodes.push(Node {
            call: *root,
            parent: None,
            waits: usize::from(number > 0),
            after: vec![],
            decomposition: None,
        });
        if let Some(before) = number.checked_sub(1) {
            nodes[before].after.push(number);
        }
    }
    let mut ready: Vec<usize> = if nodes.is_empty() { vec![] } else { vec![0] };
    let (mut state, mut steps) = (domain.initial.clone(), vec![]);
    let mut tried = 0;
    while !ready.is_empty() {
        let place = random.below(ready.len());
        let node = ready[place];
        let (task, object) = nodes[node].call;
        let more = steps.len() < enough && ready.len() < 20;
        if let Some(primitive) = domain.primitives.get(task as usize) {
            if let Some(next) = state.after(domain, primitive, object) {
                state = next;
                steps.push(node);
                ready.swap_remove(place);
                finish(&mut nodes, &mut ready, node);
                tried = 0;
                continue;
            }
        } else {
            let mut ways = state.ways(domain, (task, object));
            let rank = |calls: &[Call]| height(&heights, calls.iter().map(|c| c.0));
            if more {
                // Short decompositions are reserved for the end.
                let long = ways.iter().any(|w| rank(&w.2).is_none_or(|r| r > 1));
                ways.retain(|w| !long || rank(&w.2).is_none_or(|r| r > 1));
            } else {
                let least = ways.iter().filter_map(|w| rank(&w.2)).min()?;
                ways.retain(|w| rank(&w.2) == Some(least));
            }
            if !ways.is_empty() {
                let (method, bound, calls) = random.pick(&ways).clone();
                let first_child = nodes.len();
                let order = &domain.compounds[task as usize - domain.primitives.len()].methods
                    [method]
                    .order;
                nodes[node].decomposition = Some(Decomposition {
                    method,
                    bound,
                    at: steps.len(),
                    first_child,
                    open: calls.len(),
                });
                for (number, call) in calls.iter().enumerate() {
                    let after = order.iter().filter(|(from, _)| *from == number);
                    nodes.push(Node {
                        call: *call,
                        parent: Some(node),
                        waits: order.iter().filter(|(_, to)| *to == number).count(),
                        after: after.map(|(_, to)| first_child + to).collect(),
                        decomposition: None,
                    });
                }
                ready.swap_remove(place);
                let children = first_child..nodes.len();
                ready.extend(children.filter(|child| nodes[*child].waits == 0));
                if calls.is_empty() {
                    finish(&mut nodes, &mut ready, node);
                }
                tried = 0;
                if nodes.len() > 4 * enough + 1000 {
                    return None;
                }
                continue;
            }
        }
        // Another task may achieve what this one needs.
        tried += 1;
        if tried > 8 * ready.len() {
            return None;
        }
    }
    let done = Walk {
        nodes,
        steps,
        last: state,
    };
    let goal = done.last.all_hold(domain, &domain.goal, &vec![]);
    goal.then_some(done)
}

/// Completes a task, and possibly the tasks that it is part of.
fn finish(nodes: &mut [Node], ready: &mut Vec<usize>, node: usize) {
    let mut done = Some(node);
    while let Some(node) = done {
        for later in std::mem::take(&mut nodes[node].after) {
            nodes[later].waits -= 1;
            if nodes[later].waits == 0 {
                ready.push(later);
            }
        }
        done = nodes[node].parent.filter(|parent| {
            let decomposition = nodes[*parent]
                .decomposition
                .as_mut()
                .expect("a decomposed task");
            decomposition.open -= 1;
            decomposition.open == 0
        });
    }
}
