//! The first plan in the designer's order, by depth-first search.
//!
//! A state and network that failed before, or that is on the current path, isn't searched again.
//! Recursion without progress therefore ends, and if the states and networks are finite, 'no plan'
//! is proven.
//!
//! It is a proof because the search explores a graph: the successors of a state and network depend
//! on nothing else. When the stack is empty and nothing was cut, every state and network that was
//! entered is marked, and each successor of a marked one was entered, too: all reachable ones are
//! marked, and there was no plan among them. It makes no difference that some were marked as failed
//! while their successors were still on the stack.
//!
//! A cut by depth makes a difference, since a mark doesn't include the nesting depth of tasks. A
//! frame that was cut loses its mark, and passes the cut on to those below, so that the answer is
//! 'gave up', never 'no plan'. One that failed because it led back to a frame that was cut later
//! keeps its mark; a plan through it, nearer to the root, may then be missed, but isn't reported as
//! impossible.
//!
//! A reactive character (Krylov & Abramov 2020) plans only up to the first applicable primitive
//! task: its plan ends there, and everything else has yet to be decomposed.
//!
//! The policy `Policy::Cheapest` of a Choice block requires the minimum total cost, which this
//! search doesn't look for: it takes the outputs in order.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::assemble::assemble;
use super::assembly::Unassembled;
use super::decomposer::{Decomposer, Key, Phase};
use super::engine::{Engine, Progress};
use super::memory::{MemoryMeter, MemoryQuota, MemoryUse};
use super::state::mix;
use crate::compile::Problem;
use crate::plan::{Budget, Limit, Outcome, Statistics, Trace};

/// The number of decisions between memory checks.
const MEMORY_INTERVAL: u64 = 64;

/// The mark of a state and network that was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnStack,
    Failed,
}

/// A search that is run in slices.
#[derive(Debug)]
pub struct Search {
    decomposer: Decomposer,
    phase: Phase,
    outcome: Option<Outcome>,
    visited: FxHashMap<Key, Mark>,
    /// `true` if something wasn't searched because it is nested too deeply.
    cut: bool,
    /// The number of subgoals that have been reached before each decision on the stack, if the tasks serve
    /// a goal.
    reached: Vec<u32>,
    /// If `true`, the plan ends with its first step.
    is_reactive: bool,
    memory_checked_at: u64,
    meter: MemoryMeter,
}

impl Search {
    /// Starts a search. At most `trace_bound` events are kept; 0 disables tracing at no cost. The
    /// event of a failed goal has the scenario's name as its task.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let readable = problem.roots().is_some();
        Self {
            decomposer: Decomposer::new(problem, budget, trace_bound),
            phase: if readable { Phase::Enter } else { Phase::Done },
            outcome: (!readable).then(|| Outcome::exhausted(problem)),
            visited: FxHashMap::default(),
            cut: false,
            reached: vec![],
            is_reactive: problem.is_reactive(),
            memory_checked_at: 0,
            meter: MemoryMeter::default(),
        }
    }

    fn limit_reached(&mut self) -> Option<Limit> {
        if self.decomposer.frames.is_full {
            return Some(Limit::Memory);
        }
        if self.decomposer.is_spent() {
            return Some(Limit::Nodes);
        }
        let nodes = self.decomposer.statistics.nodes;
        if nodes >= self.memory_checked_at + MEMORY_INTERVAL {
            self.memory_checked_at = nodes;
            let memory_use = self.memory_use();
            self.meter.sample(memory_use);
            if memory_use.peak_next() > self.decomposer.budget.memory {
                return Some(Limit::Memory);
            }
        }
        None
    }

    /// Returns the memory use.
    pub(super) fn memory_use(&self) -> MemoryUse {
        self.decomposer.memory_use()
            + MemoryUse::of_map(&self.visited)
            + MemoryUse::of_vec(&self.reached)
    }

    /// Returns the outcome of a network that is done and a goal that holds.
    fn assemble(&mut self) -> Outcome {
        // The marks are no longer needed, and a plan may need a lot of memory.
        self.meter.sample(self.memory_use());
        self.visited = FxHashMap::default();
        let used = self.memory_use().bytes;
        let budget = self.decomposer.budget.memory;
        let mut memory = MemoryQuota::new(budget.saturating_sub(used));
        let plan = assemble(&mut self.decomposer, &mut memory);
        self.meter.note(used + memory.peak);
        match plan {
            Ok(plan) => Outcome::Plan(Arc::new(plan)),
            Err(Unassembled::QuotaExceeded) => Outcome::GaveUp(Limit::Memory),
            Err(Unassembled::Stopped | Unassembled::Wrong) => Outcome::Stopped,
        }
    }

    /// Returns the number of subgoals of the goal that the tasks serve that have been reached, one after
    /// the other.
    fn reached(&mut self) -> u32 {
        let problem = self.decomposer.problem.clone();
        let mut reached = self.reached.last().copied().unwrap_or(0);
        if let Some(goal) = problem.served_goal() {
            let subgoals = &goal.stages[..goal.stages.len() - 1];
            while let Some(subgoal) = subgoals.get(reached as usize)
                && self.decomposer.holds(subgoal, goal.frame)
            {
                reached += 1;
            }
        }
        reached
    }

    /// Returns `true` if the goal holds: the one that the tasks serve, after its subgoals, or the
    /// scenario's.
    fn is_goal_reached(&mut self, reached: u32) -> bool {
        let problem = self.decomposer.problem.clone();
        match problem
            .served_goal()
            .and_then(|goal| Some((goal, goal.stages.split_last()?)))
        {
            Some((goal, (condition, subgoals))) => {
                reached as usize == subgoals.len() && self.decomposer.holds(condition, goal.frame)
            }
            None => self.decomposer.goal_holds(),
        }
    }

    /// Handles a new state and network, which may be the end or known already.
    fn enter(&mut self) -> Phase {
        let reached = self.reached();
        if self.decomposer.network.is_done() {
            let holds = self.is_reactive || self.is_goal_reached(reached);
            if self.decomposer.frames.is_spent() {
                // The evaluation was cut short, so the search ends.
                return Phase::Enter;
            }
            if holds {
                self.outcome = Some(self.assemble());
                return Phase::Done;
            }
            return Phase::Back;
        }
        let mut key = self.decomposer.key();
        key[0] ^= mix(u64::from(reached), 0) as u64;
        match self.visited.entry(key) {
            Entry::Occupied(_) => {
                self.decomposer.note_repeated(key);
                Phase::Back
            }
            Entry::Vacant(entry) => {
                entry.insert(Mark::OnStack);
                let depth = self.decomposer.stack.len();
                let phase = self.decomposer.push(key);
                if self.decomposer.stack.len() > depth {
                    self.reached.push(reached);
                }
                phase
            }
        }
    }

    /// Removes the top frame, which has no alternatives left.
    fn leave(&mut self) -> Phase {
        let Some(frame) = self.decomposer.stack.pop() else {
            return Phase::Done;
        };
        self.reached.pop();
        match frame.cut || frame.barred {
            // It may still lead to a plan when it is reached nearer to the root, or after a step.
            true => self.visited.remove(&frame.key),
            false => self.visited.insert(frame.key, Mark::Failed),
        };
        match self.decomposer.stack.last_mut() {
            Some(below) => {
                below.cut |= frame.cut;
                below.barred |= frame.barred;
            }
            None => self.cut = frame.cut,
        }
        Phase::Back
    }
}

impl Engine for Search {
    fn step(&mut self, nodes: u64) -> Progress {
        let until = self.decomposer.spent().saturating_add(nodes);
        while self.outcome.is_none() {
            if self.decomposer.spent() >= until {
                return Progress::Running;
            }
            if self.decomposer.is_stopped() {
                self.outcome = Some(Outcome::Stopped);
                break;
            }
            if let Some(limit) = self.limit_reached() {
                self.outcome = Some(Outcome::GaveUp(limit));
                break;
            }
            self.phase = match self.phase {
                Phase::Enter => self.enter(),
                Phase::Leave => self.leave(),
                Phase::Done => {
                    self.outcome = Some(if self.cut {
                        let limit = self.decomposer.achieving.limit();
                        Outcome::GaveUp(limit.unwrap_or(Limit::Depth))
                    } else {
                        Outcome::exhausted(&self.decomposer.problem)
                    });
                    break;
                }
                phase => self.decomposer.advance(phase),
            };
            if self.is_reactive && self.decomposer.steps > 0 {
                self.outcome = Some(self.assemble());
            }
        }
        Progress::Done
    }

    fn spent(&self) -> u64 {
        self.decomposer.spent()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn statistics(&self) -> Statistics {
        let statistics = self.decomposer.statistics;
        Statistics {
            memory: self.meter.peak(self.memory_use()),
            ..statistics
        }
    }

    fn trace(&self) -> Option<&Trace> {
        Some(self.decomposer.tracer.trace())
    }
}
