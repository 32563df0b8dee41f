//! Grounding: all tasks and methods with objects for their variables, as far as
//! they may be of use, and the atoms that tell their conditions apart.
//!
//! [`rules`] says what is reachable, [`fixpoint`] finds it, [`draft`] reads ground
//! tasks off it from the roots down, [`prune`] drops what is useless, [`number`]
//! numbers what is left.

mod condition;
mod draft;
mod fixpoint;
mod implied;
mod number;
mod prune;
pub mod relation;
mod rules;

pub use crate::plan::rows::{Grouping, Rows};
pub use condition::{Need, Tree};

use super::model::Model;
use crate::plan::held::Footprint;
use draft::Draft;
use fixpoint::Fixpoint;
use number::Numbering;
use prune::{Pruning, PruningEnd};
use taskloom_document::stop::Stop;

/// Work for each relation between two looks at what all of them take.
const WORK_PER_LOOK: u64 = 8;

/// Of [`Ground::name`], for the goal.
pub const GOAL: u32 = draft::GOAL;

/// An effect with a condition.
#[derive(Debug, Clone)]
pub struct Conditional {
    /// Read in the state before.
    pub when: Need,
    /// Whether it is added or deleted.
    pub add: bool,
    /// The atom.
    pub atom: u32,
}

/// A ground problem. Tasks below [`Self::actions`] are actions, the others
/// compound tasks.
#[derive(Debug, Default)]
pub struct Ground {
    /// How many atoms there are: those that change and are asked for.
    pub atoms: u32,
    /// The atoms that are true at first, as bits.
    pub initial: Vec<u32>,
    /// How many actions there are.
    pub actions: u32,
    /// How many tasks there are.
    pub tasks: u32,
    /// Number of the model's task, or [`GOAL`], then the objects, of each task.
    pub names: Rows,
    /// Literals that each action needs, then each method: twice the atom, one more
    /// for false.
    pub needs: Rows,
    /// What else they need, of the same rows: [`Rows::row`] gives indices of [`Self::trees`].
    pub rests: Rows,
    /// Conditions that are no conjunctions of literals.
    pub trees: Vec<Tree>,
    /// Atoms that each action deletes, then adds.
    pub deletes: Rows,
    /// Atoms that each action adds.
    pub adds: Rows,
    /// Indices of [`Self::conditionals`] of each action.
    pub conditional: Rows,
    /// Effects with conditions.
    pub conditionals: Vec<Conditional>,
    /// The methods of each compound task are those from its number, less that of
    /// the actions, to the next one.
    pub first_method: Vec<u32>,
    /// The task of each method.
    pub task_of: Vec<u32>,
    /// The tasks of each method's network.
    pub subtasks: Rows,
    /// The model's method that each method is an instance of.
    pub method_of: Vec<u32>,
    /// The objects of each method's variables.
    pub objects: Rows,
    /// The initial task network, in sequence; the goal's action is its last.
    pub roots: Vec<u32>,
    /// Whether every method's network is a sequence.
    pub is_total: bool,
    /// Ends what works with it: its answers mean nothing then.
    pub stop: Stop,
}

impl Ground {
    /// The methods of a compound task.
    pub fn methods(&self, task: u32) -> std::ops::Range<u32> {
        let at = (task - self.actions) as usize;
        self.first_method[at]..self.first_method[at + 1]
    }

    /// What it takes, roughly.
    pub fn footprint(&self) -> Footprint {
        let rows = [
            &self.names,
            &self.needs,
            &self.rests,
            &self.deletes,
            &self.adds,
            &self.conditional,
            &self.subtasks,
            &self.objects,
        ];
        // A condition holds about its own size elsewhere.
        let trees = self.trees.len() * size_of::<Tree>();
        let conditionals = self.conditionals.len() * size_of::<Conditional>();
        rows.iter().map(|r| r.footprint()).sum::<Footprint>()
            + Footprint::of_vec(&self.trees)
            + Footprint::of_vec(&self.conditionals)
            + Footprint::fixed(trees + conditionals)
            + Footprint::of_vec(&self.task_of)
            + Footprint::of_vec(&self.method_of)
            + Footprint::of_vec(&self.first_method)
    }
}

/// How far grounding got.
#[derive(Debug)]
pub enum Grounding {
    /// There is more to do.
    Working,
    /// It is done.
    Ground(Box<Ground>),
    /// No plan exists: a root cannot be done even if nothing is ever deleted.
    Unsolvable,
    /// It would need more memory, or far too much time.
    TooLarge,
}

/// What grounding is at, in this order.
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
    /// By atom: whether it is true at first.
    initial: Vec<bool>,
    memory: usize,
    /// What it took at the last look, and the work since then.
    footprint: Footprint,
    since: u64,
}

impl Grounder {
    /// Starts with a model; it may take `memory` bytes.
    pub fn new(model: &Model, memory: usize) -> Self {
        Self {
            fixpoint: Fixpoint::new(model),
            stage: Stage::Reaching,
            initial: vec![],
            memory,
            footprint: Footprint::default(),
            since: u64::MAX,
        }
    }

    /// What it took at the last look.
    pub fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// Looks what it takes, and what it will in the next stage. It is added up anew, so
    /// that who does so often takes long.
    fn look(&mut self) {
        let stage = match &self.stage {
            Stage::Reaching => Footprint::default(),
            Stage::Drafting(draft) => {
                draft.footprint() + Footprint::growing(0, Pruning::expected(draft))
            }
            Stage::Pruning(draft, pruning) => draft.footprint() + pruning.footprint(),
            Stage::Numbering(draft, numbering) => draft.footprint() + numbering.footprint(),
        };
        self.footprint = self.fixpoint.footprint() + stage;
    }

    /// Works for about as many tuples as `work` says, of the same model as ever.
    pub fn step(&mut self, model: &Model, work: u64) -> Grounding {
        self.since = self.since.saturating_add(work);
        if self.since > WORK_PER_LOOK * self.fixpoint.relations.len() as u64 {
            self.since = 0;
            self.look();
            // What is reached is half of it, or there is no room for the tasks.
            let share = match self.stage {
                Stage::Reaching => self.memory / 2,
                _ => self.memory,
            };
            if self.footprint.ahead() > share as u64 {
                return Grounding::TooLarge;
            }
        }
        let mut left = i64::try_from(work).unwrap_or(i64::MAX);
        while left > 0 && !model.problem.stop().after(1) {
            let stage = std::mem::replace(&mut self.stage, Stage::Reaching);
            self.stage = match self.go_on(model, stage, &mut left) {
                Ok(stage) => stage,
                Err(end) => return end,
            };
        }
        Grounding::Working
    }

    /// Goes on with a stage until it is done or nothing is `left` to be looked at.
    /// The stage that it is at then, or how grounding ended.
    fn go_on(&mut self, model: &Model, stage: Stage, left: &mut i64) -> Result<Stage, Grounding> {
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
