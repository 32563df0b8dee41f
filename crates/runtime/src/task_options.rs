//! The options of the Task blocks that the tasks of a plan come from.

use taskloom_document::Block;
use taskloom_domain::Domain;
use taskloom_planner::plan::Plan;

/// The reasons why a task under way can't be replaced by the same task below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// `true` if it has integrity rules.
    pub has_rules: bool,
    /// `true` if its block limits its execution, or names a cleanup.
    pub has_limits: bool,
    /// `true` if its block names a cleanup.
    pub has_cleanup: bool,
    /// `true` if its block repeats it a number of times.
    pub repeats: bool,
}

/// Returns the guard of a node of a plan.
pub type GuardOf<'g> = &'g dyn Fn(&Plan, usize) -> Guard;

impl Guard {
    /// Returns that of a node of a plan.
    pub fn of(domain: &Domain, plan: &Plan, node: usize) -> Self {
        let task = plan.nodes.get(node).map(|node| &node.task.task);
        let compound = task.and_then(|task| domain.compound(task));
        let block = block_of(domain, plan, node);
        let has_cleanup = block.is_some_and(|block| block.on_abort().is_some());
        let is_limited = |block: &Block| block.timeout().is_some() || block.retry().is_some();
        Self {
            has_rules: compound.is_some_and(|task| !domain.integrity(task).is_empty()),
            has_limits: has_cleanup || block.is_some_and(is_limited),
            has_cleanup,
            repeats: block.is_some_and(|block| block.repetitions() > 1),
        }
    }
}

/// Returns the Task block that a node of a plan comes from; `None` for a root.
pub fn block_of<'d>(domain: &'d Domain, plan: &Plan, node: usize) -> Option<&'d Block> {
    let node = plan.nodes.get(node)?;
    let parent = plan.nodes.get(node.parent?)?;
    let compound = domain.document().compound_tasks.get(&parent.task.task)?;
    let block = compound.method.blocks.get(node.block.as_ref()?)?;
    Some(block)
}

/// Returns the number of ticks after which the task of a node fails.
pub fn timeout(domain: &Domain, plan: &Plan, node: usize) -> Option<u32> {
    block_of(domain, plan, node)?.timeout()
}
