//! Checks of a plan's execution from a saved game.

use std::mem;

use serde::{Deserialize, Serialize};
use taskloom_planner::plan::{GroundTask, World};

use super::PlanExecution;
use crate::run::StepExecution;
use crate::save;

/// A step that was in progress when its plan was dropped.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Abandoned {
    /// The task.
    pub task: GroundTask,
    /// The execution.
    pub execution: StepExecution,
    /// The number of the start of its action, if that is running.
    pub action: Option<u64>,
}

impl PlanExecution {
    /// Checks that everything in the plan exists, and that the progress fits the plan.
    ///
    /// # Errors
    /// Returns the reason if not.
    pub fn check(&self, world: &World) -> Result<(), String> {
        self.progressed().check(world)?;
        let steps = self.plan.steps.len();
        let is_sound = self.complete.len() == steps
            && self.over.len() <= self.plan.nodes.len()
            && self.running().all(|one| one.step < steps)
            && (self.step == steps || self.complete.get(self.step) == Some(&false));
        match is_sound {
            true => Ok(()),
            false => Err("its progress is damaged".to_owned()),
        }
    }

    /// Finds its timeouts, which aren't saved since they depend on the document.
    pub fn prepare(&mut self, world: &World) {
        self.clocks.prepare(world.domain(), &self.plan);
    }

    /// Ends it. Returns the number of the character's tasks that are complete, and the steps in progress.
    pub fn abandon(&mut self) -> (usize, Vec<Abandoned>) {
        let running = mem::take(&mut self.running).into_iter();
        let abandoned = running.filter_map(|one| {
            Some(Abandoned {
                task: self.plan.steps.get(one.execution.step)?.task.clone(),
                execution: one.execution,
                action: one.action,
            })
        });
        let abandoned = abandoned.collect();
        let complete = match save::check_indices(&self.plan) {
            true => self.complete_tasks(),
            false => 0,
        };
        (complete, abandoned)
    }
}
