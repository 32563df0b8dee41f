//! A task that is ready to be searched: only its reachable and relevant parts, with tables.

use std::sync::Arc;

use super::caps::caps;
use super::compiler::Compiler;
use super::formula::Cond;
use super::operators::Operators;
use super::relax::{Relaxed, Sum};
use super::successors::Successors;
use super::task::Task;
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// A task with its tables.
#[derive(Debug)]
pub struct Grounded {
    /// The actions that are reachable and relevant for a goal.
    pub task: Task,
    /// The delete relaxation of the task.
    pub tables: Arc<Operators>,
    /// The generator of applicable actions.
    pub successors: Successors,
}

/// Finds what is reachable from a state and relevant for one of the goals, and drops the rest, in passes
/// over the tables.
#[derive(Debug)]
pub struct Pruning {
    pass: Pass,
    tables: Operators,
    task: Task,
    goals: Vec<u32>,
    /// The words of the initial state.
    from: Vec<u64>,
    /// The work done so far, in entries of the tables.
    pub work: u64,
}

/// The next pass.
#[derive(Debug)]
enum Pass {
    /// Builds the rows that lead to readers.
    Index,
    /// Finds the operators that are relevant for a goal.
    FindRelevant,
    /// Drops all others.
    KeepRelevant(Vec<bool>),
    /// Finds the operators that are reachable.
    FindReachable,
    /// Drops all others.
    KeepReachable(Vec<bool>),
    /// Builds the generator of applicable actions.
    Successors,
}

impl Pruning {
    /// Starts with the tables of a compiler; `None` if something else refers to its task.
    pub fn new(compiler: Compiler, goals: Vec<u32>, from: Vec<u64>) -> Option<Self> {
        let (tables, task) = compiler.finish();
        Some(Self {
            pass: Pass::Index,
            tables,
            task: Arc::into_inner(task)?,
            goals,
            from,
            work: 0,
        })
    }

    /// Returns the work of a pass.
    pub fn size(&self) -> u64 {
        self.tables.size()
    }

    /// Does the next pass. After the last one, returns the result and the work done.
    pub fn step(mut self: Box<Self>) -> Result<(Grounded, u64), Box<Self>> {
        self.work += 1 + self.tables.size();
        self.pass = match std::mem::replace(&mut self.pass, Pass::Index) {
            Pass::Index => {
                self.tables.index(&self.task);
                Pass::FindRelevant
            }
            Pass::FindRelevant => Pass::KeepRelevant(self.tables.relevant(&self.task, &self.goals)),
            Pass::KeepRelevant(relevant) => {
                self.tables.retain(&relevant);
                self.tables.index(&self.task);
                Pass::FindReachable
            }
            Pass::FindReachable => Pass::KeepReachable(self.reachable()),
            Pass::KeepReachable(reachable) => {
                self.keep(&reachable);
                Pass::Successors
            }
            Pass::Successors => {
                let grounded = Grounded {
                    successors: Successors::new(&self.task),
                    tables: Arc::new(self.tables),
                    task: self.task,
                };
                return Ok((grounded, self.work));
            }
        };
        Err(self)
    }

    /// Returns for each operator `true` if it is reachable.
    fn reachable(&mut self) -> Vec<bool> {
        let shared = Arc::new(std::mem::take(&mut self.tables));
        let mut relaxed = Relaxed::new(&shared, &self.task);
        let values = self.task.values(&self.from);
        relaxed.run(&self.task, values, None, Sum::Max);
        let possible = (0..shared.len()).map(|operator| relaxed.is_possible(operator));
        let possible = possible.collect();
        self.work += relaxed.work;
        drop(relaxed);
        self.tables = Arc::into_inner(shared).unwrap_or_default();
        possible
    }

    /// Keeps these operators, and the actions that have one of them.
    fn keep(&mut self, possible: &[bool]) {
        let tables = &mut self.tables;
        tables.retain(possible);
        let mut numbers = vec![NONE; self.task.actions.len()];
        for action in &tables.actions {
            if *action != NONE {
                numbers[*action as usize] = 0;
            }
        }
        let kept = numbers.iter_mut().filter(|number| **number != NONE);
        for (next, number) in (0..).zip(kept) {
            *number = next;
        }
        for action in tables.actions.iter_mut().filter(|action| **action != NONE) {
            *action = numbers[*action as usize];
        }
        let mut kept = numbers.iter();
        self.task.actions.retain(|_| kept.next() != Some(&NONE));
        tables.index(&self.task);
    }
}

impl Grounded {
    /// Caps the numbers that only grow, for searches from a state for goals with these conditions.
    pub fn cap<'a>(&mut self, from: &[u64], goals: impl Iterator<Item = &'a Cond>) {
        let domains = &self.tables.propositions.domains;
        self.task.caps = caps(&self.task, domains, from, goals);
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let actions = self.task.actions.iter().map(|action| action.memory());
        MemoryUse::fixed(actions.sum())
            + MemoryUse::fixed(self.task.booleans.memory_use().bytes as usize)
            + MemoryUse::fixed(self.task.valued.memory_use().bytes as usize)
            + self.tables.memory_use()
            + self.successors.memory_use()
    }
}
