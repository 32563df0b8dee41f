//! Walks through a plan step by step, and decomposes each compound task as early as possible: once
//! its predecessors are done and its method is applicable. That leaves its successors the most
//! freedom.
//!
//! If several [`Matching`]s fit a task, all of them are followed in parallel. Tasks below a task
//! depend on its siblings only by the time it may begin, and its siblings depend on it only by the
//! time it is done: so the alternative that is done first dominates, and choices needn't be
//! combined with those of siblings.

use super::Candidate;
use super::bind::{Attempts, Bindings};
use super::tree::Tree;
use taskloom_document::EffectTiming;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_planner::plan::{Invalid, Step, World};

mod decompose;
mod why;

/// A compound task that may begin at some step.
#[derive(Debug)]
pub struct Begun {
    node: usize,
    since: usize,
    /// Alternatives that were not applicable so far.
    waiting: Vec<usize>,
    /// The alternatives that were applied.
    tried: Vec<usize>,
    /// The number of those that can still complete.
    alive: usize,
    /// The one that completed.
    done: Option<usize>,
    is_dead: bool,
    /// The tasks that wait for it.
    waiters: Vec<(usize, usize)>,
    /// The latest reason why the first alternative was not applicable.
    why: String,
}

/// A task decomposed by one alternative.
#[derive(Debug)]
pub struct Tried {
    begun: usize,
    /// The alternative.
    pub way: usize,
    /// The first step before which it was decomposed.
    pub at: usize,
    /// The values of its variables.
    pub bindings: Bindings,
    /// The number of children that each child waits for.
    waits: Vec<u32>,
    /// The begun task of each child; `None` for steps.
    children: Vec<Option<usize>>,
    /// The number of children that aren't done.
    open: usize,
    is_dead: bool,
}

/// A valid plan, with the alternative that decomposed each task.
pub struct Walked {
    pub steps: Vec<Step>,
    begun: Vec<Begun>,
    tried: Vec<Tried>,
}

impl Walked {
    /// Returns the decomposition of the task above the initial ones.
    pub fn top(&self) -> Option<&Tried> {
        self.tried.get(self.begun.first()?.done?)
    }

    /// Returns the decomposition of a child.
    pub fn child(&self, of: &Tried, place: usize) -> Option<&Tried> {
        let begun = of.children.get(place).copied().flatten()?;
        self.tried.get(self.begun.get(begun)?.done?)
    }
}

struct Walk<'a> {
    tree: &'a Tree,
    candidates: &'a [Vec<Candidate>],
    world: World,
    stop: &'a Stop,
    attempts: Attempts,
    begun: Vec<Begun>,
    tried: Vec<Tried>,
    /// The indices of each node's begun tasks.
    begun_of: Vec<Vec<usize>>,
    /// Tasks that may be applicable now, and those that weren't.
    ready: Vec<usize>,
    waiting: Vec<usize>,
}

/// Walks through the plan of a tree, with the alternatives that fit each node.
///
/// # Errors
/// The first error, step by step; meaningless if stopped.
pub fn walk(
    tree: &Tree,
    candidates: &[Vec<Candidate>],
    world: World,
    stop: &Stop,
) -> Result<Walked, Invalid> {
    let mut walk = Walk {
        tree,
        candidates,
        world,
        stop,
        attempts: Attempts::default(),
        begun: vec![],
        tried: vec![],
        begun_of: vec![vec![]; tree.nodes.len()],
        ready: vec![],
        waiting: vec![],
    };
    walk.begin(0, 0);
    let mut steps = vec![];
    for number in 0..tree.steps.len() {
        steps.push(walk.step(number)?);
    }
    walk.settle(steps.len());
    if walk.begun.first().is_none_or(|top| top.done.is_none()) {
        return Err(Invalid {
            message: walk.unfinished(),
            step: None,
        });
    }
    Ok(Walked {
        steps,
        begun: walk.begun,
        tried: walk.tried,
    })
}

impl Walk<'_> {
    /// Executes a step.
    fn step(&mut self, number: usize) -> Result<Step, Invalid> {
        let at = |message: String| Invalid {
            message,
            step: Some(number),
        };
        self.settle(number);
        if self.stop.after(1) {
            return Err(at(Stopped.to_string()));
        }
        let node = self.tree.steps.get(number).copied().unwrap_or_default();
        if let Some(why) = self.rule_out(node, number) {
            return Err(at(why));
        }
        let task = self.tree.nodes.get(node).map(|n| n.task.clone());
        let task = task.ok_or_else(|| at("it belongs to no task".to_owned()))?;
        let Some(primitive) = self.world.primitive(&task) else {
            return Err(at(format!("'{}' is not a primitive task", task.task)));
        };
        if primitive.record.params.len() != task.args.len() {
            return Err(at(format!("'{task}' has {} arguments", task.args.len())));
        }
        let mut args = primitive.record.params.iter().zip(&task.args);
        if let Some((param, object)) = args.find(|(p, o)| !self.world.has_object(o, &p.of)) {
            return Err(at(format!("'{task}': '{object}' is not a {}", param.of)));
        }
        let (starts, params) = (&primitive.preconditions, &primitive.record.params);
        if let Some(why) = self.world.first_violation(starts, params, &task.args) {
            return Err(at(format!(
                "'{task}' can't start: this condition is false: {why}"
            )));
        }
        let planned = |timing| timing != EffectTiming::Executed;
        let changes = self.world.changes(primitive, &task.args, planned);
        let changes = changes.map_err(|why| at(format!("'{task}': {why}")))?;
        let cost = self.world.cost(primitive, &task.args);
        let ticks = self.world.ticks_in_plan(&task);
        self.world.apply(&changes);
        self.world.pass(ticks);
        let mut done = vec![];
        if let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
        {
            for tried in self.alive(parent) {
                done.push((tried, own.place));
            }
        }
        self.complete(done, number + 1);
        Ok(Step {
            task,
            node,
            cost,
            after: vec![],
            changes,
        })
    }

    /// Returns the decompositions of a node that can still complete.
    fn alive(&self, node: usize) -> Vec<usize> {
        let begun = self.begun_of.get(node).into_iter().flatten();
        let begun = begun.filter_map(|begun| self.begun.get(*begun));
        let begun = begun.filter(|begun| begun.done.is_none() && !begun.is_dead);
        let tried = begun.flat_map(|begun| &begun.tried).copied();
        let is_alive = |tried: &usize| self.tried.get(*tried).is_some_and(|t| !t.is_dead);
        tried.filter(is_alive).collect()
    }

    /// Rules out the alternatives for which a step comes too early; returns the reason if none is
    /// left.
    fn rule_out(&mut self, step: usize, number: usize) -> Option<String> {
        let mut late: Vec<usize> = vec![];
        let mut closed: Vec<usize> = vec![];
        let mut node = step;
        // Tasks above it begin with it if it is their first step.
        while let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
            && self.tree.first(node) == Some(number)
        {
            let waits = |tried: &usize| {
                let tried = self.tried.get(*tried);
                tried.is_some_and(|t| t.waits.get(own.place).is_none_or(|w| *w > 0))
            };
            late.extend(self.alive(parent).into_iter().filter(waits));
            if self.tree.first(parent) == Some(number) {
                let begun = self.begun_of.get(parent).into_iter().flatten();
                closed.extend(begun.copied());
            }
            node = parent;
        }
        let closed = closed.into_iter().filter(|begun| {
            let begun = self.begun.get(*begun);
            begun.is_some_and(|b| !b.waiting.is_empty() && b.done.is_none() && !b.is_dead)
        });
        let closed: Vec<usize> = closed.collect();
        if late.is_empty() && closed.is_empty() {
            return None;
        }
        let why = self.too_early(step);
        let mut dead = vec![];
        for begun in closed {
            if let Some(own) = self.begun.get_mut(begun) {
                own.waiting.clear();
                if own.alive == 0 {
                    dead.push(begun);
                }
            }
        }
        loop {
            while let Some(tried) = late.pop() {
                let Some(own) = self.tried.get_mut(tried).filter(|t| !t.is_dead) else {
                    continue;
                };
                own.is_dead = true;
                let begun = own.begun;
                if let Some(own) = self.begun.get_mut(begun) {
                    own.alive -= 1;
                    if own.alive == 0 && own.waiting.is_empty() && own.done.is_none() {
                        dead.push(begun);
                    }
                }
            }
            let Some(begun) = dead.pop() else { break };
            if let Some(own) = self.begun.get_mut(begun) {
                own.is_dead = true;
                late.extend(own.waiters.drain(..).map(|(tried, _)| tried));
            }
        }
        let is_over = self.begun.first().is_none_or(|top| top.is_dead);
        is_over.then_some(why)
    }
}
