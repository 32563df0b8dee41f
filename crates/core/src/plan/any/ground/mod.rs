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
mod rows;
mod rules;

pub use condition::{Need, Tree};
pub use rows::Rows;

use super::model::Model;
use draft::Draft;
use fixpoint::Fixpoint;

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
}

impl Ground {
    /// The methods of a compound task.
    pub fn methods(&self, task: u32) -> std::ops::Range<u32> {
        let at = (task - self.actions) as usize;
        self.first_method[at]..self.first_method[at + 1]
    }

    /// Bytes that it takes, roughly.
    pub fn memory(&self) -> usize {
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
        let rows: usize = rows.iter().map(|r| r.memory()).sum();
        rows + (self.task_of.len() + self.method_of.len() + self.first_method.len()) * 4
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

/// Grounds a model in steps.
#[derive(Debug)]
pub struct Grounder {
    fixpoint: Fixpoint,
    draft: Option<Draft>,
    memory: usize,
}

impl Grounder {
    /// Starts with a model; it may take `memory` bytes.
    pub fn new(model: &Model, memory: usize) -> Self {
        Self {
            fixpoint: Fixpoint::new(model),
            draft: None,
            memory,
        }
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        self.fixpoint.memory() + self.draft.as_ref().map_or(0, Draft::memory)
    }

    /// Works for about as many tuples as `work` says, of the same model as ever.
    pub fn step(&mut self, model: &Model, work: u64) -> Grounding {
        let Some(draft) = &mut self.draft else {
            return match self.fixpoint.step(model, work, self.memory / 2) {
                Err(fixpoint::TooLarge) => Grounding::TooLarge,
                Ok(false) => Grounding::Working,
                Ok(true) => {
                    self.draft = Draft::new(model, &mut self.fixpoint);
                    match self.draft {
                        Some(_) => Grounding::Working,
                        None => Grounding::Unsolvable,
                    }
                }
            };
        };
        if !draft.step(model, &self.fixpoint, work) {
            return match self.memory() > self.memory {
                true => Grounding::TooLarge,
                false => Grounding::Working,
            };
        }
        let initial = draft.atoms.initial(model, &self.fixpoint);
        match prune::prune(draft, &initial) {
            Some(left) => {
                let ground = number::number(model, &self.fixpoint, draft, &left, &initial);
                Grounding::Ground(Box::new(ground))
            }
            None => Grounding::Unsolvable,
        }
    }
}
