//! Goals of tasks: a task fails if its goal is false when its last step is complete (semantics, section 5). What is done
//! again first after a failure.

use std::slice;

use taskloom_planner::plan::World;

use super::PlanExecution;
use super::clocks::ancestors;
use crate::run::{Reason, StepExecution, TaskState};
use crate::task_options::GuardOf;

impl PlanExecution {
    /// Makes a step that has just been completed fail, if a task whose last step it is has missed its goal.
    pub fn check_goals(&mut self, execution: &mut StepExecution, believed: &World) {
        let plan = self.plan.clone();
        let Some(step) = plan.steps.get(execution.step) else {
            return;
        };
        for node in ancestors(&plan, step.node).skip(1) {
            if self.remains_below(node) {
                return;
            }
            let task = &plan.nodes[node].task;
            let compound = believed.compound(task);
            let goal = compound.and_then(|read| Some((read.goal.as_ref()?, &read.record.params)));
            let Some((goal, params)) = goal else {
                continue;
            };
            let missed = believed.first_violation(slice::from_ref(goal), params, &task.args);
            if let Some(goal) = missed {
                execution.state = TaskState::Failed;
                execution.reason = Some(Reason::MissedGoal(task.clone(), goal));
                self.reopen(execution.step);
                return;
            }
        }
    }

    /// Makes a step incomplete again.
    fn reopen(&mut self, step: usize) {
        self.complete[step] = false;
        self.step = self.step.min(step);
    }

    /// Returns the node below the task that is done again first because a task has failed: below the task itself, if it
    /// has missed its goal or its block repeats it, and otherwise below the one above it. If that hasn't begun, it is
    /// open as a whole.
    pub fn redone_above(
        &self,
        execution: &StepExecution,
        failed: Option<usize>,
        guard: GuardOf,
    ) -> Option<usize> {
        let is_missed = matches!(execution.reason, Some(Reason::MissedGoal(..)));
        let failed = failed?;
        if !is_missed && !guard(&self.plan, failed).repeats {
            return Some(failed);
        }
        self.progressed().first_done(failed)?;
        let step = self.plan.steps.get(execution.step)?;
        let mut path = ancestors(&self.plan, step.node);
        path.find(|node| self.plan.nodes[*node].parent == Some(failed))
    }
}
