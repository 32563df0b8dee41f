//! Walks through a plan step by step, and decomposes each compound task as early as
//! it can be: once what comes before it is done and its method is applicable. That
//! leaves what comes after it the most room.
//!
//! Where several [`Matching`]s fit a task, all of them are followed side by side. What is
//! below a task knows nothing of what is beside it but when it may begin, and the
//! others nothing of it but when it is done: so of ways the one that is done first is
//! as good as any, and no choice here has to be tried with each one there.

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
    /// Ways that were not applicable so far.
    waiting: Vec<usize>,
    /// The ways that it was decomposed by.
    tried: Vec<usize>,
    /// How many of those can still come to an end.
    alive: usize,
    /// The one that did.
    done: Option<usize>,
    is_dead: bool,
    /// Who waits for it.
    waiters: Vec<(usize, usize)>,
    /// Why the first way was not applicable at last.
    why: String,
}

/// A task decomposed in one way.
#[derive(Debug)]
pub struct Tried {
    begun: usize,
    /// Its way.
    pub way: usize,
    /// The first step before which it was decomposed.
    pub at: usize,
    /// What its variables stand for.
    pub bindings: Bindings,
    /// For how many children each child waits.
    waits: Vec<u32>,
    /// What became of each child; nothing of steps.
    children: Vec<Option<usize>>,
    /// How many children are not done.
    open: usize,
    is_dead: bool,
}

/// A plan that holds: which way each task was decomposed by.
pub struct Walked {
    pub steps: Vec<Step>,
    begun: Vec<Begun>,
    tried: Vec<Tried>,
}

impl Walked {
    /// How the task above the initial ones was decomposed.
    pub fn top(&self) -> Option<&Tried> {
        self.tried.get(self.begun.first()?.done?)
    }

    /// How a child was decomposed.
    pub fn child(&self, of: &Tried, place: usize) -> Option<&Tried> {
        let begun = of.children.get(place).copied().flatten()?;
        self.tried.get(self.begun.get(begun)?.done?)
    }
}

struct Walk<'a> {
    tree: &'a Tree,
    candidates: &'a [Vec<Candidate>],
    world: World<'a>,
    stop: &'a Stop,
    attempts: Attempts,
    begun: Vec<Begun>,
    tried: Vec<Tried>,
    /// Of each node, each time that it began.
    begun_of: Vec<Vec<usize>>,
    /// Those that may be applicable now, and those that were not.
    ready: Vec<usize>,
    waiting: Vec<usize>,
}

/// Walks through the plan that a tree stands for, with the ways that fit each node.
///
/// # Errors
/// The first thing that is wrong, step by step; nothing that means anything where the stop
/// was heard.
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
    /// Does a step.
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

    /// The ways by which a node was decomposed that can still come to an end.
    fn alive(&self, node: usize) -> Vec<usize> {
        let begun = self.begun_of.get(node).into_iter().flatten();
        let begun = begun.filter_map(|begun| self.begun.get(*begun));
        let begun = begun.filter(|begun| begun.done.is_none() && !begun.is_dead);
        let tried = begun.flat_map(|begun| &begun.tried).copied();
        let is_alive = |tried: &usize| self.tried.get(*tried).is_some_and(|t| !t.is_dead);
        tried.filter(is_alive).collect()
    }

    /// Rules out the ways in which a step comes too early; why it does, where none is
    /// left.
    fn rule_out(&mut self, step: usize, number: usize) -> Option<String> {
        let mut late: Vec<usize> = vec![];
        let mut closed: Vec<usize> = vec![];
        let mut node = step;
        // Those above it begin with it as far as it is their first step.
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
