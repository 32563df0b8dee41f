//! Tables shared by all searches of a problem: the operators that need a literal, and the methods
//! that have a task as a subtask.

use crate::plan::grounding::ground::Ground;
use crate::plan::memory::MemoryUse;
use crate::plan::rows::{Grouping, Rows};

/// The users of literals and tasks. It is shared by all searches of a problem.
#[derive(Debug)]
pub struct Tables {
    /// By literal: the operators that need it.
    pub users: Rows,
    /// By task: the methods that have it as a subtask.
    pub parents: Rows,
}

impl Tables {
    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.users.memory_use() + self.parents.memory_use()
    }
}

/// Builds [`Tables`] incrementally.
#[derive(Debug)]
pub struct TableMaker {
    users: Grouping,
    parents: Grouping,
    is_counted: bool,
    at: u32,
}

impl TableMaker {
    /// Starts for a problem.
    pub fn new(ground: &Ground) -> Self {
        Self {
            users: Grouping::new(ground.atoms as usize * 2),
            parents: Grouping::new(ground.tasks as usize),
            is_counted: false,
            at: 0,
        }
    }

    /// Returns the memory use, including that of the tables under construction.
    pub fn memory_use(&self) -> MemoryUse {
        self.users.memory_use() + self.parents.memory_use()
    }

    /// Continues until the budget `left` is used up. Returns the tables once they are complete.
    pub fn step(&mut self, ground: &Ground, left: &mut i64) -> Option<Tables> {
        let rows = ground.actions + ground.task_of.len() as u32;
        while *left > 0 {
            *left -= 4;
            let (users, parents) = (&mut self.users, &mut self.parents);
            match self.is_counted {
                false => uses(
                    ground,
                    self.at,
                    |l, _| users.count(l),
                    |t, _| parents.count(t),
                ),
                true => {
                    let put = |task, method| parents.put(task, method);
                    uses(ground, self.at, |l, row| users.put(l, row), put);
                }
            }
            self.at += 1;
            // Actions and methods come first, then conditional effects.
            if self.at < rows + ground.actions {
                continue;
            }
            self.at = 0;
            if std::mem::replace(&mut self.is_counted, true) {
                return Some(Tables {
                    users: std::mem::take(&mut self.users).finish(),
                    parents: std::mem::take(&mut self.parents).finish(),
                });
            }
            self.users.counted();
            self.parents.counted();
        }
        None
    }
}

/// Visits the literals that an action or method needs, and the subtasks of a method; for a number
/// after all of these, visits the literals that an action's conditional effects need.
fn uses(
    ground: &Ground,
    at: u32,
    mut user: impl FnMut(u32, u32),
    mut parent: impl FnMut(u32, u32),
) {
    let rows = ground.actions + ground.task_of.len() as u32;
    if let Some(action) = at.checked_sub(rows) {
        if action < ground.actions {
            for conditional in ground.conditional.row(action) {
                let own = ground.needs.row(action).iter();
                let when = &ground.conditionals[*conditional as usize].when.literals;
                own.chain(when).for_each(|l| user(*l, rows + conditional));
            }
        }
        return;
    }
    ground.needs.row(at).iter().for_each(|l| user(*l, at));
    if let Some(method) = at.checked_sub(ground.actions) {
        let row = ground.subtasks.row(method);
        for (number, task) in row.iter().enumerate() {
            if !row[..number].contains(task) {
                parent(*task, method);
            }
        }
    }
}
