//! A plan's execution when objects were removed.

use taskloom_planner::plan::NodeKind;

use super::PlanExecution;
use crate::character::Lost;

impl PlanExecution {
    /// Makes the steps in progress fail that name a lost object. Returns `true` if any does, and whether a task
    /// does of which no step has started.
    pub fn lose(&mut self, lost: &Lost) -> (bool, bool) {
        let mut fails = false;
        for running in &mut self.running {
            let step = self.plan.steps.get(running.execution.step);
            let object = step.and_then(|step| lost.named_by(&step.task));
            running.lost = running.lost.take().or_else(|| object.cloned());
            fails |= running.lost.is_some();
            running.execution.claims.retain(|object| !lost.has(object));
        }
        let nodes = self.plan.nodes.iter().enumerate();
        let mut named = nodes.filter(|(_, node)| lost.named_by(&node.task).is_some());
        (fails, named.any(|(number, _)| !self.has_started(number)))
    }

    /// Returns `true` if a step of a node has started.
    fn has_started(&self, node: usize) -> bool {
        let has_begun = |step: usize| {
            self.complete.get(step).copied().unwrap_or(true)
                || self.running().any(|execution| execution.step == step)
        };
        let mut open = vec![node];
        while let Some(number) = open.pop() {
            match self.plan.nodes.get(number).map(|node| &node.kind) {
                _ if self.was_begun(number) => return true,
                Some(NodeKind::Step(step)) if has_begun(*step) => return true,
                Some(NodeKind::Decomposed(decomposed)) => open.extend(&decomposed.children),
                Some(NodeKind::Step(_) | NodeKind::Pending) | None => {}
            }
        }
        false
    }
}
