//! The assembly of plans for goals.

use taskloom_document::Name;
use taskloom_document::stop::Stop;

use super::Search;
use crate::compile::Problem;
use crate::plan::assembly::{Assembly, Unassembled};
use crate::plan::goals::task::Task;
use crate::plan::memory::MemoryQuota;
use crate::plan::plan_replay::PlanReplay;
use crate::plan::{Node, NodeKind, Plan, PlanTarget};

impl Search {
    /// Assembles the plan of these actions.
    pub(super) fn assemble_plan(
        &mut self,
        goal: Option<Name>,
        actions: &[u32],
        left: Option<f64>,
        is_optimal: bool,
    ) -> Result<Plan, Unassembled> {
        let used = self.memory_use().bytes;
        let mut memory = MemoryQuota::new(self.budget.memory.saturating_sub(used).max(1 << 20));
        // A cancelled search still returns what it found, since that takes no longer than the
        // plan's length.
        let problem = self.problem.with_stop(&Stop::default());
        let task = self.grounded.as_ref().map(|grounded| &grounded.task);
        let plan = assemble(&problem, task, actions, &mut memory);
        self.meter.note(used + memory.peak);
        let target = PlanTarget {
            goal,
            remaining_estimate: left,
            is_optimal,
        };
        Ok(Plan {
            target: Some(target),
            ..plan?
        })
    }
}

/// Assembles the plan of these actions of a task.
fn assemble(
    problem: &Problem,
    task: Option<&Task>,
    actions: &[u32],
    memory: &mut MemoryQuota,
) -> Result<Plan, Unassembled> {
    let mut assembly = Assembly::new(memory, actions.len(), actions.len())?;
    let mut plan_replay = PlanReplay::new(problem, assembly.left());
    for (number, action) in actions.iter().enumerate() {
        let task = task.ok_or(Unassembled::Wrong)?;
        let tuple = &task.actions[*action as usize].tuple;
        assembly.node(Node {
            task: problem.flat().ground_task(tuple),
            parent: None,
            block: None,
            is_background: false,
            kind: NodeKind::Step(number),
        })?;
        let executed = plan_replay.execute(tuple[0], &tuple[1..]);
        let (cost, changes) = executed.ok_or(Unassembled::Wrong)?;
        let after = number.checked_sub(1).into_iter().collect();
        assembly.changes(&changes)?;
        assembly.step(number, cost, after, changes)?;
    }
    Ok(assembly.finish())
}
