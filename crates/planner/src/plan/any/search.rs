//! The engines of the strategy `any`, taking turns within one budget.

use std::sync::Arc;

use super::assemble::assemble;
use super::decomposition::{Answer, Decomposition};
use super::descend::Descend;
use super::grounded::Grounded;
use super::lift::Unliftable;
use super::linear::Linear;
use super::model::Model;
use crate::compile::Problem;
use crate::plan::assembly::Unassembled;
use crate::plan::held::{Allowance, Footprint, Held};
use crate::plan::search::{self, Progress};
use crate::plan::{Budget, Limit, Outcome, Statistics};
use taskloom_document::stop::Stop;

/// Work of the lifted search that counts as a decision.
const WORK_PER_NODE: u64 = 4;

/// Work of a turn. What is searched next never depends on the caller's slices, so
/// that the answer is the same however long they are.
const TURN: i64 = 256;

/// Work that the steady search does before others get a turn.
const ALONE: u64 = 400_000;

/// The same before the grounded search gets a third of the work, where tasks have
/// no order: the lifted searches are often lost there.
const ALONE_UNORDERED: u64 = 10_000;

/// Work of the shortest of the restarted searches.
const SHORTEST: u64 = 50_000;

/// Bytes of a model that are put in sequence, and prepared for a search, by a unit of work.
const BYTES_PER_WORK: u64 = 16;

/// Which part of the memory the grounded search may take.
const GROUNDED_SHARE: u64 = 2;

#[derive(Debug)]
enum Engines {
    /// The problem counts: the search for the first plan does it.
    First(Box<search::Search>),
    Shared(Box<Shared>),
    Done,
}

/// Which of them may say that no plan exists:
/// - the steady one, when it is neither in sequence nor narrow, or has left nothing
///   out for being so, and has cut nothing off for its depth. It tells states and
///   networks apart by [`crate::plan::progression::Key`]s;
/// - the grounded one, in no sequence but the problem's own. Its tables keep what
///   they compare;
/// - never the one that begins anew.
///
/// What is left out without a search, since it needs what cannot come about, is told
/// in `hoist` and `watch` (lifted), and in `ground` and `progress::relax` (grounded):
/// all of these take for possible whatever is possible if nothing is ever undone.
///
/// Three searches: a steady lifted one that keeps the designer's order and misses
/// nothing in the end, a lifted one that begins anew again and again, and a
/// grounded one that goes by a heuristic. Turns follow from the work done, which
/// is counted in about the same unit of time.
#[derive(Debug)]
struct Shared {
    model: Arc<Model>,
    /// Bytes of it.
    of_model: usize,
    /// Whether every method is a sequence.
    sequential: bool,
    steady: Descend,
    restless: Option<Descend>,
    /// How many times that one began.
    begun: u32,
    /// When that one begins anew.
    until: u64,
    grounded: Option<Grounded>,
    /// The grounded search cannot go on.
    lost: bool,
    /// The lifted searches get no turn.
    grounded_alone: bool,
    budget: Budget,
    /// Whose turn it was.
    turn: &'static str,
}

impl Shared {
    fn new(model: Model, budget: Budget) -> Self {
        let sequential = model.methods.iter().all(|m| m.is_sequence);
        let model = Arc::new(model);
        Self {
            of_model: model.memory() + model.shared_memory(),
            steady: match sequential {
                true => Descend::new(&model, budget.depth),
                false => Descend::in_sequence(Linear::new(&model, 0), budget.depth),
            },
            model,
            sequential,
            restless: None,
            begun: 0,
            until: 0,
            grounded: None,
            lost: false,
            grounded_alone: false,
            budget,
            turn: "steady",
        }
    }

    fn take_turn(&mut self) -> Option<Answer> {
        let steady = self.steady.work;
        let restless = self.restless.as_ref().map_or(0, |r| r.work);
        let grounded = self.grounded.as_ref().map_or(0, |g| g.work);
        let work = TURN as u64;
        if self.grounded_alone {
            self.turn = "grounded";
            let answer = self.step_grounded(work);
            return answer.or(self.lost.then_some(Answer::Lost));
        }
        let is_early = !self.sequential && !self.lost && grounded <= ALONE / 2;
        if is_early && steady > ALONE_UNORDERED + 2 * grounded {
            self.turn = "grounded";
            self.step_grounded(work)
        } else if steady < ALONE + restless {
            self.turn = "steady";
            self.step_steady(work)
        } else if !self.lost && grounded / 2 <= restless {
            self.turn = "grounded";
            self.step_grounded(work)
        } else {
            self.turn = "restless";
            self.step_restless(work)
        }
    }

    fn step_steady(&mut self, work: u64) -> Option<Answer> {
        let answer = self.steady.step(work);
        match answer {
            // What was left out is looked at now.
            Some(Answer::Lost | Answer::Unsolvable) if self.steady.is_in_sequence() => {
                let done = (self.steady.work, self.steady.nodes);
                self.steady = Descend::new(&self.model, self.budget.depth);
                (self.steady.work, self.steady.nodes) = done;
                None
            }
            Some(Answer::Lost) if self.steady.is_narrow() => {
                self.steady.restart(0, false);
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
            self.lost = true;
            return None;
        }
        if answer.is_none() && grounded.footprint().ahead() > memory {
            self.give_grounded_up();
        }
        answer
    }

    /// Its nodes go, what it needs to go on is little beside them.
    fn give_grounded_up(&mut self) {
        self.lost = true;
        self.grounded = None;
    }

    fn step_restless(&mut self, work: u64) -> Option<Answer> {
        let (model, depth) = (&self.model, self.budget.depth);
        let restless = self
            .restless
            .get_or_insert_with(|| Descend::new(model, depth));
        let mut answer = None;
        if restless.work < self.until {
            answer = restless.step(work.min(self.until - restless.work));
        }
        let ended = matches!(answer, Some(Answer::Lost | Answer::Unsolvable));
        if restless.work >= self.until || ended {
            self.begun += 1;
            if !self.sequential {
                let done = (restless.work, restless.nodes);
                *restless = Descend::in_sequence(Linear::new(model, self.begun), depth);
                (restless.work, restless.nodes) = done;
                restless.work += self.of_model as u64 / BYTES_PER_WORK;
            }
            restless.restart(self.begun, true);
            self.until = restless.work + SHORTEST * luby(self.begun);
            answer = None;
        }
        answer
    }

    fn footprint(&self) -> Footprint {
        let restless = self.restless.as_ref().map(Descend::footprint);
        let grounded = self.grounded.as_ref().map(Grounded::footprint);
        Footprint::fixed(self.of_model)
            + self.steady.footprint()
            + restless.unwrap_or_default()
            + grounded.unwrap_or_default()
    }

    /// Looks what it takes, before it takes more. Gives the grounded search up where that
    /// would be too much; whether it would be all the same.
    fn is_full(&mut self, held: &mut Held) -> bool {
        let mut footprint = self.footprint();
        held.look(footprint);
        if footprint.ahead() > self.budget.memory && self.grounded.is_some() {
            self.give_grounded_up();
            footprint = self.footprint();
            held.look(footprint);
        }
        footprint.ahead() > self.budget.memory
    }

    fn nodes(&self) -> u64 {
        self.steady.nodes
            + self.restless.as_ref().map_or(0, |r| r.nodes)
            + self.grounded.as_ref().map_or(0, |g| g.nodes)
    }
}

/// The sequence 1 1 2 1 1 2 4 and so on (Luby, Sinclair and Zuckerman 1993), from 1.
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
    winner: &'static str,
    /// Work that was asked for and not done; less than 0 where a turn did more.
    owed: i64,
    held: Held,
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
            Err(_) => Engines::First(Box::new(search::Search::new(problem, budget, 0))),
        };
        if problem.stop().is_heard() {
            outcome = Some(Outcome::Stopped);
        }
        Self {
            engines,
            budget,
            outcome,
            statistics: Statistics::default(),
            winner: "",
            owed: 0,
            held: Held::default(),
            stop: problem.stop().clone(),
        }
    }

    /// Starts a search by the grounded engine alone, for measurements and tests.
    pub fn grounded(problem: &Problem, budget: Budget) -> Self {
        let mut search = Self::new(problem, budget);
        if let Engines::Shared(shared) = &mut search.engines {
            shared.grounded_alone = true;
        }
        search
    }

    /// Which of its searches ended it, for measurements: `steady`, `restless` or
    /// `grounded`; nothing while it runs.
    pub fn winner(&self) -> &'static str {
        self.winner
    }

    /// Takes about so many more decisions.
    pub fn step(&mut self, nodes: u64) -> Progress {
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
                    if shared.is_full(&mut self.held) {
                        self.outcome = Some(Outcome::GaveUp(Limit::Memory));
                        break;
                    }
                    self.owed -= TURN;
                    let answer = shared.take_turn();
                    if self.stop.is_heard() {
                        // What the turn came to means nothing.
                        self.outcome = Some(Outcome::Stopped);
                        break;
                    }
                    if answer.is_some() {
                        self.winner = shared.turn;
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
                self.held.look(shared.footprint());
                if let Some(found) = found {
                    let (model, of_model) = (shared.model.clone(), shared.of_model);
                    // The searches are of no use any more, and a plan takes much.
                    self.engines = Engines::Done;
                    self.assemble(&model, of_model, &found);
                }
                self.statistics.memory = self.held.most(Footprint::default());
            }
        }
        if self.outcome.is_some() {
            self.engines = Engines::Done;
            return Progress::Done;
        }
        Progress::Running
    }

    /// Makes the plan of what was found.
    fn assemble(&mut self, model: &Model, of_model: usize, found: &Decomposition) {
        let held = (of_model + found.memory()) as u64;
        let mut memory = Allowance::new(self.budget.memory.saturating_sub(held));
        let plan = assemble(model, found, &mut memory);
        self.held.note(held + memory.most);
        self.outcome = match plan {
            Ok(plan) => Some(Outcome::Plan(Arc::new(plan))),
            Err(Unassembled::Full) => Some(Outcome::GaveUp(Limit::Memory)),
            Err(Unassembled::Stopped) => Some(Outcome::Stopped),
            Err(Unassembled::Wrong) => {
                // What is no plan of the problem was one of the model, which is wrong
                // then. The search for the first plan needs none.
                let first = search::Search::new(&model.problem, self.budget, 0);
                self.engines = Engines::First(Box::new(first));
                None
            }
        };
    }

    /// How it ended; `None` while it runs. The plan has yet to be validated.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    /// What it used so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}
