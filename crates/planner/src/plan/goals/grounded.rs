//! A task that is ready to be searched: only its reachable and relevant parts, with tables.

use std::sync::Arc;

use taskloom_document::stop::Stop;

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

impl Grounded {
    /// Keeps what is reachable from a state and relevant for one of these goals.
    pub fn new(compiler: Compiler, goals: &[u32], from: &[u64], stop: &Stop) -> Option<Self> {
        let (mut tables, task) = compiler.finish(goals);
        if stop.after(tables.len() as usize) {
            return None;
        }
        let mut task = Arc::into_inner(task)?;
        let shared = Arc::new(tables);
        let mut relaxed = Relaxed::new(&shared, &task);
        relaxed.run(&task, task.values(from), None, Sum::Max);
        let possible: Vec<bool> = (0..shared.len())
            .map(|operator| relaxed.is_possible(operator))
            .collect();
        drop(relaxed);
        tables = Arc::into_inner(shared)?;
        tables.retain(&possible);
        let mut numbers = vec![NONE; task.actions.len()];
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
        task.actions.retain(|_| kept.next() != Some(&NONE));
        tables.index(&task);
        if stop.after(tables.len() as usize + task.actions.len()) {
            return None;
        }
        Some(Self {
            successors: Successors::new(&task),
            tables: Arc::new(tables),
            task,
        })
    }

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
