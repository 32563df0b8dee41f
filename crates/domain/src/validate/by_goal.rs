//! Checks a decomposition by a task's goal: nothing if the goal is true, or else primitive tasks
//! that lead to it.

use super::replay::{check_one, planned_changes, startable};
use crate::lang::Env;
use crate::lang::typed::Formula;
use crate::plan::{Decomposed, Plan};
use crate::text::TypedText;
use crate::world::World;

/// Checks that the subtasks of a decomposition, one after the other, lead from the state of a world
/// to the task's goal.
pub fn check(
    world: &World,
    plan: &Plan,
    decomposed: &Decomposed,
    goal: &TypedText<Formula>,
    env: &Env,
) -> Result<(), String> {
    if world.holds(goal, env)? && !decomposed.children.is_empty() {
        return Err("its goal is true, so it has no subtasks".to_owned());
    }
    let mut world = world.clone();
    for child in &decomposed.children {
        let child = plan
            .nodes
            .get(*child)
            .filter(|child| child.block.is_none())
            .ok_or("a subtask found for its goal has a block")?;
        let task = startable(&world, &child.task)?;
        let changes = planned_changes(&world, task, &child.task)?;
        let ticks = world.ticks_in_plan(&child.task);
        world.apply(&changes);
        world.pass(ticks);
    }
    check_one(&world, goal, env).map_err(|why| format!("after its subtasks, {why}"))
}
