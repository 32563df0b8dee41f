//! Tasks that are aborted, and the tasks that clean up after them.

use std::fmt;

use serde::{Deserialize, Serialize};
use taskloom_domain::lang::Env;
use taskloom_planner::plan::{GroundTask, Plan, World};

use crate::open::Progressed;
use crate::task_options::block_of;

/// A task that was aborted: it had started, and ended without being complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abort {
    /// The task.
    pub task: GroundTask,
    /// The task that cleans up after it.
    pub cleanup: GroundTask,
    /// `true` if the plan doesn't clean up, because there was none that does.
    pub is_dropped: bool,
}

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, cleanup, .. } = self;
        match self.is_dropped {
            false => write!(f, "aborts {task}, so it begins with {cleanup}"),
            true => write!(
                f,
                "aborts {task} and skips {cleanup}, since no plan includes it"
            ),
        }
    }
}

/// Returns the task that cleans up after a node of a plan, if its block names one.
pub type CleanupOf<'c> = &'c dyn Fn(&Plan, usize) -> Option<GroundTask>;

/// Returns the task that cleans up after a node of a plan, if its block names one. Its arguments are
/// evaluated in this world.
pub fn cleanup_of(world: &World, plan: &Plan, node: usize) -> Option<GroundTask> {
    let domain = world.domain();
    block_of(domain, plan, node)?.on_abort()?;
    let node = plan.nodes.get(node)?;
    let parent = plan.nodes.get(node.parent?)?;
    let (compound, decomposed) = (world.compound(&parent.task)?, parent.decomposed()?);
    let method = domain.method(compound)?;
    let position = method.position(node.block.as_ref()?)?;
    let call = domain.content(method, position).on_abort()?;
    let mut env = Env::new();
    for (param, object) in compound.record.params.iter().zip(&parent.task.args) {
        env.bind(param.name.clone(), object.clone());
    }
    for bind in method.binds_above(position) {
        let id = &method.chart.blocks[bind as usize].id;
        let mut bindings = decomposed.bindings.iter();
        if let Some((_, variable, object)) = bindings.find(|(block, ..)| block == id) {
            env.bind(variable.clone(), object.clone());
        }
    }
    world.ground(call.value.as_ref()?, &env).ok()
}

impl Progressed {
    /// Returns the character's tasks that have started and aren't complete, except for those `kept`, with
    /// their cleanups: in the reverse of the designer's order, so inner ones come first. If two need the
    /// same cleanup, only the first is listed.
    pub(super) fn aborted(&self, kept: &[usize], cleanup: CleanupOf) -> Vec<(usize, Abort)> {
        let plan = &self.plan;
        let mut found: Vec<(usize, Abort)> = vec![];
        if plan.target.is_some() {
            return found;
        }
        let complete = self.complete_nodes();
        let own = plan.roots.iter().skip(self.cleanups.len());
        let mut open: Vec<usize> = own.copied().collect();
        let mut started = vec![];
        while let Some(number) = open.pop() {
            let has_started = self.started.get(number).copied().flatten().is_some();
            if complete[number] || !has_started {
                continue;
            }
            // In this order, tasks come before what is inside them.
            started.push(number);
            if let Some(decomposed) = plan.nodes[number].decomposed() {
                open.extend(decomposed.children.iter().rev());
            }
        }
        for number in started.into_iter().rev() {
            if kept.contains(&number) {
                continue;
            }
            if let Some(cleanup) = cleanup(plan, number)
                && found.iter().all(|(_, other)| other.cleanup != cleanup)
            {
                let abort = Abort {
                    task: plan.nodes[number].task.clone(),
                    cleanup,
                    is_dropped: false,
                };
                found.push((number, abort));
            }
        }
        found
    }

    /// Returns the cleanups that its plan begins with and that are not complete, with the nodes of their
    /// roots.
    pub(super) fn pending_cleanups(&self) -> Vec<(usize, Abort)> {
        let complete = self.complete_nodes();
        let roots = self.plan.roots.iter().zip(&self.cleanups);
        let pending =
            roots.filter(|(root, _)| !complete[**root] && self.failed_cleanup != Some(**root));
        let pending = pending.map(|(root, aborted)| {
            let abort = Abort {
                task: aborted.clone(),
                cleanup: self.plan.nodes[*root].task.clone(),
                is_dropped: false,
            };
            (*root, abort)
        });
        pending.collect()
    }
}
