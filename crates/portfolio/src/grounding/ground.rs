//! A ground problem: actions, methods and conditions as rows of numbers.

use super::condition::{GroundCondition, Need};
use taskloom_document::stop::Stop;
use taskloom_planner::search_kit::{MemoryUse, Rows};

/// The goal's entry in [`Ground::names`].
pub const GOAL: u32 = u32::MAX;

/// A conditional effect.
#[derive(Debug, Clone)]
pub struct Conditional {
    /// The condition, evaluated in the state before.
    pub when: Need,
    /// `true` if the atom is added, `false` if it is deleted.
    pub add: bool,
    /// The atom.
    pub atom: u32,
}

/// Preconditions, which are conjunctions.
#[derive(Debug, Default)]
pub struct Preconditions {
    /// The literals: twice the atom, plus one if negative.
    pub literals: Rows,
    /// The other conjuncts, as indices of [`Self::conditions`].
    pub others: Rows,
    /// The conjuncts that are not literals.
    pub conditions: Vec<GroundCondition>,
}

/// The effects of actions.
#[derive(Debug, Default)]
pub struct Effects {
    /// The atoms that each action deletes, before it adds.
    pub deletes: Rows,
    /// The atoms that each action adds.
    pub adds: Rows,
    /// The indices of [`Self::conditionals`] of each action.
    pub conditional: Rows,
    /// The conditional effects.
    pub conditionals: Vec<Conditional>,
}

/// The methods, grouped by task.
#[derive(Debug, Default)]
pub struct Methods {
    /// The first method of each compound task, numbered after the actions; its methods extend to
    /// the next task's first.
    pub first: Vec<u32>,
    /// The task of each method.
    pub task_of: Vec<u32>,
    /// The tasks of each method's network.
    pub subtasks: Rows,
    /// The model's method that each method is an instance of.
    pub lifted: Vec<u32>,
    /// The objects of each method's variables.
    pub objects: Rows,
}

/// A ground problem. Tasks below [`Self::actions`] are actions, the others compound tasks.
#[derive(Debug, Default)]
pub struct Ground {
    /// The number of atoms, which are those that change and that a condition depends on.
    pub atoms: u32,
    /// The atoms that are true initially, as bits.
    pub initial: Vec<u32>,
    /// The number of actions.
    pub actions: u32,
    /// The number of tasks.
    pub tasks: u32,
    /// For each task, the model's task or [`GOAL`], followed by the objects.
    pub names: Rows,
    /// The preconditions of the actions, then of the methods.
    pub preconditions: Preconditions,
    /// The effects of the actions.
    pub effects: Effects,
    /// The methods.
    pub methods: Methods,
    /// The initial task network, in sequence; the goal's action is last.
    pub roots: Vec<u32>,
    /// `true` if every method's network is a sequence.
    pub is_total: bool,
    /// Cancels searches, whose results are then meaningless.
    pub stop: Stop,
}

impl Ground {
    /// Returns the number of propositions of the delete relaxation: the literals, then the tasks.
    pub fn propositions(&self) -> usize {
        self.atoms as usize * 2 + self.tasks as usize
    }

    /// Returns the proposition that a task is done.
    pub fn proposition(&self, task: u32) -> u32 {
        self.atoms * 2 + task
    }

    /// Returns the number of actions and methods.
    pub fn rows(&self) -> u32 {
        self.actions + self.methods.task_of.len() as u32
    }

    /// Returns the literals required by an action, or by a method, numbered after the actions.
    pub fn needs(&self, row: u32) -> &[u32] {
        self.preconditions.literals.row(row)
    }

    /// Returns the condition of a conditional effect.
    pub fn when(&self, conditional: u32) -> &Need {
        &self.effects.conditionals[conditional as usize].when
    }

    /// Returns the tasks of a method's network.
    pub fn subtasks(&self, method: u32) -> &[u32] {
        self.methods.subtasks.row(method)
    }

    /// Returns the methods of a compound task.
    pub fn methods_of(&self, task: u32) -> std::ops::Range<u32> {
        let at = (task - self.actions) as usize;
        self.methods.first[at]..self.methods.first[at + 1]
    }

    /// Returns the approximate memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let Self {
            preconditions,
            effects,
            methods,
            ..
        } = self;
        let rows = [
            &self.names,
            &preconditions.literals,
            &preconditions.others,
            &effects.deletes,
            &effects.adds,
            &effects.conditional,
            &methods.subtasks,
            &methods.objects,
        ];
        // The heap memory of a condition is about as large as the condition itself.
        let conditions = preconditions.conditions.len() * size_of::<GroundCondition>();
        let conditionals = effects.conditionals.len() * size_of::<Conditional>();
        rows.iter().map(|r| r.memory_use()).sum::<MemoryUse>()
            + MemoryUse::of_vec(&preconditions.conditions)
            + MemoryUse::of_vec(&effects.conditionals)
            + MemoryUse::fixed(conditions + conditionals)
            + MemoryUse::of_vec(&methods.task_of)
            + MemoryUse::of_vec(&methods.lifted)
            + MemoryUse::of_vec(&methods.first)
    }
}
