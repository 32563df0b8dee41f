//! The failures of an actor's tasks, as far as their blocks limit them.

use serde::{Deserialize, Serialize};
use taskloom_document::{BlockId, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::{GroundTask, Plan, World};

use crate::save;
use crate::task_options::block_of;

/// The failures of tasks without a completion in between.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FailedAttempts(Vec<FailedAttempt>);

/// The failures of a ground task of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FailedAttempt {
    /// The compound task whose method has the block.
    method: Name,
    block: BlockId,
    task: GroundTask,
    /// The number of failures.
    failed: u32,
}

impl FailedAttempts {
    /// Counts a failure of a node. Returns `true` if its block allows no more of them; the count then
    /// begins again.
    pub fn fail(&mut self, domain: &Domain, plan: &Plan, node: usize) -> bool {
        let limit = block_of(domain, plan, node).and_then(|block| block.retry());
        let (Some(limit), Some((method, block, task))) = (limit, key(plan, node)) else {
            return false;
        };
        let is_it = |one: &FailedAttempt| one.is(method, block, task);
        let at = self.0.iter().position(is_it).unwrap_or_else(|| {
            self.0.push(FailedAttempt {
                method: method.clone(),
                block: block.clone(),
                task: task.clone(),
                failed: 0,
            });
            self.0.len() - 1
        });
        self.0[at].failed += 1;
        let gives_up = self.0[at].failed > limit;
        if gives_up {
            self.0.remove(at);
        }
        gives_up
    }

    /// Forgets the failures of a node, because it is complete.
    pub fn complete(&mut self, plan: &Plan, node: usize) {
        if !self.0.is_empty()
            && let Some((method, block, task)) = key(plan, node)
        {
            self.0.retain(|one| !one.is(method, block, task));
        }
    }

    /// Keeps only those whose task exists.
    pub fn retain_existing(&mut self, world: &World) {
        self.0
            .retain(|one| save::task_exists(&one.task, world).is_ok());
    }
}

impl FailedAttempt {
    fn is(&self, method: &Name, block: &BlockId, task: &GroundTask) -> bool {
        self.method == *method && self.block == *block && self.task == *task
    }
}

/// Returns the compound task whose method has a node's block, the block, and the node's task.
fn key(plan: &Plan, node: usize) -> Option<(&Name, &BlockId, &GroundTask)> {
    let node = plan.nodes.get(node)?;
    let parent = plan.nodes.get(node.parent?)?;
    Some((&parent.task.task, node.block.as_ref()?, &node.task))
}
