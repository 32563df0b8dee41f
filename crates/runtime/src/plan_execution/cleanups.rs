//! The cleanups that a plan begins with, and the tasks that a new plan keeps.

use std::sync::Arc;

use taskloom_document::BlockId;
use taskloom_planner::plan::{GroundTask, Plan, World};

use super::clocks::ancestors;
use super::{Order, PlanExecution};
use crate::open::{Attempt, Joined};

impl PlanExecution {
    /// Returns the number of the character's tasks in its plan.
    pub fn own_roots(&self) -> usize {
        self.plan.roots.len().saturating_sub(self.cleanups.len())
    }

    /// Returns the root of the cleanup that a step is part of, and the aborted task.
    pub fn cleanup_of_step(&self, step: usize) -> Option<(usize, &GroundTask)> {
        let node = self.plan.steps.get(step)?.node;
        let root = ancestors(&self.plan, node).last()?;
        let roots = self.plan.roots.iter().zip(&self.cleanups);
        let mut cleanups = roots.map(|(root, aborted)| (*root, aborted));
        cleanups.find(|(cleanup, _)| *cleanup == root)
    }

    /// Returns `true` if a plan continues the steps in progress of the tasks that it must keep, as parts of
    /// the same tasks.
    pub fn is_kept_by(&self, attempt: &Attempt, plan: &Arc<Plan>, world: &World) -> bool {
        let mut next = Self::new(Joined::new(attempt.open.clone(), plan), self.number);
        next.order = Order::of(world, &next.plan);
        let continued = next.continued(self);
        let progressed = self.progressed();
        let mut kept = attempt.keeps.iter();
        kept.all(|node| {
            let is_continued = |(step, same): (usize, Option<usize>)| {
                let Some(depth) = self.depth_below(*node, step) else {
                    return true;
                };
                same.is_some_and(|same| {
                    let old = self.tasks_above(step).take(depth + 1);
                    old.eq(next.tasks_above(same).take(depth + 1))
                })
            };
            let mut running = self.running().map(|one| one.step).zip(continued.clone());
            progressed.first_done(*node).is_none() && running.all(is_continued)
        })
    }

    /// Returns how far a step is below a node, if it is.
    fn depth_below(&self, node: usize, step: usize) -> Option<usize> {
        let own = self.plan.steps.get(step)?.node;
        ancestors(&self.plan, own).position(|above| above == node)
    }

    /// Returns the task of a step and those above it, each with its block.
    fn tasks_above(&self, step: usize) -> impl Iterator<Item = (&GroundTask, Option<&BlockId>)> {
        let node = self.plan.steps.get(step).map(|step| step.node);
        let above = node
            .into_iter()
            .flat_map(|node| ancestors(&self.plan, node));
        above.map(|node| {
            let node = &self.plan.nodes[node];
            (&node.task, node.block.as_ref())
        })
    }
}
