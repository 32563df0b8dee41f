//! Grounding: a [`Grounder`] turns a lifted model into a [`Ground`] problem. It instantiates all
//! tasks and methods that may be useful, and numbers the atoms that their conditions depend on.
//!
//! A model is first [`split`] where its methods' variables are independent. [`rules`] defines what is reachable, [`fixpoint`] computes it, [`draft`] derives ground tasks
//! from it top-down from the roots, [`prune`] removes what is useless, [`number`] numbers the rest.

pub mod condition;
mod draft;
mod fixpoint;
pub mod ground;
mod implied;
mod number;
mod prune;
mod rules;
pub mod split;

use crate::lifted::model::Model;
use draft::Draft;
use fixpoint::Fixpoint;
use ground::Ground;
use number::Numbering;
use prune::{Pruning, PruningEnd};
use taskloom_planner::search_kit::MemoryUse;

/// Work per relation between memory checks.
const WORK_PER_LOOK: u64 = 8;

/// The progress of grounding.
#[derive(Debug)]
pub enum Grounding {
    /// There is more to do.
    Working,
    /// It is done.
    Ground(Box<Ground>),
    /// No plan exists: a root is impossible even if nothing is ever deleted.
    Unsolvable,
    /// It would need more memory, or far too much time.
    TooLarge,
}

/// The stages of grounding, in order.
#[derive(Debug)]
enum Stage {
    Reaching,
    Drafting(Box<Draft>),
    Pruning(Box<Draft>, Box<Pruning>),
    Numbering(Box<Draft>, Box<Numbering>),
}

/// Grounds a model in steps.
#[derive(Debug)]
pub struct Grounder {
    fixpoint: Fixpoint,
    stage: Stage,
    /// By atom: `true` if it is true initially.
    initial: Vec<bool>,
    memory: usize,
    /// The memory use at the last check, and the work since then.
    memory_use: MemoryUse,
    since: u64,
}

impl Grounder {
    /// Starts with a model and a limit of `memory` bytes.
    pub fn new(model: &Model, memory: usize) -> Self {
        Self {
            fixpoint: Fixpoint::new(model),
            stage: Stage::Reaching,
            initial: vec![],
            memory,
            memory_use: MemoryUse::default(),
            since: u64::MAX,
        }
    }

    /// Returns the memory use at the last check.
    pub fn memory_use(&self) -> MemoryUse {
        self.memory_use
    }

    /// Checks the memory use, including what the next stage will need. Recomputes the sum, so
    /// frequent calls are slow.
    fn check_memory(&mut self) {
        let stage = match &self.stage {
            Stage::Reaching => MemoryUse::default(),
            Stage::Drafting(draft) => {
                draft.memory_use() + MemoryUse::growing(0, Pruning::expected(draft))
            }
            Stage::Pruning(draft, pruning) => draft.memory_use() + pruning.memory_use(),
            Stage::Numbering(draft, numbering) => draft.memory_use() + numbering.memory_use(),
        };
        self.memory_use = self.fixpoint.memory_use() + stage;
    }

    /// Processes about `work` tuples. The model must always be the same.
    pub fn step(&mut self, model: &Model, work: u64) -> Grounding {
        self.since = self.since.saturating_add(work);
        if self.since > WORK_PER_LOOK * self.fixpoint.relations.len() as u64 {
            self.since = 0;
            self.check_memory();
            // Reachable tuples may use half of the memory, or there is no room for the tasks.
            let share = match self.stage {
                Stage::Reaching => self.memory / 2,
                _ => self.memory,
            };
            if self.memory_use.peak_next() > share as u64 {
                return Grounding::TooLarge;
            }
        }
        let mut left = i64::try_from(work).unwrap_or(i64::MAX);
        while left > 0 && !model.problem.stop().after(1) {
            let stage = std::mem::replace(&mut self.stage, Stage::Reaching);
            self.stage = match self.run_stage(model, stage, &mut left) {
                Ok(stage) => stage,
                Err(end) => return end,
            };
        }
        Grounding::Working
    }

    /// Continues a stage until it is done or the budget `left` is used up. Returns the stage
    /// reached, or the end of grounding as an error.
    fn run_stage(
        &mut self,
        model: &Model,
        stage: Stage,
        left: &mut i64,
    ) -> Result<Stage, Grounding> {
        let (fixpoint, initial) = (&mut self.fixpoint, &mut self.initial);
        match stage {
            Stage::Reaching => match fixpoint.step(model, left) {
                Err(fixpoint::TooLarge) => Err(Grounding::TooLarge),
                Ok(false) => Ok(Stage::Reaching),
                Ok(true) => match Draft::new(model, fixpoint, self.memory) {
                    Some(draft) => Ok(Stage::Drafting(Box::new(draft))),
                    None => Err(Grounding::Unsolvable),
                },
            },
            Stage::Drafting(mut draft) => {
                let is_done = draft.step(model, fixpoint, left);
                if draft.atoms.is_too_large() {
                    return Err(Grounding::TooLarge);
                }
                if !is_done {
                    return Ok(Stage::Drafting(draft));
                }
                *initial = draft.atoms.initial(model, fixpoint);
                let pruning = Pruning::new(&draft);
                Ok(Stage::Pruning(draft, Box::new(pruning)))
            }
            Stage::Pruning(draft, mut pruning) => match pruning.step(&draft, initial, left) {
                None => Ok(Stage::Pruning(draft, pruning)),
                Some(PruningEnd::Unsolvable) => Err(Grounding::Unsolvable),
                Some(PruningEnd::Done) => {
                    let stop = model.problem.stop().clone();
                    let numbering = Numbering::new(&draft, pruning.left, stop);
                    Ok(Stage::Numbering(draft, Box::new(numbering)))
                }
            },
            Stage::Numbering(mut draft, mut numbering) => {
                match numbering.step(model, fixpoint, &mut draft, initial, left) {
                    true => Err(Grounding::Ground(Box::new(numbering.ground))),
                    false => Ok(Stage::Numbering(draft, numbering)),
                }
            }
        }
    }
}
