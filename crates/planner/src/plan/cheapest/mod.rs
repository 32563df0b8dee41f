//! Finds the plan of minimum total cost.
//!
//! Two searches alternate, and share the cheapest plan found so far and the lower bounds on the
//! cost of tasks ([`bounds`]):
//!
//! - [`descent`] is depth-first branch and bound. It finds a plan early and then cheaper ones: the
//!   best so far is available at any time.
//! - [`frontier`] is A*. It expands states and networks in the order of a lower bound on the cost
//!   of a plan through them, as needed to prove that no plan is cheaper.
//!
//! Together they have what neither has alone: on the first problems of the 33 domains of the 2020
//! competition, with two seconds each, A* alone proves 25 plans optimal and has no plan for the
//! rest, and the descent alone 20; alternating, they prove 24, with some plan where there is no
//! proof.
//!
//! Either may finish first. Of equally cheap plans the answer is the first in the designer's order,
//! if it is found within as many decisions as it took to find the minimum cost. Costs with a
//! relative difference below 10^-9 count as equal.
//!
//! It is proved that no plan exists when one of them has nothing left to search, has cut nothing
//! off because of its depth, and never found a plan: the descent proves it as the search for the
//! first plan does, A* because every state and network reached was expanded. Bounds then prune
//! nothing because of cost, since without a plan any cost is acceptable: they are infinite only for
//! tasks without a finite decomposition, given facts that never change.
//!
//! If a step may have a negative cost, no bound is known. Then everything is searched, and a state
//! and network are expanded again when a cheaper path to them is found; if the problem has a cycle
//! of negative cost, the search ends when its budget runs out.

mod bounds;
mod descent;
mod frontier;
mod guide;
mod incumbent;
mod statics;

use std::sync::Arc;

use super::decomposer::{Decomposer, WORK_PER_NODE};
use super::engine::{Engine, Progress};
use super::memory::{MemoryMeter, MemoryQuota, MemoryUse};
use crate::compile::Problem;
use crate::plan::{Budget, Limit, Outcome, Plan, Statistics, Trace};
use taskloom_document::stop::Stop;

use bounds::Bounds;
use descent::Descent;
use frontier::Frontier;
use incumbent::{Incumbent, MEMORY_INTERVAL, Turn};

/// The number of decisions in the first turn of a search; each pair of turns is twice as long as
/// the one before, up to the length of the last.
const FIRST_TURN: u64 = 16;
const TURN: u64 = 1024;

/// A search for the cheapest plan, run in slices.
#[derive(Debug)]
pub struct Cheapest {
    budget: Budget,
    bounds: Bounds,
    incumbent: Incumbent,
    descent: Descent,
    /// `None` once it has finished, or was dropped to save memory.
    frontier: Option<Frontier>,
    /// A lower bound on the cost of plans not known yet.
    floor: f64,
    /// `true` on the frontier's turn, and the number of decisions left in the turn.
    turn: (bool, u64),
    /// The length of a turn.
    length: u64,
    /// The number of decisions after which to stop looking for the first of the cheapest plans; set
    /// once their cost is known.
    patience: Option<u64>,
    /// The statistics, except for memory, of a search that was dropped.
    extra: Statistics,
    meter: MemoryMeter,
    /// The memory left at the last check, in bytes.
    left: u64,
    outcome: Option<Outcome>,
    stop: Stop,
}

impl Cheapest {
    /// Starts a search. Keeps at most `trace_bound` events of its depth-first part; 0 has no
    /// overhead.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let mut bounds = Bounds::new(problem);
        let descent = Descent::new(problem, budget, trace_bound, &mut bounds);
        let incumbent = Incumbent {
            plan: None,
            memory: 0,
            cost: f64::INFINITY,
            first: false,
            negative: bounds.may_be_negative(),
        };
        let readable = problem.roots().is_some();
        Self {
            budget,
            floor: match incumbent.negative && readable {
                true => f64::NEG_INFINITY,
                false if readable => descent.least(),
                false => f64::INFINITY,
            },
            bounds,
            incumbent,
            frontier: Some(Frontier::new(problem, budget, descent.least())),
            descent,
            turn: (false, FIRST_TURN),
            length: FIRST_TURN,
            patience: None,
            extra: Statistics::default(),
            meter: MemoryMeter::default(),
            left: budget.memory,
            outcome: (!readable).then(|| Outcome::exhausted(problem)),
            stop: problem.stop().clone(),
        }
    }

    fn take_turn(&mut self, most: u64) {
        let before = self.spent();
        let (bounds, incumbent) = (&mut self.bounds, &mut self.incumbent);
        let nodes = most.min(self.turn.1);
        let frontier = self.frontier.as_mut().filter(|_| self.turn.0);
        let in_order = frontier.is_none();
        let mut memory = MemoryQuota::new(self.left);
        let turn = match frontier {
            Some(frontier) => {
                let turn = frontier.step(nodes, bounds, incumbent, &mut memory);
                self.floor = self.floor.max(frontier.floor().min(frontier.cut()));
                turn
            }
            None => self.descent.step(nodes, bounds, incumbent, &mut memory),
        };
        if memory.peak > 0 {
            let used = self.budget.memory.saturating_sub(self.left);
            self.meter.note(used + memory.peak);
        }
        if self.stop.is_cancelled() || self.decomposers().any(Decomposer::has_open_queries) {
            // The result of the turn is meaningless.
            self.outcome = Some(Outcome::Stopped);
            return;
        }
        if self.decomposers().any(Decomposer::is_cut_short) {
            let is_full = self.decomposers().any(|search| search.frames.is_full);
            return self.give_up(if is_full { Limit::Memory } else { Limit::Nodes });
        }
        self.turn.1 = self.turn.1.saturating_sub(self.spent() - before);
        match turn {
            Turn::Over if self.turn.1 == 0 => {
                if self.turn.0 {
                    self.length = TURN.min(2 * self.length);
                }
                self.turn = (!self.turn.0, self.length);
            }
            Turn::Over => {}
            Turn::Found(plan) => self.found(plan, memory.reserved, in_order),
            Turn::QuotaExceeded => match self.frontier {
                // Without the frontier there may be enough memory, and the descent has not moved.
                Some(_) => self.drop_frontier(),
                None => self.give_up(Limit::Memory),
            },
            Turn::Ended if in_order => self.settle(self.descent.cut()),
            Turn::Ended => {
                let cut = self.frontier.take().map_or(f64::INFINITY, |frontier| {
                    self.extra.nodes += frontier.decomposer.spent();
                    frontier.cut()
                });
                self.turn = (false, self.length);
                if !self.incumbent.is_all_but(cut) {
                    // The descent may find more, from nearer to the root.
                } else if self.incumbent.first || self.incumbent.plan.is_none() {
                    self.settle(cut);
                } else {
                    self.floor = self.incumbent.cost;
                    self.patience = Some(self.spent().saturating_mul(2));
                }
            }
        }
        if self
            .patience
            .is_some_and(|patience| self.spent() >= patience)
        {
            self.settle(f64::INFINITY);
        }
    }

    fn found(&mut self, plan: Plan, memory: u64, in_order: bool) {
        self.incumbent.cost = plan.cost;
        self.incumbent.plan = Some(Arc::new(plan));
        self.incumbent.memory = memory as usize;
        self.incumbent.first = in_order;
        if self.patience.is_some() {
            self.settle(f64::INFINITY);
        }
    }

    /// Ends the search: everything was searched except what is nested too deep and costs at least
    /// `cut`.
    fn settle(&mut self, cut: f64) {
        if !self.incumbent.is_all_but(cut) {
            let limit = self
                .decomposers()
                .find_map(|search| search.achieving.limit());
            return self.give_up(limit.unwrap_or(Limit::Depth));
        }
        self.floor = self.incumbent.cost;
        self.outcome = Some(match &self.incumbent.plan {
            Some(plan) => Outcome::Plan(plan.clone()),
            None => Outcome::exhausted(self.bounds.problem()),
        });
    }

    fn give_up(&mut self, limit: Limit) {
        match self.patience {
            Some(_) => self.settle(f64::INFINITY),
            None => self.outcome = Some(Outcome::GaveUp(limit)),
        }
    }

    /// Returns the decomposers of its parts.
    fn decomposers(&self) -> impl Iterator<Item = &Decomposer> {
        let frontier = self.frontier.as_ref().map(|part| &part.decomposer);
        [&self.descent.decomposer].into_iter().chain(frontier)
    }

    fn spent(&self) -> u64 {
        let spent = self.decomposers().map(Decomposer::spent);
        spent.sum::<u64>() + self.extra.nodes
    }

    fn memory_use(&self) -> MemoryUse {
        let frontier = self.frontier.as_ref().map(Frontier::memory_use);
        self.descent.memory_use()
            + frontier.unwrap_or_default()
            + self.bounds.memory_use()
            + MemoryUse::fixed(self.incumbent.memory)
    }

    /// Records the memory use, and drops the frontier before it needs too much. Returns `true` if
    /// memory is full.
    fn is_memory_full(&mut self) -> bool {
        let memory_use = self.memory_use();
        self.meter.sample(memory_use);
        self.left = self.budget.memory.saturating_sub(memory_use.bytes);
        let is_full = memory_use.peak_next() > self.budget.memory;
        if is_full && self.frontier.is_some() {
            self.drop_frontier();
            return false;
        }
        is_full
    }

    fn drop_frontier(&mut self) {
        if let Some(frontier) = self.frontier.take() {
            self.extra.nodes += frontier.decomposer.spent();
        }
        self.turn = (false, self.length);
    }
}

impl Engine for Cheapest {
    fn step(&mut self, nodes: u64) -> Progress {
        let until = self.spent().saturating_add(nodes);
        while self.outcome.is_none() {
            let spent = self.spent();
            if spent >= until {
                return Progress::Running;
            }
            if self.stop.after(1) {
                self.outcome = Some(Outcome::Stopped);
                break;
            }
            if spent >= self.budget.nodes {
                self.give_up(Limit::Nodes);
                break;
            }
            if self.is_memory_full() {
                self.give_up(Limit::Memory);
                break;
            }
            let left = until.min(self.budget.nodes) - spent;
            self.take_turn(left.min(MEMORY_INTERVAL));
        }
        Progress::Done
    }

    fn spent(&self) -> u64 {
        Self::spent(self) + self.bounds.work() / WORK_PER_NODE
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn best(&self) -> Option<&Arc<Plan>> {
        self.incumbent.plan.as_ref()
    }

    fn bound(&self) -> Option<f64> {
        Some(self.floor.min(self.incumbent.cost))
    }

    fn statistics(&self) -> Statistics {
        let mut all = Statistics {
            memory: self.meter.peak(self.memory_use()),
            nodes: self.extra.nodes,
            ..Statistics::default()
        };
        for Decomposer { statistics, .. } in self.decomposers() {
            all.nodes += statistics.nodes;
            all.backtracks += statistics.backtracks;
            all.depth = all.depth.max(statistics.depth);
        }
        all
    }

    fn trace(&self) -> Option<&Trace> {
        Some(self.descent.decomposer.tracer.trace())
    }
}

/// Searches until the budget runs out. Returns the outcome and, even if the search gave up, the
/// cheapest plan found. The plan has not been validated yet.
pub fn cheapest(problem: &Problem, budget: Budget) -> (Outcome, Option<Arc<Plan>>) {
    let mut search = Cheapest::new(problem, budget, 0);
    while search.step(u64::MAX) == Progress::Running {}
    let outcome = search.outcome().unwrap_or(Outcome::Stopped);
    (outcome, search.incumbent.plan)
}
