//! The planning that decomposed a task under way, which later plans continue.

use taskloom_planner::plan::Node;
use taskloom_runtime::{Run, TaskState};

/// Returns the planning that decomposed a task under way of a later plan, and the task's node in its plan.
pub fn origin(run: &Run, plan: usize, node: usize) -> Option<(usize, usize)> {
    let later = run.plans.get(plan)?;
    let own = later.plan()?.nodes.get(node)?;
    let by = own.decomposed()?;
    let is_same = |other: &Node| {
        let is_same_way = other.decomposed().is_some_and(|other| {
            other.blocks == by.blocks && other.wires == by.wires && other.bindings == by.bindings
        });
        is_same_way && other.task == own.task
    };
    let earlier = run.plans[..plan].iter().enumerate().rev();
    let mut earlier = earlier.filter(|(_, one)| one.character == later.character);
    earlier.find_map(|(at, one)| {
        let nodes = one.plan()?.nodes.iter().enumerate();
        let decomposed = nodes.filter(|(number, other)| {
            // It doesn't decompose tasks that are under way already.
            is_same(other) && !one.under_way.contains(number)
        });
        let decomposed: Vec<usize> = decomposed.map(|(number, _)| number).collect();
        if decomposed.is_empty() {
            return None;
        }
        // Only one that had begun is under way in the later plan.
        let states = run.states(at, later.tick);
        let begun = |number: &usize| {
            let state = states.get(*number);
            matches!(state, Some(TaskState::InProgress | TaskState::Failed))
        };
        Some((at, decomposed.into_iter().rfind(begun)?))
    })
}
