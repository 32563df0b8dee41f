//! Reasons to plan that wait for the end of an uninterruptible step.

use super::interpreter::{Activity, Run};
use super::record::Cause;
use super::tree;

impl Run<'_> {
    /// Returns why a character plans at its turn, if it does. A reason to look for another plan waits
    /// while an uninterruptible step is in progress.
    pub fn why_plan(&mut self, number: usize) -> Option<Cause> {
        let found = self.reason(number);
        let Activity::Follows(followed) = self.cast[number].activity else {
            return found;
        };
        let plan = self.record.plan(followed);
        let is_done = self.first_open(number, plan) == plan.steps.len();
        let waits = self.is_uninterruptible(number);
        let one = &mut self.cast[number];
        if one.pending == Some(Cause::Background) && found.is_some() {
            // Any other reason looks for better plans, too.
            one.pending = None;
        }
        if is_done {
            one.pending = None;
        } else if waits {
            self.record.delayed += usize::from(one.pending.is_none() && found.is_some());
            one.pending = one.pending.or(found);
            return None;
        }
        one.pending.take().or(found)
    }

    /// Takes the reason to plan that a character has while it executes a plan, unless an uninterruptible
    /// step is in progress.
    pub fn take_pending(&mut self, number: usize) -> Option<Cause> {
        self.must_plan(number)
            .then(|| self.cast[number].pending.take())?
    }

    /// Returns `true` if a character has to plan before its plan continues.
    pub fn must_plan(&self, number: usize) -> bool {
        let one = &self.cast[number];
        let Activity::Follows(followed) = one.activity else {
            return false;
        };
        let plan = self.record.plan(followed);
        let is_done = self.first_open(number, plan) == plan.steps.len();
        one.pending.is_some() && !is_done && !self.is_uninterruptible(number)
    }

    /// Returns `true` if an uninterruptible step is in progress.
    fn is_uninterruptible(&self, number: usize) -> bool {
        let mut running = self.cast[number].running.iter();
        running.any(|(step, _)| {
            let plan = self.record.plan(step.plan);
            let task = tree::task_of_step(self.domain, plan, step.step);
            self.domain.primitive(task.task).uninterruptible
        })
    }
}
