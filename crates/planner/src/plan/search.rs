//! The first plan in the designer's order, depth first.
//!
//! A state together with a network that failed before, or that the search is
//! just working on, is not searched again. So recursion without progress ends,
//! and where the states and networks are finite, 'no plan' is proved.
//!
//! It is a proof since the search is one through a graph: what follows a state and
//! network depends on nothing else. When the stack is empty and nothing was cut,
//! every state and network that was entered is marked, and each that follows a
//! marked one was entered, too: so what is marked is all that can be reached, and a
//! plan was not among it. It makes no difference that some were marked as failed
//! while what they lead back to was still on the stack.
//!
//! A cut by depth makes a difference: how deep a task is nested is no part of the
//! mark. A frame that was cut loses its mark, and passes the cut on to those below,
//! so that the answer is 'gave up', never 'no plan'. One that failed because it led
//! back to a frame that was cut later keeps its mark; a plan through it, nearer to
//! the root, may then be missed, and is not called impossible.
//!
//! A character that is reactive (Krylov & Abramov 2020) looks no further than the first primitive
//! task that can be done: its plan ends there, and all else is yet to be decomposed.
//!
//! `Policy::Cheapest` of a Choice block means the least total cost, which this
//! search does not look for: it takes the outputs in order.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::assemble::assemble;
use super::assembly::Unassembled;
use super::held::{Allowance, Footprint, Held};
use super::progression::{Key, Phase, Progression};
use crate::compile::Problem;
use crate::plan::{Budget, Limit, Outcome, Statistics, Trace};

/// Whether a search has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It goes on with the next `step`.
    Running,
    /// Its `outcome` has the answer.
    Done,
}

/// So many decisions between two looks at the memory held.
const MEMORY_INTERVAL: u64 = 64;

/// Whether what a state and network lead to is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnStack,
    Failed,
}

/// A search that is run in slices.
#[derive(Debug)]
pub struct Search {
    progression: Progression,
    phase: Phase,
    outcome: Option<Outcome>,
    visited: FxHashMap<Key, Mark>,
    /// Whether something was not searched because it is nested too deep.
    cut: bool,
    /// Whether it looks no further than the next step.
    is_reactive: bool,
    memory_looked_at: u64,
    held: Held,
}

impl Search {
    /// Starts a search. At most `trace_bound` events are kept; 0 costs nothing.
    /// A failed goal's event has the scenario's name for its task.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let readable = problem.roots().is_some();
        Self {
            progression: Progression::new(problem, budget, trace_bound),
            phase: if readable { Phase::Enter } else { Phase::Done },
            outcome: (!readable).then(|| Outcome::exhausted(problem)),
            visited: FxHashMap::default(),
            cut: false,
            is_reactive: problem.is_reactive(),
            memory_looked_at: 0,
            held: Held::default(),
        }
    }

    /// Takes about so many more decisions.
    pub fn step(&mut self, nodes: u64) -> Progress {
        let until = self.progression.spent().saturating_add(nodes);
        while self.outcome.is_none() {
            if self.progression.spent() >= until {
                return Progress::Running;
            }
            if self.progression.is_stopped() {
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
                        Outcome::GaveUp(Limit::Depth)
                    } else {
                        Outcome::exhausted(&self.progression.problem)
                    });
                    break;
                }
                phase => self.progression.advance(phase),
            };
            if self.is_reactive && self.progression.steps > 0 {
                self.outcome = Some(self.assemble());
            }
        }
        Progress::Done
    }

    /// How it ended; `None` while it runs. The plan has yet to be validated.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    /// What it used so far.
    pub fn statistics(&self) -> Statistics {
        let statistics = self.progression.statistics;
        Statistics {
            memory: self.held.most(self.footprint()),
            ..statistics
        }
    }

    /// What it did so far.
    pub fn trace(&self) -> &Trace {
        self.progression.tracer.trace()
    }

    fn limit_reached(&mut self) -> Option<Limit> {
        if self.progression.frames.is_full {
            return Some(Limit::Memory);
        }
        if self.progression.is_spent() {
            return Some(Limit::Nodes);
        }
        let nodes = self.progression.statistics.nodes;
        if nodes >= self.memory_looked_at + MEMORY_INTERVAL {
            self.memory_looked_at = nodes;
            let footprint = self.footprint();
            self.held.look(footprint);
            if footprint.ahead() > self.progression.budget.memory {
                return Some(Limit::Memory);
            }
        }
        None
    }

    fn footprint(&self) -> Footprint {
        self.progression.footprint() + Footprint::of_map(&self.visited)
    }

    /// What a network that is done, and a goal that holds, came to.
    fn assemble(&mut self) -> Outcome {
        // What was visited is of no use any more, and a plan takes much.
        self.held.look(self.footprint());
        self.visited = FxHashMap::default();
        let held = self.footprint().held;
        let budget = self.progression.budget.memory;
        let mut memory = Allowance::new(budget.saturating_sub(held));
        let plan = assemble(&mut self.progression, &mut memory);
        self.held.note(held + memory.most);
        match plan {
            Ok(plan) => Outcome::Plan(Arc::new(plan)),
            Err(Unassembled::Full) => Outcome::GaveUp(Limit::Memory),
            Err(Unassembled::Stopped | Unassembled::Wrong) => Outcome::Stopped,
        }
    }

    /// A new state and network: is it the end, or is it known?
    fn enter(&mut self) -> Phase {
        if self.progression.network.is_done() {
            let holds = self.is_reactive || self.progression.goal_holds();
            if self.progression.frames.is_spent() {
                // It was cut short, and the search ends.
                return Phase::Enter;
            }
            if holds {
                self.outcome = Some(self.assemble());
                return Phase::Done;
            }
            return Phase::Back;
        }
        let key = self.progression.key();
        match self.visited.entry(key) {
            Entry::Occupied(_) => {
                self.progression.note_repeated(key);
                Phase::Back
            }
            Entry::Vacant(entry) => {
                entry.insert(Mark::OnStack);
                self.progression.push(key)
            }
        }
    }

    /// Everything that the top frame could do has failed.
    fn leave(&mut self) -> Phase {
        let Some(frame) = self.progression.stack.pop() else {
            return Phase::Done;
        };
        match frame.cut {
            // It may yet lead somewhere, nearer to the root.
            true => self.visited.remove(&frame.key),
            false => self.visited.insert(frame.key, Mark::Failed),
        };
        match self.progression.stack.last_mut() {
            Some(below) => below.cut |= frame.cut,
            None => self.cut = frame.cut,
        }
        Phase::Back
    }
}
