//! The failures and completions of a plan's tasks, as far as their blocks limit how often they are retried.

use taskloom_domain::Domain;

use super::PlanExecution;
use super::clocks::ancestors;
use crate::failed_attempts::FailedAttempts;
use crate::run::{Reason, StepExecution};

impl PlanExecution {
    /// Counts the failure of a step for its task and those above it; `broken` is the lowest of them if the
    /// step has failed because of it. Records in the step's execution which tasks are given up, and returns
    /// the node of the highest one.
    pub fn count_failure(
        &self,
        execution: &mut StepExecution,
        broken: Option<usize>,
        domain: &Domain,
        attempts: &mut FailedAttempts,
    ) -> Option<usize> {
        if !execution.reason.as_ref().is_some_and(counts) {
            return None;
        }
        let step = self.plan.steps.get(execution.step)?;
        let mut highest = None;
        for node in ancestors(&self.plan, broken.unwrap_or(step.node)) {
            if attempts.fail(domain, &self.plan, node) {
                execution.gave_up.push(self.plan.nodes[node].task.clone());
                highest = Some(node);
            }
        }
        highest
    }

    /// Forgets the failures of the tasks that are complete with a step.
    pub fn count_completion(&self, execution: &StepExecution, attempts: &mut FailedAttempts) {
        let Some(step) = self.plan.steps.get(execution.step) else {
            return;
        };
        for node in ancestors(&self.plan, step.node) {
            if !self.remains_below(node) {
                attempts.complete(&self.plan, node);
            }
        }
    }

    /// Forgets the failures of the tasks under way that are complete although this plan has no step of
    /// them.
    pub fn count_completion_without_steps(&self, attempts: &mut FailedAttempts) {
        for node in 0..self.begun.len() {
            if self.was_begun(node) && !self.any_below(node, &|_| true) {
                attempts.complete(&self.plan, node);
            }
        }
    }
}

/// Returns `true` if a step that failed for this reason counts as an attempt.
fn counts(reason: &Reason) -> bool {
    match reason {
        Reason::Denied(_)
        | Reason::Forestalled(..)
        | Reason::Integrity(..)
        | Reason::MissedGoal(..)
        | Reason::Timeout(..)
        | Reason::Effects(_)
        | Reason::Action
        | Reason::Body(_) => true,
        Reason::Precondition(_)
        | Reason::Claimed(..)
        | Reason::Interrupted
        | Reason::Impossible(_)
        | Reason::ParallelFailure(_)
        | Reason::Ordered
        | Reason::MainBranchEnded(_)
        | Reason::Removed(_)
        | Reason::Duration(_)
        | Reason::Completion(_) => false,
    }
}
