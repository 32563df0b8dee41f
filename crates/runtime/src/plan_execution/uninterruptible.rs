//! Steps that replanning doesn't interrupt.

use taskloom_planner::plan::{GroundTask, World};

use super::PlanExecution;
use crate::run::Cause;

impl PlanExecution {
    /// Returns `true` if an uninterruptible step is in progress.
    pub fn is_uninterruptible(&self) -> bool {
        self.running
            .iter()
            .any(|running| running.is_uninterruptible)
    }

    /// Returns the uninterruptible task for whose end a reason to replan waits.
    pub fn delays_replanning(&self) -> Option<&GroundTask> {
        let mut running = self.running.iter();
        let delaying = running.find(|running| running.is_uninterruptible)?;
        let task = &self.plan.steps.get(delaying.execution.step)?.task;
        self.reconsiders.is_some().then_some(task)
    }

    /// Returns the reason for which another plan is looked for now: not while an uninterruptible step is
    /// in progress.
    pub fn replans(&self) -> Option<Cause> {
        self.reconsiders
            .filter(|_| !self.is_done() && !self.is_uninterruptible())
    }
}

/// Returns `true` if an actor doesn't replan while it executes a task.
pub(super) fn is_uninterruptible(world: &World, task: &GroundTask) -> bool {
    let task = world.primitive(task);
    task.is_some_and(|task| task.record.uninterruptible)
}
