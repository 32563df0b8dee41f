//! The readers of each proposition of a ground problem, collected once for all its searches.

use crate::grounding::ground::Ground;
use taskloom_planner::search_kit::{Grouping, MemoryUse, Rows};

/// Collects the readers of propositions incrementally: those of literals, which are actions,
/// methods and conditional effects, and then those of tasks, which are methods.
#[derive(Debug)]
pub struct ReaderCollector {
    readers: Grouping,
    is_counted: bool,
    at: u32,
}

impl ReaderCollector {
    /// Starts for a problem.
    pub fn new(ground: &Ground) -> Self {
        Self {
            readers: Grouping::new(ground.propositions()),
            is_counted: false,
            at: 0,
        }
    }

    /// Returns the memory use, including that of the rows under construction.
    pub fn memory_use(&self) -> MemoryUse {
        self.readers.memory_use()
    }

    /// Continues until the budget `left` is used up. Returns for each proposition the operators
    /// that require it, once they are complete.
    pub fn step(&mut self, ground: &Ground, left: &mut i64) -> Option<Rows> {
        let rows = ground.rows();
        while *left > 0 {
            *left -= 4;
            let readers = &mut self.readers;
            match self.is_counted {
                false => requirements(ground, self.at, |required, _| readers.count(required)),
                true => requirements(ground, self.at, |required, by| readers.put(required, by)),
            }
            self.at += 1;
            // Actions and methods come first, then conditional effects.
            if self.at < rows + ground.actions {
                continue;
            }
            self.at = 0;
            if std::mem::replace(&mut self.is_counted, true) {
                return Some(std::mem::take(&mut self.readers).finish());
            }
            self.readers.counted();
        }
        None
    }
}

/// Visits the propositions that an action or method requires; for a number after all of these, those
/// that an action's conditional effects require.
fn requirements(ground: &Ground, at: u32, mut visit: impl FnMut(u32, u32)) {
    let rows = ground.rows();
    if let Some(action) = at.checked_sub(rows) {
        if action < ground.actions {
            for conditional in ground.effects.conditional.row(action) {
                let own = ground.needs(action).iter();
                let when = &ground.when(*conditional).literals;
                own.chain(when).for_each(|l| visit(*l, rows + conditional));
            }
        }
        return;
    }
    ground.needs(at).iter().for_each(|l| visit(*l, at));
    if let Some(method) = at.checked_sub(ground.actions) {
        let row = ground.subtasks(method);
        for (number, task) in row.iter().enumerate() {
            if !row[..number].contains(task) {
                visit(ground.proposition(*task), at);
            }
        }
    }
}
