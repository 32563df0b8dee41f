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
pub struct StartedTask {
    node: usize,
    since: usize,
    /// Alternatives that were not applicable so far.
    waiting: Vec<usize>,
    /// The alternatives that were applied.
    applied: Vec<usize>,
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
pub struct AppliedAlternative {
    started: usize,
    /// The alternative.
    pub matching: usize,
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
pub struct WalkedPlan {
    pub steps: Vec<Step>,
    started: Vec<StartedTask>,
    applied: Vec<AppliedAlternative>,
}

impl WalkedPlan {
    /// Returns the decomposition of the task above the initial ones.
    pub fn top(&self) -> Option<&AppliedAlternative> {
        self.applied.get(self.started.first()?.done?)
    }

    /// Returns the decomposition of a child.
    pub fn child(&self, of: &AppliedAlternative, place: usize) -> Option<&AppliedAlternative> {
        let started = of.children.get(place).copied().flatten()?;
        self.applied.get(self.started.get(started)?.done?)
    }
}

struct Walk<'a> {
    tree: &'a Tree,
    candidates: &'a [Vec<Candidate>],
    world: World,
    stop: &'a Stop,
    attempts: Attempts,
    started: Vec<StartedTask>,
    applied: Vec<AppliedAlternative>,
    /// The indices of each node's begun tasks.
    started_of: Vec<Vec<usize>>,
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
) -> Result<WalkedPlan, Invalid> {
    let mut walk = Walk {
        tree,
        candidates,
        world,
        stop,
        attempts: Attempts::default(),
        started: vec![],
        applied: vec![],
        started_of: vec![vec![]; tree.nodes.len()],
        ready: vec![],
        waiting: vec![],
    };
    walk.begin(0, 0);
    let mut steps = vec![];
    for number in 0..tree.steps.len() {
        steps.push(walk.step(number)?);
    }
    walk.settle(steps.len());
    if walk.started.first().is_none_or(|top| top.done.is_none()) {
        return Err(Invalid {
            message: walk.unfinished(),
            step: None,
        });
    }
    Ok(WalkedPlan {
        steps,
        started: walk.started,
        applied: walk.applied,
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
            for applied in self.alive(parent) {
                done.push((applied, own.place));
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
        let started = self.started_of.get(node).into_iter().flatten();
        let started = started.filter_map(|started| self.started.get(*started));
        let started = started.filter(|started| started.done.is_none() && !started.is_dead);
        let applied = started.flat_map(|started| &started.applied).copied();
        let is_alive = |applied: &usize| self.applied.get(*applied).is_some_and(|t| !t.is_dead);
        applied.filter(is_alive).collect()
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
            let waits = |applied: &usize| {
                let applied = self.applied.get(*applied);
                applied.is_some_and(|t| t.waits.get(own.place).is_none_or(|w| *w > 0))
            };
            late.extend(self.alive(parent).into_iter().filter(waits));
            if self.tree.first(parent) == Some(number) {
                let started = self.started_of.get(parent).into_iter().flatten();
                closed.extend(started.copied());
            }
            node = parent;
        }
        let closed = closed.into_iter().filter(|started| {
            let started = self.started.get(*started);
            started.is_some_and(|b| !b.waiting.is_empty() && b.done.is_none() && !b.is_dead)
        });
        let closed: Vec<usize> = closed.collect();
        if late.is_empty() && closed.is_empty() {
            return None;
        }
        let why = self.too_early(step);
        let mut dead = vec![];
        for started in closed {
            if let Some(own) = self.started.get_mut(started) {
                own.waiting.clear();
                if own.alive == 0 {
                    dead.push(started);
                }
            }
        }
        loop {
            while let Some(applied) = late.pop() {
                let Some(own) = self.applied.get_mut(applied).filter(|t| !t.is_dead) else {
                    continue;
                };
                own.is_dead = true;
                let started = own.started;
                if let Some(own) = self.started.get_mut(started) {
                    own.alive -= 1;
                    if own.alive == 0 && own.waiting.is_empty() && own.done.is_none() {
                        dead.push(started);
                    }
                }
            }
            let Some(started) = dead.pop() else { break };
            if let Some(own) = self.started.get_mut(started) {
                own.is_dead = true;
                late.extend(own.waiters.drain(..).map(|(applied, _)| applied));
            }
        }
        let is_over = self.started.first().is_none_or(|top| top.is_dead);
        is_over.then_some(why)
    }
}
