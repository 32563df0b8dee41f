//! Compares open tasks by the designer's order.

use super::{NetTask, Network};

impl Network {
    /// Returns the last ready task before an open one, in the designer's order.
    ///
    /// There may be many ready tasks between `near` and the task, and many waiting ones before the
    /// task, so both directions are walked in turn: the shorter one decides.
    pub(super) fn last_ready_before(&self, task: u32, near: u32) -> u32 {
        let (mut last, mut before) = (near, self.tasks[task as usize].previous);
        loop {
            if before == 0 || self.tasks[before as usize].waits == 0 {
                return before;
            }
            before = self.tasks[before as usize].previous;
            let next = self.tasks[last as usize].ready_next;
            if next == 0 || self.is_before(task, next) {
                return last;
            }
            last = next;
        }
    }

    /// Returns `true` if an open task comes before another in the designer's order.
    fn is_before(&self, one: u32, other: u32) -> bool {
        let of = |task: u32| &self.tasks[task as usize];
        let up_to = |mut task: u32, level: u32| {
            while of(task).level > level {
                let NetTask { jump, parent, .. } = *of(task);
                task = if of(jump).level >= level {
                    jump
                } else {
                    parent
                };
            }
            task
        };
        let level = of(one).level.min(of(other).level);
        let (mut one, mut other) = (up_to(one, level), up_to(other, level));
        while of(one).parent != of(other).parent {
            let jumps = (of(one).jump, of(other).jump);
            (one, other) = match jumps.0 == jumps.1 {
                true => (of(one).parent, of(other).parent),
                false => jumps,
            };
        }
        one < other
    }

    /// Computes the jump pointer of a task's children; see [`NetTask::jump`].
    pub(super) fn jump_of_children(&self, parent: u32) -> u32 {
        let level = |task: u32| self.tasks[task as usize].level;
        let jump = self.tasks[parent as usize].jump;
        let next = self.tasks[jump as usize].jump;
        match level(parent) - level(jump) == level(jump) - level(next) {
            true => next,
            false => parent,
        }
    }
}
