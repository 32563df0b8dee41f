//! The lifted model: actions and methods with variables, conditions in negation normal form over
//! boolean atoms, and task networks. Charts, slots and value kinds are
//! compiled away; everything has an index.
//!
//! An object fact becomes an atom with its value as an additional argument.

use std::sync::Arc;

use super::condition::{Arg, Atom, Condition};
use taskloom_document::{BlockId, Name, Wire};
use taskloom_planner::compile::Problem;

/// A predicate.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// The number of arguments of its atoms.
    pub arity: usize,
    /// `true` if some action adds an atom of it.
    pub added: bool,
    /// `true` if some action deletes an atom of it.
    pub deleted: bool,
}

impl Predicate {
    /// Returns `true` if its atoms keep their initial value forever.
    pub fn is_static(&self) -> bool {
        !self.added && !self.deleted
    }
}

/// An action's effect on one atom, or on one for every tuple of objects. Conditions are evaluated
/// in the state before; deletes come before adds.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The quantified variables, with their types.
    pub forall: Vec<(u32, u32)>,
    /// The condition of the effect.
    pub when: Condition,
    /// `true` if the atom is added, `false` if it is deleted.
    pub add: bool,
    /// The atom.
    pub atom: Atom,
}

/// A primitive task.
#[derive(Debug, Clone)]
pub struct Action {
    /// An index of [`Model::tasks`].
    pub task: u32,
    /// The types of its parameters, which are the first variables. Every caller passes objects of
    /// these types.
    pub params: Vec<u32>,
    /// The number of variables, including those of quantifiers and effects.
    pub frame: u32,
    /// The conjuncts of its precondition; none of them is a [`Condition::All`].
    pub precondition: Vec<Condition>,
    /// Its effects.
    pub effects: Vec<Effect>,
}

/// A task of a method's network.
#[derive(Debug, Clone)]
pub struct Subtask {
    /// An index of [`Model::tasks`].
    pub task: u32,
    /// Its arguments.
    pub args: Box<[Arg]>,
}

/// A method of a compound task.
#[derive(Debug, Clone)]
pub struct Method {
    /// The compound task: an index of [`Model::tasks`].
    pub task: u32,
    /// The types of the variables to be bound: the task's parameters first, then the others.
    pub vars: Vec<u32>,
    /// The number of variables, including those of quantifiers.
    pub frame: u32,
    /// The conjuncts of its precondition, the task's own first; none is a [`Condition::All`].
    pub precondition: Vec<Condition>,
    /// Its task network, in the designer's order, which is a linear extension of [`Self::order`].
    pub subtasks: Vec<Subtask>,
    /// The direct orderings of the subtasks, as pairs of positions.
    pub order: Vec<(u32, u32)>,
    /// `true` if each subtask comes before the next.
    pub is_sequence: bool,
    /// Its origin.
    pub source: Source,
}

/// The resolution of a flowchart that a method represents.
#[derive(Debug, Clone)]
pub struct Source {
    /// The blocks on the path.
    pub blocks: Arc<[BlockId]>,
    /// The wires between them.
    pub wires: Arc<[Wire]>,
    /// The Bind blocks on the path, with their variables' names and numbers.
    pub binds: Vec<(BlockId, Name, u32)>,
    /// The Task block of each subtask, and `true` if it is in the background.
    pub tasks: Vec<(BlockId, bool)>,
}

/// The kind of a task.
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
    /// The types of its parameters.
    pub params: Vec<u32>,
    /// Its kind.
    pub kind: TaskKind,
}

/// A whole problem. Variants of it share the parts that do not differ.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its origin; objects, facts and tasks have the same numbers.
    pub problem: Problem,
    /// The number of objects.
    pub objects: u32,
    /// The objects of each type, ascending.
    pub types: Arc<Vec<Vec<u32>>>,
    /// Indexed by the fact's number.
    pub predicates: Vec<Predicate>,
    /// Indexed by the task's number.
    pub tasks: Vec<Task>,
    /// The primitive tasks.
    pub actions: Vec<Action>,
    /// The methods, grouped by task.
    pub methods: Vec<Method>,
    /// The atoms that are true initially: predicate, then objects.
    pub initial: Arc<Vec<Box<[u32]>>>,
    /// The initial task network, in sequence: task and objects.
    pub roots: Vec<(u32, Vec<u32>)>,
    /// The conjuncts of the goal at the end.
    pub goal: Vec<Condition>,
    /// The number of variables that the goal's quantifiers need.
    pub goal_frame: u32,
}

impl Model {
    /// Returns the memory use of the parts shared with its variants, in bytes.
    pub fn shared_memory(&self) -> usize {
        let atoms = self.initial.iter();
        let atoms = atoms.map(|atom| size_of_val(atom) + size_of_val(&**atom));
        let types = self.types.iter();
        let types = types.map(|objects| size_of_val(objects) + size_of_val(&**objects));
        atoms.sum::<usize>() + types.sum::<usize>()
    }

    /// Computes the memory use of its actions and methods, in bytes, on every call.
    pub fn memory(&self) -> usize {
        let conds = |conds: &[Condition]| conds.iter().map(Condition::memory).sum::<usize>();
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
    /// Returns the memory use in bytes.
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
            + self
                .precondition
                .iter()
                .map(Condition::memory)
                .sum::<usize>()
            + subtasks.sum::<usize>()
            + size_of_val(&*self.order)
            + size_of_val(&**blocks)
            + size_of_val(&**wires)
            + size_of_val(&**binds)
            + size_of_val(&**tasks)
    }

    /// Returns the transitive closure of the ordering of the subtasks.
    pub fn reach(&self) -> Vec<Vec<bool>> {
        let count = self.subtasks.len();
        let mut reach = vec![vec![false; count]; count];
        // The order of the subtasks is an extension of this one.
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
