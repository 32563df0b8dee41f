//! Checks of the open tasks and the progress of a plan from a saved game.

use taskloom_planner::plan::World;

use super::{Open, Progressed};
use crate::save;

impl Progressed {
    /// Checks that everything in its plan exists.
    ///
    /// # Errors
    /// Returns the reason if not.
    pub fn check(&self, world: &World) -> Result<(), String> {
        save::check(&self.plan, world)?;
        let is_node = |node: usize| node < self.plan.nodes.len();
        let is_sound = self.begun.len() <= self.plan.nodes.len()
            && self.started.len() <= self.plan.nodes.len()
            && self.step <= self.plan.steps.len()
            && self.broken.is_none_or(is_node)
            && self.cleanups.len() <= self.plan.roots.len();
        match is_sound {
            true => Ok(()),
            false => Err("its progress is damaged".to_owned()),
        }
    }
}

impl Open {
    /// Checks that everything in its tree exists.
    ///
    /// # Errors
    /// Returns the reason if not.
    pub fn check(&self, world: &World) -> Result<(), String> {
        save::check(&self.tree, world)?;
        let nodes = self.tree.nodes.len();
        let is_sound = self.begun.len() == nodes
            && self.started.len() <= nodes
            && self.leaves.len() == self.sources.len()
            && self.leaves.iter().all(|leaf| *leaf < nodes)
            && self.cleanups.len() <= self.tree.roots.len();
        match is_sound {
            true => Ok(()),
            false => Err("its open tasks are damaged".to_owned()),
        }
    }
}
