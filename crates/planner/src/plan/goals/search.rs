//! A search for a plan that reaches a goal, in slices.

use std::sync::Arc;

use taskloom_document::{Direction, GoalSearch, Heuristic, Name};

use super::aim::{Aim, Estimate};
use super::formula::Cond;
use super::forward::{End, Forward, Order};
use super::ground::Grounding;
use super::regress::Regression;
use super::relax::{Relaxed, Sum};
use super::task::Task;
use super::tracing::Tracing;
use crate::compile::Problem;
use crate::plan::assembly::{Assembly, Unassembled};
use crate::plan::held::{Allowance, Footprint, Held};
use crate::plan::rehearsal::Rehearsal;
use crate::plan::{Aim as PlansAim, Node, NodeKind, Plan};
use crate::plan::{Budget, Engine, Limit, Outcome, Progress, Statistics, Trace};

/// So many nodes are looked at between two looks at the memory held.
const INTERVAL: u64 = 32;

/// So much more work than nodes may be done to find the ground actions.
const WORK_A_NODE: u64 = 64;

/// How plans are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As the agent says, which may be a way that misses the cheapest plan.
    AsAsked,
    /// So that the plan is one of least cost.
    Least,
    /// So that there is a plan soon.
    Soonest,
}

/// A goal, as far as it is known before it is searched for.
#[derive(Debug)]
struct Wanted {
    name: Option<Name>,
    stages: Vec<Cond>,
    /// What is to hold in the end, part by part, and as typed.
    parts: Vec<(String, Cond)>,
}

/// What is being done.
#[derive(Debug)]
enum Phase {
    Ground(Box<Grounding>),
    Next,
    Forward(Box<Forward>),
    Regress(Box<Regression>),
    Done,
}

/// See the module.
#[derive(Debug)]
pub struct Search {
    problem: Problem,
    budget: Budget,
    manner: Manner,
    options: GoalSearch,
    phase: Phase,
    task: Option<Task>,
    /// The goals to be tried, the worthiest last.
    wanted: Vec<Wanted>,
    /// The one that is tried.
    name: Option<Name>,
    aim: Option<Aim>,
    /// The best plan for it so far, and what it costs.
    best: Option<(f64, Vec<u32>)>,
    /// How a search for one of them was cut short.
    limit: Option<Limit>,
    outcome: Option<Outcome>,
    /// Of the searches that have ended.
    looked_at: u64,
    /// How many there may be until the next goal has its turn.
    share: u64,
    depth: u32,
    held: Held,
    tracing: Tracing,
}

impl Search {
    /// Starts a search for what a problem without tasks is to reach.
    /// At most `trace_bound` of the states that it comes upon are kept.
    pub fn new(problem: &Problem, budget: Budget, manner: Manner, trace_bound: usize) -> Self {
        let work = budget.nodes.saturating_mul(WORK_A_NODE);
        let mut options = problem.flat().goal_search.clone();
        let is_admissible = Estimate(options.heuristic).is_admissible();
        match manner {
            Manner::AsAsked => {}
            Manner::Least if is_admissible => {}
            Manner::Least => options.heuristic = Heuristic::Hmax,
            Manner::Soonest => {
                options.heuristic = Heuristic::Ff;
                options.direction = Direction::Forward;
            }
        }
        Self {
            phase: Phase::Ground(Box::new(Grounding::new(problem, budget.memory, work))),
            problem: problem.clone(),
            budget,
            manner,
            options,
            task: None,
            wanted: vec![],
            name: None,
            aim: None,
            best: None,
            limit: None,
            outcome: None,
            looked_at: 0,
            share: 0,
            depth: 0,
            held: Held::default(),
            tracing: Tracing::new(trace_bound),
        }
    }

    fn most_nodes(&self) -> u64 {
        let asked = self.options.nodes.map_or(u64::MAX, u64::from);
        asked.min(self.budget.nodes)
    }

    /// How many nodes there are in all once the search for the present goal has used up its share.
    fn until(&self) -> u64 {
        self.share.min(self.most_nodes())
    }

    /// The present goal may use half of the nodes that remain, the last one all of them.
    fn take_share(&mut self) {
        let remaining = self.most_nodes() - self.looked_at.min(self.most_nodes());
        let is_last = self.wanted.is_empty();
        let share = if is_last {
            remaining
        } else {
            remaining.div_ceil(2)
        };
        self.share = self.looked_at + share;
    }

    fn most_steps(&self) -> u32 {
        let asked = self.options.depth.unwrap_or(u32::MAX);
        asked.min(self.budget.depth)
    }

    fn end(&mut self, outcome: Outcome) {
        self.held.look(self.footprint());
        self.phase = Phase::Done;
        self.outcome = Some(outcome);
    }

    /// Takes in another task of the domain; then it is known what there is to be done.
    fn ground(&mut self, mut grounding: Box<Grounding>) -> Phase {
        match grounding.step() {
            Ok(true) => return Phase::Ground(grounding),
            Ok(false) => {}
            Err(limit) => {
                self.end(Outcome::GaveUp(limit));
                return Phase::Done;
            }
        }
        let mut goals = self.problem.wanted();
        goals.reverse();
        let is_content = goals.is_empty();
        goals.retain(|goal| !self.problem.bars(goal));
        let wanted = goals.into_iter().map(|goal| Wanted {
            name: goal.name.clone(),
            stages: {
                let stages = goal.stages.iter();
                let stages = stages.map(|stage| grounding.condition(stage, goal.frame));
                stages.collect()
            },
            parts: {
                let last = goal.stages.last().map_or(&[][..], Vec::as_slice);
                let parts = last.iter().map(|part| {
                    let cond = grounding.condition(std::slice::from_ref(part), goal.frame);
                    (part.text.to_string(), cond)
                });
                parts.collect()
            },
        });
        self.wanted = wanted.collect();
        let mut task = grounding.finish();
        let from = task.read(self.problem.initial());
        let mut relaxed = Relaxed::new(&task);
        relaxed.run(&task, &from, None, Sum::Max);
        let possible: Vec<bool> = task.actions.iter().map(|a| relaxed.may_do(a)).collect();
        let mut possible = possible.into_iter();
        task.actions.retain(|_| possible.next() == Some(true));
        self.task = Some(task);
        if is_content {
            // Everything that it wants is so.
            self.found(&[], None);
            return Phase::Done;
        }
        Phase::Next
    }

    /// Begins with the next goal.
    fn next(&mut self) -> Phase {
        let (Some(task), Some(goal)) = (&self.task, self.wanted.pop()) else {
            self.end(match self.limit {
                Some(limit) => Outcome::GaveUp(limit),
                None => Outcome::NoPlan,
            });
            return Phase::Done;
        };
        let from = task.read(self.problem.initial());
        let estimate = Estimate(self.options.heuristic);
        let mut aim = Aim::new(task, from, goal.stages, estimate);
        self.name = goal.name;
        self.tracing.parts = goal.parts;
        self.best = None;
        let is_back = self.options.direction == Direction::Regressive && !aim.has_stages();
        let phase = if is_back {
            let search = Regression::new(
                task,
                &mut aim,
                estimate,
                self.most_steps(),
                self.budget.memory,
            );
            Phase::Regress(Box::new(search))
        } else {
            let order = match self.manner {
                Manner::AsAsked | Manner::Least => Order::Least,
                Manner::Soonest => Order::Soonest,
            };
            Phase::Forward(Box::new(Forward::new(task, &aim, order, self.most_steps())))
        };
        self.aim = Some(aim);
        self.take_share();
        phase
    }

    fn forward(&mut self, mut search: Box<Forward>) -> Phase {
        let nodes = INTERVAL.min(
            self.until()
                .saturating_sub(self.looked_at + search.looked_at),
        );
        let (Some(task), Some(aim)) = (&self.task, &mut self.aim) else {
            return Phase::Next;
        };
        let end = match search.step(task, aim, nodes) {
            Ok(_) => match self.limit_of(search.looked_at, search.footprint()) {
                Some(limit) => End::Limit(limit),
                None => return Phase::Forward(search),
            },
            Err(end) => end,
        };
        self.looked_at += search.looked_at;
        let found = match end {
            End::Found(node) => Some(node),
            End::Exhausted { .. } | End::Limit(_) => None,
        };
        let near = search
            .nearest()
            .filter(|_| self.name.is_some() && self.best.is_none());
        let chosen = found.or(near.map(|(node, _)| node));
        if let Some(task) = &self.task {
            self.tracing
                .forward(&self.problem, self.name.as_ref(), task, &search, chosen);
        }
        match end {
            End::Found(node) => {
                let actions = search.actions(node);
                self.found(&actions, None);
                Phase::Done
            }
            End::Exhausted { .. } | End::Limit(_) if self.best.is_some() => {
                let best = self.best.take();
                let actions = best.map(|(_, actions)| actions).unwrap_or_default();
                self.found(&actions, None);
                Phase::Done
            }
            End::Exhausted { cut: true } => self.partly(&search, Limit::Depth),
            End::Exhausted { cut: false } => Phase::Next,
            End::Limit(limit) => self.partly(&search, limit),
        }
    }

    /// Of a search that was cut short: the way to where it is nearest to the goal.
    fn partly(&mut self, search: &Forward, limit: Limit) -> Phase {
        self.limit = Some(limit);
        match search.nearest().filter(|_| self.name.is_some()) {
            Some((node, left)) => {
                self.found(&search.actions(node), Some(left));
                Phase::Done
            }
            None => Phase::Next,
        }
    }

    fn regress(&mut self, mut search: Box<Regression>) -> Phase {
        let Some((task, aim)) = self.task.as_ref().zip(self.aim.as_ref()) else {
            return Phase::Next;
        };
        let nodes = INTERVAL.min(
            self.until()
                .saturating_sub(self.looked_at + search.looked_at),
        );
        let ended = search.step(task, aim, nodes, self.problem.stop()).err();
        let end = match ended {
            // A search forward gets the other half.
            None if search.looked_at >= (self.until() - self.looked_at) / 2 => {
                End::Limit(Limit::Nodes)
            }
            None => match self.limit_of(search.looked_at, search.footprint()) {
                Some(limit) => End::Limit(limit),
                None => return Phase::Regress(search),
            },
            Some(end) => end,
        };
        self.looked_at += search.looked_at;
        if let Some(task) = &self.task {
            self.tracing
                .back(&self.problem, self.name.as_ref(), task, &search);
        }
        let is_answer = matches!(end, End::Exhausted { cut: false }) && !search.is_relaxed;
        match (search.best(), is_answer) {
            (Some((_, actions, _)), true) => {
                let actions = actions.clone();
                self.found(&actions, None);
                Phase::Done
            }
            (None, true) => Phase::Next,
            // What regression cannot express, or could not finish, is searched forward.
            (_, false) => {
                let order = match end {
                    End::Limit(_) => Order::Soonest,
                    End::Found(_) | End::Exhausted { .. } => Order::Least,
                };
                let Some((task, aim)) = self.task.as_ref().zip(self.aim.as_ref()) else {
                    return Phase::Next;
                };
                self.best = search
                    .best()
                    .map(|(cost, actions, _)| (*cost, actions.clone()));
                let below = self.best.as_ref().map_or(f64::INFINITY, |(cost, _)| *cost);
                let forward = Forward::new(task, aim, order, self.most_steps());
                Phase::Forward(Box::new(forward.below(below)))
            }
        }
    }

    fn limit_of(&mut self, looked_at: u64, footprint: Footprint) -> Option<Limit> {
        if self.looked_at + looked_at >= self.until() {
            return Some(Limit::Nodes);
        }
        self.held.look(footprint);
        (footprint.ahead() > self.budget.memory).then_some(Limit::Memory)
    }

    /// Writes the plan of these actions out.
    fn found(&mut self, actions: &[u32], left: Option<f64>) {
        self.depth = actions.len() as u32;
        let held = self.footprint().held;
        let mut memory = Allowance::new(self.budget.memory.saturating_sub(held).max(1 << 20));
        let outcome = match self.assemble(actions, &mut memory) {
            Ok(plan) => {
                let goal = self.name.clone();
                let aim = Some(PlansAim { goal, left });
                Outcome::Plan(Arc::new(Plan { aim, ..plan }))
            }
            Err(Unassembled::Full) => Outcome::GaveUp(Limit::Memory),
            Err(Unassembled::Stopped | Unassembled::Wrong) => Outcome::Stopped,
        };
        self.held.note(held + memory.most);
        self.end(outcome);
    }

    fn assemble(&self, actions: &[u32], memory: &mut Allowance) -> Result<Plan, Unassembled> {
        let (flat, stop) = (self.problem.flat(), self.problem.stop());
        let mut assembly = Assembly::new(memory, actions.len(), actions.len())?;
        let mut rehearsal = Rehearsal::new(&self.problem, assembly.left());
        let actions = actions.iter().enumerate();
        for (number, action) in actions {
            if stop.after(8) {
                return Err(Unassembled::Stopped);
            }
            let task = self.task.as_ref().ok_or(Unassembled::Wrong)?;
            let tuple = &task.actions[*action as usize].tuple;
            assembly.node(Node {
                task: flat.ground_task(tuple),
                parent: None,
                block: None,
                kind: NodeKind::Step(number),
            })?;
            let executed = rehearsal.execute(tuple[0], &tuple[1..]);
            let (cost, changes) = executed.ok_or(Unassembled::Wrong)?;
            let after = number.checked_sub(1).into_iter().collect();
            assembly.changes(&changes)?;
            assembly.step(number, cost, after, changes)?;
        }
        Ok(assembly.finish())
    }

    fn footprint(&self) -> Footprint {
        match &self.phase {
            Phase::Forward(search) => search.footprint(),
            Phase::Regress(search) => search.footprint(),
            Phase::Ground(_) | Phase::Next | Phase::Done => Footprint::default(),
        }
    }
}

impl Engine for Search {
    fn step(&mut self, nodes: u64) -> Progress {
        let mut left = nodes;
        while self.outcome.is_none() {
            if left == 0 {
                return Progress::Running;
            }
            left = left.saturating_sub(INTERVAL);
            let actions = self.task.as_ref().map_or(0, |task| task.actions.len());
            if self.problem.stop().after(INTERVAL as usize * (1 + actions)) {
                self.end(Outcome::Stopped);
                break;
            }
            let next = match std::mem::replace(&mut self.phase, Phase::Next) {
                Phase::Ground(grounding) => self.ground(grounding),
                Phase::Next => self.next(),
                Phase::Forward(search) => self.forward(search),
                Phase::Regress(search) => self.regress(search),
                Phase::Done => Phase::Done,
            };
            self.phase = next;
        }
        Progress::Done
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn trace(&self) -> Option<&Trace> {
        Some(&self.tracing.trace)
    }

    fn statistics(&self) -> Statistics {
        let now = match &self.phase {
            Phase::Forward(search) => search.looked_at,
            Phase::Regress(search) => search.looked_at,
            Phase::Ground(_) | Phase::Next | Phase::Done => 0,
        };
        Statistics {
            nodes: self.looked_at + now,
            backtracks: 0,
            depth: self.depth,
            memory: self.held.most(self.footprint()),
        }
    }
}
