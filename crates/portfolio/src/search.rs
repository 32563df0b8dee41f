//! The searches of the fastest strategy, alternating within one budget.

use std::sync::Arc;

use crate::assemble::assemble;
use crate::grounded::Grounded;
use crate::lifted::decomposition::{Answer, Decomposition};
use crate::lifted::descend::Descend;
use crate::lifted::lift::Unliftable;
use crate::lifted::linear::Linear;
use crate::lifted::model::Model;
use taskloom_document::stop::Stop;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::Search as FirstPlan;
use taskloom_planner::plan::{Budget, Engine, Limit, Outcome, Progress, Statistics};
use taskloom_planner::search_kit::{MemoryMeter, MemoryQuota, MemoryUse, Unassembled};

/// Work of the lifted search that counts as one decision.
const WORK_PER_NODE: u64 = 4;

/// Work per turn. The next turn never depends on the caller's slices, so the answer is the same
/// however long they are.
const TURN: i64 = 256;

/// Work of the systematic search before others get a turn.
const ALONE: u64 = 400_000;

/// Work of the systematic search before the grounded search gets a third of the work, if tasks are
/// unordered: the lifted searches often fail there.
const ALONE_UNORDERED: u64 = 10_000;

/// Work of the shortest run of the restarting search.
const SHORTEST: u64 = 50_000;

/// Bytes of a model that are linearized and prepared for a search per unit of work.
const BYTES_PER_WORK: u64 = 16;

/// The fraction of memory, as a divisor, that the grounded search may use.
const GROUNDED_SHARE: u64 = 2;

#[derive(Debug)]
enum Engines {
    /// The problem has numbers, or tasks with goals: the search for the first plan is used.
    First(Box<FirstPlan>),
    Shared(Box<Shared>),
    Done,
}

/// Three searches: a systematic lifted one that keeps the designer's order and eventually misses
/// nothing, a lifted one that restarts repeatedly, and a grounded one guided by a heuristic. Turns
/// depend on the work done, which is counted in about the same unit of time.
///
/// These may report that no plan exists:
/// - the systematic one, if it is neither linearized nor narrow, or has missed nothing for being
///   so, and has cut nothing off because of its depth. It tells states and networks apart by keys
///   of 128 bits, like the search for the first plan;
/// - the grounded one, in the problem's own order only. Its tables store what they compare;
/// - never the restarting one.
///
/// Pruning without a search, of whatever requires something that cannot be achieved, is described
/// in `lifted::hoist` and `landmarks`, and in `grounding` and `progression::relax`: all of these
/// treat everything as possible that is possible if nothing is ever undone.
#[derive(Debug)]
struct Shared {
    model: Arc<Model>,
    /// Its memory use in bytes.
    model_bytes: usize,
    /// `true` if every method is a sequence.
    sequential: bool,
    systematic: Descend,
    restarting: Option<Descend>,
    /// The number of restarts.
    restarts: u32,
    /// The amount of work at which it restarts.
    until: u64,
    grounded: Option<Grounded>,
    /// `true` if the grounded search cannot continue.
    grounded_failed: bool,
    /// If `true`, the lifted searches get no turn.
    grounded_alone: bool,
    budget: Budget,
}

impl Shared {
    fn new(model: Model, budget: Budget) -> Self {
        let sequential = model.methods.iter().all(|m| m.is_sequence);
        let model = Arc::new(model);
        Self {
            model_bytes: model.memory() + model.shared_memory(),
            systematic: match sequential {
                true => Descend::new(&model, budget.depth),
                false => Descend::in_sequence(Linear::new(&model, 0), budget.depth),
            },
            model,
            sequential,
            restarting: None,
            restarts: 0,
            until: 0,
            grounded: None,
            grounded_failed: false,
            grounded_alone: false,
            budget,
        }
    }

    fn take_turn(&mut self) -> Option<Answer> {
        let systematic = self.systematic.work;
        let restarting = self.restarting.as_ref().map_or(0, |r| r.work);
        let grounded = self.grounded.as_ref().map_or(0, |g| g.work);
        let work = TURN as u64;
        if self.grounded_alone {
            let answer = self.step_grounded(work);
            return answer.or(self.grounded_failed.then_some(Answer::Lost));
        }
        let is_early = !self.sequential && !self.grounded_failed && grounded <= ALONE / 2;
        if is_early && systematic > ALONE_UNORDERED + 2 * grounded {
            self.step_grounded(work)
        } else if systematic < ALONE + restarting {
            self.step_systematic(work)
        } else if !self.grounded_failed && grounded / 2 <= restarting {
            self.step_grounded(work)
        } else {
            self.step_restarting(work)
        }
    }

    fn step_systematic(&mut self, work: u64) -> Option<Answer> {
        let answer = self.systematic.step(work);
        match answer {
            // Now search what linearization left out.
            Some(Answer::Lost | Answer::Unsolvable) if self.systematic.is_in_sequence() => {
                let done = (self.systematic.work, self.systematic.nodes);
                self.systematic = Descend::new(&self.model, self.budget.depth);
                (self.systematic.work, self.systematic.nodes) = done;
                None
            }
            Some(Answer::Lost) if self.systematic.is_narrow() => {
                self.systematic.restart(0, false);
                None
            }
            answer => answer,
        }
    }

    fn step_grounded(&mut self, work: u64) -> Option<Answer> {
        let (model, memory) = (&self.model, self.budget.memory / GROUNDED_SHARE);
        let grounded = self
            .grounded
            .get_or_insert_with(|| Grounded::new(model, memory as usize));
        let answer = grounded.step(work);
        if let Some(Answer::Lost) = answer {
            self.grounded_failed = true;
            return None;
        }
        if answer.is_none() && grounded.memory_use().peak_next() > memory {
            self.drop_grounded();
        }
        answer
    }

    /// Drops the grounded search: it frees its nodes, and what the others need is small in
    /// comparison.
    fn drop_grounded(&mut self) {
        self.grounded_failed = true;
        self.grounded = None;
    }

    fn step_restarting(&mut self, work: u64) -> Option<Answer> {
        let (model, depth) = (&self.model, self.budget.depth);
        let restarting = self
            .restarting
            .get_or_insert_with(|| Descend::new(model, depth));
        let mut answer = None;
        if restarting.work < self.until {
            answer = restarting.step(work.min(self.until - restarting.work));
        }
        let ended = matches!(answer, Some(Answer::Lost | Answer::Unsolvable));
        if restarting.work >= self.until || ended {
            self.restarts += 1;
            if !self.sequential {
                let done = (restarting.work, restarting.nodes);
                *restarting = Descend::in_sequence(Linear::new(model, self.restarts), depth);
                (restarting.work, restarting.nodes) = done;
                restarting.work += self.model_bytes as u64 / BYTES_PER_WORK;
            }
            restarting.restart(self.restarts, true);
            self.until = restarting.work + SHORTEST * luby(self.restarts);
            answer = None;
        }
        answer
    }

    fn memory_use(&self) -> MemoryUse {
        let restarting = self.restarting.as_ref().map(Descend::memory_use);
        let grounded = self.grounded.as_ref().map(Grounded::memory_use);
        MemoryUse::fixed(self.model_bytes)
            + self.systematic.memory_use()
            + restarting.unwrap_or_default()
            + grounded.unwrap_or_default()
    }

    /// Checks the memory use before it grows, and drops the grounded search if there would be too
    /// little. Returns `true` if that is not enough.
    fn is_full(&mut self, meter: &mut MemoryMeter) -> bool {
        let mut memory_use = self.memory_use();
        meter.sample(memory_use);
        if memory_use.peak_next() > self.budget.memory && self.grounded.is_some() {
            self.drop_grounded();
            memory_use = self.memory_use();
            meter.sample(memory_use);
        }
        memory_use.peak_next() > self.budget.memory
    }

    fn nodes(&self) -> u64 {
        self.systematic.nodes
            + self.restarting.as_ref().map_or(0, |r| r.nodes)
            + self.grounded.as_ref().map_or(0, |g| g.nodes)
    }
}

/// Returns an element, counted from 1, of the sequence 1 1 2 1 1 2 4 and so on (Luby, Sinclair and
/// Zuckerman 1993).
fn luby(number: u32) -> u64 {
    let mut number = u64::from(number);
    loop {
        let power = (number + 1).next_power_of_two();
        if power == number + 1 {
            return power / 2;
        }
        number -= power / 2 - 1;
    }
}

/// A search that is run in slices.
#[derive(Debug)]
pub struct Search {
    engines: Engines,
    budget: Budget,
    outcome: Option<Outcome>,
    statistics: Statistics,
    /// Work that was requested and not done; negative if a turn did more.
    owed: i64,
    meter: MemoryMeter,
    stop: Stop,
}

impl Search {
    /// Starts a search.
    pub fn new(problem: &Problem, budget: Budget) -> Self {
        let mut outcome = None;
        let engines = match Model::new(problem) {
            Ok(Some(model)) => Engines::Shared(Box::new(Shared::new(model, budget))),
            Ok(None) => {
                outcome = Some(Outcome::exhausted(problem));
                Engines::Done
            }
            Err(Unliftable::Stopped) => {
                outcome = Some(Outcome::Stopped);
                Engines::Done
            }
            Err(_) => Engines::First(Box::new(FirstPlan::new(problem, budget, 0))),
        };
        if problem.stop().is_cancelled() {
            outcome = Some(Outcome::Stopped);
        }
        Self {
            engines,
            budget,
            outcome,
            statistics: Statistics::default(),
            owed: 0,
            meter: MemoryMeter::default(),
            stop: problem.stop().clone(),
        }
    }

    /// Starts a search with only the grounded engine, for measurements and tests.
    pub fn grounded(problem: &Problem, budget: Budget) -> Self {
        let mut search = Self::new(problem, budget);
        if let Engines::Shared(shared) = &mut search.engines {
            shared.grounded_alone = true;
        }
        search
    }

    /// Converts a decomposition to the plan.
    fn assemble(&mut self, model: &Model, model_bytes: usize, found: &Decomposition) {
        let used = (model_bytes + found.memory()) as u64;
        let mut memory = MemoryQuota::new(self.budget.memory.saturating_sub(used));
        let plan = assemble(model, found, &mut memory);
        self.meter.note(used + memory.peak);
        self.outcome = match plan {
            Ok(plan) => Some(Outcome::Plan(Arc::new(plan))),
            Err(Unassembled::QuotaExceeded) => Some(Outcome::GaveUp(Limit::Memory)),
            Err(Unassembled::Stopped) => Some(Outcome::Stopped),
            Err(Unassembled::Wrong) => {
                // A plan of the model that is not one of the problem means that the model is wrong.
                // The search for the first plan needs no model.
                let first = FirstPlan::new(&model.problem, self.budget, 0);
                self.engines = Engines::First(Box::new(first));
                None
            }
        };
    }
}

impl Engine for Search {
    fn spent(&self) -> u64 {
        self.statistics().nodes
    }

    fn step(&mut self, nodes: u64) -> Progress {
        match &mut self.engines {
            Engines::Done => {}
            Engines::First(search) => {
                if search.step(nodes) == Progress::Done {
                    self.outcome = search.outcome();
                }
                self.statistics = search.statistics();
            }
            Engines::Shared(shared) => {
                let work = nodes.saturating_mul(WORK_PER_NODE);
                let work = i64::try_from(work).unwrap_or(i64::MAX);
                self.owed = self.owed.saturating_add(work);
                let mut found = None;
                while self.owed > 0 && self.outcome.is_none() && found.is_none() {
                    if self.stop.after(TURN as usize) {
                        self.outcome = Some(Outcome::Stopped);
                        break;
                    }
                    if shared.is_full(&mut self.meter) {
                        self.outcome = Some(Outcome::GaveUp(Limit::Memory));
                        break;
                    }
                    self.owed -= TURN;
                    let answer = shared.take_turn();
                    if self.stop.is_cancelled() {
                        // The result of the turn is meaningless.
                        self.outcome = Some(Outcome::Stopped);
                        break;
                    }
                    self.statistics.nodes = shared.nodes();
                    self.outcome = match answer {
                        Some(Answer::Found(of)) => {
                            found = Some(of);
                            None
                        }
                        Some(Answer::Unsolvable) => Some(Outcome::exhausted(&shared.model.problem)),
                        Some(Answer::Lost) => Some(Outcome::GaveUp(Limit::Depth)),
                        None if self.statistics.nodes > self.budget.nodes => {
                            Some(Outcome::GaveUp(Limit::Nodes))
                        }
                        None => None,
                    };
                }
                self.meter.sample(shared.memory_use());
                if let Some(found) = found {
                    let (model, model_bytes) = (shared.model.clone(), shared.model_bytes);
                    // The searches are no longer needed, and a plan needs a lot of memory.
                    self.engines = Engines::Done;
                    self.assemble(&model, model_bytes, &found);
                }
                self.statistics.memory = self.meter.peak(MemoryUse::default());
            }
        }
        if self.outcome.is_some() {
            self.engines = Engines::Done;
            return Progress::Done;
        }
        Progress::Running
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
