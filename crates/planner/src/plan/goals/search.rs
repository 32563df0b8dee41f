//! The search for a plan that reaches one of a character's goals, in slices.

mod assembling;
mod preparation;
mod serving;

use std::sync::Arc;

use taskloom_document::{Direction, GoalSearch, Heuristic, Name};

use super::anytime::{Anytime, Ended, Found};
use super::compiler::Compiler;
use super::formula::Cond;
use super::ground::Grounding;
use super::grounded::{Grounded, Pruning};
use super::objective::{Estimate, Goal, Objective};
use super::tracing::Tracing;
use super::{Mode, Slice, WORK_PER_DECISION};
use crate::compile::Problem;
use crate::plan::assembly::Unassembled;
use crate::plan::memory::{MemoryMeter, MemoryUse};
use crate::plan::{Budget, Engine, Limit, Outcome, Plan, Progress, Statistics, Trace};

use serving::{Serving, ServingTasks};

/// The maximum number of states evaluated between memory checks.
const INTERVAL: u64 = 32;

/// The number of operators that evaluating the states of a step may visit.
const STEP_WORK: u64 = 50_000;

/// A goal that has yet to be searched for.
#[derive(Debug)]
struct PendingGoal {
    name: Option<Name>,
    goal: Goal,
    /// The conjuncts that have to hold at the end, with their source text.
    parts: Vec<(String, Cond)>,
    /// The tasks that serve it and have yet to be tried.
    tasks: ServingTasks,
}

/// The current phase of the search.
#[derive(Debug)]
enum Phase {
    /// Do a task that serves a goal; before the preparation for the first goal, which has yet to be read.
    Serve(Box<Serving>),
    Ground(Box<Grounding>),
    Compile(Box<Compiler>),
    Prune(Box<Pruning>),
    Next,
    Search(Box<Anytime>),
    Done,
}

impl Phase {
    /// Returns the work done in it.
    fn work(&self) -> u64 {
        match self {
            Self::Serve(serving) => serving.work(),
            Self::Ground(grounding) => grounding.work(),
            Self::Compile(compiler) => compiler.work,
            Self::Prune(pruning) => pruning.work,
            Self::Search(search) => search.work() + WORK_PER_DECISION * search.evaluated(),
            Self::Next | Self::Done => 0,
        }
    }
}

/// A search for one of a character's goals.
#[derive(Debug)]
pub struct Search {
    problem: Problem,
    budget: Budget,
    mode: Mode,
    options: GoalSearch,
    phase: Phase,
    grounded: Option<Grounded>,
    /// The goals yet to be tried, the one of the highest value last.
    pending: Vec<PendingGoal>,
    /// The name of the current goal.
    name: Option<Name>,
    /// The limit that cut short the search for a goal.
    limit: Option<Limit>,
    outcome: Option<Outcome>,
    /// The best plan so far; after the end of the search, possibly a partial one.
    best: Option<Arc<Plan>>,
    /// A lower bound of the cost of all plans.
    bound: f64,
    /// The number of states evaluated by the searches that have ended.
    evaluated: u64,
    /// The total number of states at which the next goal's turn comes.
    share: u64,
    /// The part of the search for a goal that has yet to end.
    slice: Slice,
    /// The work of the phases that have ended.
    work: u64,
    /// The decisions of the searches for tasks that serve goals.
    served: u64,
    depth: u32,
    /// The memory use of the tables.
    tables: MemoryUse,
    meter: MemoryMeter,
    tracing: Tracing,
    /// The trace of the task of which a plan was found.
    served_trace: Option<Trace>,
}

impl Search {
    /// Starts a search for the goals of a problem without tasks. At most `trace_bound` of the
    /// explored states are kept.
    pub fn new(problem: &Problem, budget: Budget, mode: Mode, trace_bound: usize) -> Self {
        let mut options = problem.flat().goal_search.clone();
        let is_admissible = Estimate(options.heuristic).is_admissible();
        if mode == Mode::Optimal && !is_admissible {
            options.heuristic = Heuristic::Hmax;
        }
        if mode == Mode::Satisficing {
            options.direction = Direction::Forward;
        }
        let mut search = Self {
            phase: Phase::Next,
            problem: problem.clone(),
            budget,
            mode,
            options,
            grounded: None,
            pending: vec![],
            name: None,
            limit: None,
            outcome: None,
            best: None,
            bound: 0.0,
            evaluated: 0,
            share: 0,
            slice: Slice::default(),
            work: 0,
            served: 0,
            depth: 0,
            tables: MemoryUse::default(),
            meter: MemoryMeter::default(),
            tracing: Tracing::new(trace_bound),
            served_trace: None,
        };
        search.phase = search.begin();
        search
    }

    /// Returns the work done so far; the evaluation of a state counts as a decision in addition.
    fn total_work(&self) -> u64 {
        self.work + WORK_PER_DECISION * self.evaluated + self.phase.work()
    }

    fn max_states(&self) -> u64 {
        let configured = self.options.nodes.map_or(u64::MAX, u64::from);
        configured.min(self.budget.nodes.saturating_sub(self.served))
    }

    /// Returns the total number of states at which the current goal has used up its share.
    fn state_limit(&self) -> u64 {
        self.share.min(self.max_states())
    }

    /// Gives the current goal half of the remaining states, and the last goal all of them.
    fn take_share(&mut self) {
        let remaining = self.max_states().saturating_sub(self.evaluated);
        let is_last = self.pending.is_empty();
        let share = if is_last {
            remaining
        } else {
            remaining.div_ceil(2)
        };
        self.share = self.evaluated + share;
    }

    fn max_steps(&self) -> u32 {
        let configured = self.options.depth.unwrap_or(u32::MAX);
        configured.min(self.budget.depth)
    }

    fn end(&mut self, outcome: Outcome) -> Phase {
        self.meter.sample(self.memory_use());
        self.outcome = Some(outcome);
        Phase::Done
    }

    /// Starts the search for the next goal.
    fn next(&mut self) -> Phase {
        let Some(mut pending) = self.pending.pop() else {
            return self.end(match self.limit {
                Some(limit) => Outcome::GaveUp(limit),
                None => Outcome::NoPlan,
            });
        };
        let Some(grounded) = &self.grounded else {
            return Phase::Next;
        };
        if let Some(tasks) = pending.tasks.take() {
            let then = Some(pending);
            return self.serve(tasks, then);
        }
        self.name = pending.name;
        self.tracing.parts = pending.parts;
        let from = grounded.task.read(self.problem.initial());
        let estimate = Estimate(self.options.heuristic);
        let objective = Objective::new(grounded, from, pending.goal, estimate, self.problem.stop());
        let search = Anytime::new(
            grounded,
            objective,
            (estimate, self.options.direction),
            self.mode,
            (
                self.max_steps(),
                self.budget.memory.saturating_sub(self.tables.bytes),
            ),
        );
        self.take_share();
        self.slice = Slice::default();
        Phase::Search(Box::new(search))
    }

    /// Continues the search for the current goal, for about this much work.
    fn search(&mut self, mut search: Box<Anytime>, work: u64) -> Phase {
        let Some(grounded) = &self.grounded else {
            return Phase::Next;
        };
        let max_states = self.state_limit().saturating_sub(self.evaluated);
        let mut slice = std::mem::take(&mut self.slice);
        if !slice.is_interrupted {
            let operators = u64::from(grounded.tables.len());
            let states = (STEP_WORK / (operators + 1)).clamp(1, INTERVAL);
            slice = Slice::new(states.min(max_states.saturating_sub(search.evaluated())));
        }
        slice.work = work;
        let before = search
            .best
            .as_ref()
            .map(|(cost, actions, _)| (*cost, actions.len()));
        let ended = if slice.states == 0 {
            None
        } else {
            search.step(grounded, &mut slice, max_states, self.problem.stop())
        };
        let after = search
            .best
            .as_ref()
            .map(|(cost, actions, _)| (*cost, actions.len()));
        self.bound = search.bound();
        if self.problem.stop().is_cancelled() {
            return self.give_up(&search, Limit::Time);
        }
        match ended {
            None if slice.is_interrupted => {
                self.slice = slice;
                Phase::Search(search)
            }
            None => {
                if after != before
                    && let Some((_, actions, _)) = &search.best
                {
                    // A better plan is shown while the search goes on.
                    let name = self.name.clone();
                    if let Ok(plan) = self.assemble_plan(name, actions, None, false) {
                        self.best = Some(Arc::new(plan));
                    }
                }
                let memory_use = search.memory_use() + self.tables;
                self.meter.sample(memory_use);
                if self.evaluated + search.evaluated() >= self.state_limit() {
                    self.give_up(&search, Limit::Nodes)
                } else if memory_use.peak_next() > self.budget.memory {
                    self.give_up(&search, Limit::Memory)
                } else {
                    Phase::Search(search)
                }
            }
            Some(Ended::Plan { is_optimal }) => self.finish(&search, is_optimal),
            Some(Ended::TooDeep) => self.give_up(&search, Limit::Depth),
            Some(Ended::NoPlan) => {
                self.close(&search, None);
                Phase::Next
            }
        }
    }

    /// Counts and traces the work of a search that has ended.
    fn close(&mut self, search: &Anytime, found: Option<Found>) {
        self.evaluated += search.evaluated();
        self.work += search.work();
        self.meter.sample(search.memory_use() + self.tables);
        if let Some(grounded) = &self.grounded {
            let name = self.name.as_ref();
            self.tracing
                .search(&self.problem, name, &grounded.task, search, found);
        }
    }

    /// Answers with the best plan of a search.
    fn finish(&mut self, search: &Anytime, is_optimal: bool) -> Phase {
        let Some((cost, actions, found)) = &search.best else {
            return Phase::Next;
        };
        self.close(search, Some(*found));
        if is_optimal {
            self.bound = *cost;
        }
        let plan = self.assemble_plan(self.name.clone(), actions, None, is_optimal);
        self.answer(plan)
    }

    /// Handles an exhausted budget: answers with the best plan or else with a partial one to the
    /// state nearest to the goal. If that is the start, the next goal is tried.
    fn give_up(&mut self, search: &Anytime, limit: Limit) -> Phase {
        if search.best.is_some() {
            return self.stopped(limit, |this| this.finish(search, false));
        }
        let partial = search.partial().filter(|_| self.name.is_some());
        self.close(search, partial.as_ref().map(|(.., found)| *found));
        self.limit = Some(limit);
        match partial {
            Some((actions, left, _)) => self.stopped(limit, |this| {
                let plan = this.assemble_plan(this.name.clone(), &actions, Some(left), false);
                this.answer(plan)
            }),
            None if limit == Limit::Time => self.end(Outcome::Stopped),
            None => Phase::Next,
        }
    }

    /// If a search is cancelled, reports that, with its answer as the best plan so far.
    fn stopped(&mut self, limit: Limit, answer: impl FnOnce(&mut Self) -> Phase) -> Phase {
        let phase = answer(self);
        if limit == Limit::Time {
            if let Some(Outcome::Plan(plan)) = self.outcome.take() {
                self.best = Some(plan);
            }
            self.outcome = Some(Outcome::Stopped);
        }
        phase
    }

    fn answer(&mut self, plan: Result<Plan, Unassembled>) -> Phase {
        match plan {
            Ok(plan) => {
                self.depth = plan.steps.len() as u32;
                let plan = Arc::new(plan);
                self.best = Some(plan.clone());
                self.end(Outcome::Plan(plan))
            }
            Err(Unassembled::QuotaExceeded) => self.end(Outcome::GaveUp(Limit::Memory)),
            Err(Unassembled::Stopped | Unassembled::Wrong) => self.end(Outcome::Stopped),
        }
    }

    /// Returns the memory use.
    pub(in crate::plan) fn memory_use(&self) -> MemoryUse {
        match &self.phase {
            Phase::Serve(serving) => serving.memory_use() + self.tables,
            Phase::Search(search) => search.memory_use() + self.tables,
            _ => self.tables,
        }
    }
}

impl Engine for Search {
    fn step(&mut self, nodes: u64) -> Progress {
        let work = nodes.saturating_mul(WORK_PER_DECISION);
        let until = self.total_work().saturating_add(work);
        while self.outcome.is_none() {
            let left = until.saturating_sub(self.total_work()).min(STEP_WORK);
            if left == 0 {
                return Progress::Running;
            }
            let is_stopped = self.problem.stop().after(1 + left as usize / 8);
            let next = match std::mem::replace(&mut self.phase, Phase::Next) {
                Phase::Search(search) if is_stopped => self.give_up(&search, Limit::Time),
                _ if is_stopped => self.end(Outcome::Stopped),
                Phase::Serve(serving) => self.continue_serving(serving, left),
                Phase::Ground(grounding) => self.ground(grounding, left),
                Phase::Compile(compiler) => self.compile(compiler, left),
                Phase::Prune(pruning) => self.prune(pruning),
                Phase::Next => self.next(),
                Phase::Search(search) => self.search(search, left),
                Phase::Done => Phase::Done,
            };
            self.phase = next;
        }
        Progress::Done
    }

    fn spent(&self) -> u64 {
        self.total_work() / WORK_PER_DECISION
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn best(&self) -> Option<&Arc<Plan>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<f64> {
        self.best.as_ref().map(|_| self.bound)
    }

    fn trace(&self) -> Option<&Trace> {
        Some(self.served_trace.as_ref().unwrap_or(&self.tracing.trace))
    }

    fn statistics(&self) -> Statistics {
        let now = match &self.phase {
            Phase::Serve(serving) => serving.decisions(),
            Phase::Search(search) => search.evaluated(),
            _ => 0,
        };
        Statistics {
            nodes: self.evaluated + self.served + now,
            backtracks: 0,
            depth: self.depth,
            memory: self.meter.peak(self.memory_use()),
        }
    }
}
