//! The tasks that end with a step, and start to cool down then.

use taskloom_document::Name;
use taskloom_planner::plan::{Node, NodeKind, World};

use super::PlanExecution;
use crate::run::{Reason, StepExecution, TaskState};

/// A task that has ended, with its cooldown in ticks.
pub type Ended = (Name, u32);

impl PlanExecution {
    /// Returns the tasks with a cooldown that end with a step: its own, and each task above it of which no
    /// step remains, or of which this one has failed. A step that couldn't start has not begun either.
    pub fn ended_with(&self, execution: &StepExecution, world: &World) -> Vec<Ended> {
        let has_failed = execution.state == TaskState::Failed;
        let reason = execution.reason.as_ref().filter(|_| has_failed);
        let had_begun = match reason {
            Some(Reason::Precondition(_) | Reason::Denied(_) | Reason::Claimed(..)) => false,
            Some(Reason::Removed(_)) => execution.end != Some(execution.start),
            _ => true,
        };
        if !had_begun {
            return vec![];
        }
        let step = self.plan.steps.get(execution.step);
        let node = |number: usize| Some((number, self.plan.nodes.get(number)?));
        let above = std::iter::successors(step.and_then(|step| node(step.node)), |(_, one)| {
            node(one.parent?)
        });
        let with_cooldown = above.filter_map(|(number, one)| Some((number, ended(one, world)?)));
        let over = with_cooldown.filter(|(number, _)| has_failed || !self.remains_below(*number));
        over.map(|(_, ended)| ended).collect()
    }

    /// Returns the tasks with a cooldown that end with any of these steps.
    pub fn ended_with_all(&self, executions: &[StepExecution], world: &World) -> Vec<Ended> {
        let ended = executions.iter();
        ended.flat_map(|one| self.ended_with(one, world)).collect()
    }

    /// Returns the tasks under way with a cooldown that are complete although this plan has no step of
    /// them: what remained of them took no step.
    pub fn ended_without_steps(&self, world: &World) -> Vec<Ended> {
        let begun = self.begun.iter().enumerate();
        let begun = begun.filter_map(|(number, first)| first.as_ref().map(|_| number));
        let with_cooldown =
            begun.filter_map(|number| Some((number, ended(self.plan.nodes.get(number)?, world)?)));
        let over = with_cooldown.filter(|(number, _)| !self.any_below(*number, &|_| true));
        over.map(|(_, ended)| ended).collect()
    }

    /// Returns `true` if a step below a node, or the node itself, is incomplete or not planned yet.
    pub(super) fn remains_below(&self, node: usize) -> bool {
        self.any_below(node, &|step| {
            !self.complete.get(step).copied().unwrap_or(true)
        })
    }

    /// Returns `true` if a condition is true for any step below a node, or if a task there is not planned
    /// yet.
    pub(super) fn any_below(&self, node: usize, is: &dyn Fn(usize) -> bool) -> bool {
        self.below(node)
            .into_iter()
            .any(|node| match self.plan.nodes[node].kind {
                NodeKind::Step(step) => is(step),
                NodeKind::Pending => !self.is_over(node),
                NodeKind::Decomposed(_) => false,
            })
    }

    /// Returns a node and those below it; parents come before their children.
    pub(super) fn below(&self, node: usize) -> Vec<usize> {
        let mut below = vec![node];
        let mut next = 0;
        while let Some(number) = below.get(next) {
            let decomposed = self.plan.nodes[*number].decomposed();
            below.extend(decomposed.into_iter().flat_map(|one| &one.children));
            next += 1;
        }
        below
    }
}

/// Returns the task of a node, if it has a cooldown.
pub(super) fn ended(node: &Node, world: &World) -> Option<Ended> {
    let task = &node.task;
    let cooldown = match node.kind {
        NodeKind::Step(_) => world.primitive(task)?.record.cooldown,
        NodeKind::Decomposed(_) | NodeKind::Pending => world.compound(task)?.record.cooldown,
    };
    (cooldown > 0).then(|| (task.task.clone(), cooldown))
}
