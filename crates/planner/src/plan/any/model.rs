//! The lifted model that the strong searches work on: actions and methods with
//! variables, conditions in negation normal form over boolean atoms, and task
//! networks. Charts, slots and value kinds are gone; everything has a number.
//!
//! A fact whose values are objects is an atom with one argument more, its value.

use std::sync::Arc;

use crate::compile::Problem;
use taskloom_document::{BlockId, Name, Wire};

/// What stands for an object in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arg {
    /// The object.
    Object(u32),
    /// The variable with this number in its rule.
    Variable(u32),
}

/// An atom over the variables of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// Number of the fact: an index of [`Model::predicates`].
    pub predicate: u32,
    /// Its arguments.
    pub args: Box<[Arg]>,
}

/// A condition in negation normal form. [`Cond::All`] of nothing is true,
/// [`Cond::Any`] of nothing is false.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// The atom is true (`true`) or false (`false`).
    Atom(Atom, bool),
    /// The two are the same object (`true`) or not (`false`).
    Same(Arg, Arg, bool),
    /// Every one.
    All(Vec<Cond>),
    /// At least one.
    Any(Vec<Cond>),
    /// For every object of a type (an index of [`Model::types`]) in a variable.
    Every(u32, u32, Box<Cond>),
    /// For some object of a type in a variable.
    Some(u32, u32, Box<Cond>),
}

impl Cond {
    /// What holds always.
    pub fn truth() -> Self {
        Self::All(vec![])
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        let below = match self {
            Self::Atom(atom, _) => size_of_val(&*atom.args),
            Self::Same(..) => 0,
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::memory).sum(),
            Self::Every(_, _, body) | Self::Some(_, _, body) => body.memory(),
        };
        size_of::<Self>() + below
    }

    /// What never holds.
    pub fn falsehood() -> Self {
        Self::Any(vec![])
    }
}

/// A predicate.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// How many arguments its atoms have.
    pub arity: usize,
    /// Whether some action adds an atom of it.
    pub added: bool,
    /// Whether some action deletes an atom of it.
    pub deleted: bool,
}

impl Predicate {
    /// Whether its atoms keep their initial value for ever.
    pub fn is_static(&self) -> bool {
        !self.added && !self.deleted
    }
}

/// What an action does to one atom, or to one for every tuple of objects.
/// Conditions are read in the state before; deletes come before adds.
#[derive(Debug, Clone)]
pub struct Effect {
    /// Variables it runs over, with their types.
    pub forall: Vec<(u32, u32)>,
    /// When it happens.
    pub when: Cond,
    /// Whether the atom is added or deleted.
    pub add: bool,
    /// The atom.
    pub atom: Atom,
}

/// A primitive task.
#[derive(Debug, Clone)]
pub struct Action {
    /// Its number: an index of [`Model::tasks`].
    pub task: u32,
    /// Types of its parameters, which are the first variables. Every caller
    /// passes objects of these types.
    pub params: Vec<u32>,
    /// How many variables there are, with those of quantifiers and effects.
    pub frame: u32,
    /// Conjuncts of its precondition; none of them is a [`Cond::All`].
    pub precondition: Vec<Cond>,
    /// What it does.
    pub effects: Vec<Effect>,
}

/// A task of a method's network.
#[derive(Debug, Clone)]
pub struct Subtask {
    /// Its number: an index of [`Model::tasks`].
    pub task: u32,
    /// Its arguments.
    pub args: Box<[Arg]>,
}

/// One way to decompose a compound task.
#[derive(Debug, Clone)]
pub struct Method {
    /// The compound task: an index of [`Model::tasks`].
    pub task: u32,
    /// Types of the variables to be bound: first the task's parameters, then the others.
    pub vars: Vec<u32>,
    /// How many variables there are, with those of quantifiers.
    pub frame: u32,
    /// Conjuncts of its precondition, the task's own first; none is a [`Cond::All`].
    pub precondition: Vec<Cond>,
    /// Its task network, in the designer's order, which is a linear extension
    /// of [`Self::order`].
    pub subtasks: Vec<Subtask>,
    /// Which subtask comes directly before which, as pairs of positions.
    pub order: Vec<(u32, u32)>,
    /// Whether each subtask comes before the next.
    pub is_sequence: bool,
    /// Where it comes from.
    pub source: Source,
}

/// The resolution of a flowchart that a method is.
#[derive(Debug, Clone)]
pub struct Source {
    /// The blocks on the path.
    pub blocks: Arc<[BlockId]>,
    /// The wires between them.
    pub wires: Arc<[Wire]>,
    /// The Bind blocks on the path, their variables' names and numbers.
    pub binds: Vec<(BlockId, Name, u32)>,
    /// The Task block of each subtask.
    pub tasks: Vec<BlockId>,
}

/// What a task is.
#[derive(Debug, Clone)]
pub enum TaskKind {
    /// An index of [`Model::actions`].
    Primitive(u32),
    /// Indices of [`Model::methods`], in the designer's order.
    Compound(std::ops::Range<u32>),
}

/// A task.
#[derive(Debug, Clone)]
pub struct Task {
    /// Types of its parameters.
    pub params: Vec<u32>,
    /// What it is.
    pub kind: TaskKind,
}

/// A whole problem. What does not differ between its variants is shared.
#[derive(Debug, Clone)]
pub struct Model {
    /// What it was made from; numbers of objects, facts and tasks are the same.
    pub problem: Problem,
    /// How many objects there are.
    pub objects: u32,
    /// The objects of each type, ascending.
    pub types: Arc<Vec<Vec<u32>>>,
    /// By number of the fact.
    pub predicates: Vec<Predicate>,
    /// By number of the task.
    pub tasks: Vec<Task>,
    /// The primitive tasks.
    pub actions: Vec<Action>,
    /// The methods, those of one task together.
    pub methods: Vec<Method>,
    /// What is true at first: predicate, then objects.
    pub initial: Arc<Vec<Box<[u32]>>>,
    /// The initial task network, in sequence: task and objects.
    pub roots: Vec<(u32, Vec<u32>)>,
    /// Conjuncts of what has to hold at the end.
    pub goal: Vec<Cond>,
    /// How many variables the goal's quantifiers need.
    pub goal_frame: u32,
}

impl Model {
    /// Bytes of what it shares with its variants.
    pub fn shared_memory(&self) -> usize {
        let atoms = self.initial.iter();
        let atoms = atoms.map(|atom| size_of_val(atom) + size_of_val(&**atom));
        let types = self.types.iter();
        let types = types.map(|objects| size_of_val(objects) + size_of_val(&**objects));
        atoms.sum::<usize>() + types.sum::<usize>()
    }

    /// Bytes that its actions and methods take. It is worked out anew.
    pub fn memory(&self) -> usize {
        let conds = |conds: &[Cond]| conds.iter().map(Cond::memory).sum::<usize>();
        let action = |action: &Action| {
            let effects = action.effects.iter();
            let effects = effects.map(|e| size_of::<Effect>() + 32 + e.when.memory());
            size_of::<Action>() + conds(&action.precondition) + effects.sum::<usize>()
        };
        let actions: usize = self.actions.iter().map(action).sum();
        actions + self.methods.iter().map(Method::memory).sum::<usize>()
    }
}

impl Method {
    /// Bytes that it takes.
    fn memory(&self) -> usize {
        let Source {
            blocks,
            wires,
            binds,
            tasks,
        } = &self.source;
        let subtasks = self.subtasks.iter();
        let subtasks = subtasks.map(|s| size_of::<Subtask>() + size_of_val(&*s.args));
        size_of::<Self>()
            + size_of_val(&*self.vars)
            + self.precondition.iter().map(Cond::memory).sum::<usize>()
            + subtasks.sum::<usize>()
            + size_of_val(&*self.order)
            + size_of_val(&**blocks)
            + size_of_val(&**wires)
            + size_of_val(&**binds)
            + size_of_val(&**tasks)
    }

    /// Which subtask comes before which, directly or not.
    pub fn reach(&self) -> Vec<Vec<bool>> {
        let count = self.subtasks.len();
        let mut reach = vec![vec![false; count]; count];
        // The subtasks stand in an order that extends this one.
        for (from, to) in &self.order {
            let (from, to) = (*from as usize, *to as usize);
            reach[from][to] = true;
        }
        for to in 0..count {
            for middle in (0..to).rev() {
                if reach[middle][to] {
                    for row in &mut reach[..middle] {
                        row[to] |= row[middle];
                    }
                }
            }
        }
        reach
    }
}
