//! Checks that steps, nodes, parents and children match.

use super::Invalid;
use crate::ground::GroundTask;
use crate::plan::{Node, NodeKind, Plan};
use crate::world::World;

/// The reason for rejecting a plan with steps for a scenario without tasks and goals.
pub const NO_TASK: &str = "there is no task and no goal, so only the empty plan is valid";

/// The parents stated by the nodes of a plan.
#[derive(Debug)]
pub struct Tree {
    /// The number of children of each node.
    children: Vec<usize>,
    /// The nodes without a parent.
    roots: Vec<usize>,
}

impl Tree {
    /// Creates the state before any node is checked, for a plan with this many nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            children: vec![0; nodes],
            roots: vec![],
        }
    }

    /// Checks that a step's node is the step.
    pub fn check_step(plan: &Plan, number: usize) -> Result<(), Invalid> {
        let step = &plan.steps[number];
        let node = plan.nodes.get(step.node);
        let fits = node.is_some_and(|n| n.kind == NodeKind::Step(number) && n.task == step.task);
        if !fits {
            return Err(Invalid::at(
                number,
                "its node in the tree belongs to another task",
            ));
        }
        Ok(())
    }

    /// Checks that a node comes after its parent and, if it is a step, is one of the steps.
    pub fn check_node(&mut self, plan: &Plan, number: usize) -> Result<(), Invalid> {
        let node = &plan.nodes[number];
        match node.parent {
            None => self.roots.push(number),
            Some(parent) if parent < number => self.children[parent] += 1,
            Some(_) => {
                let message = format!("'{}' comes before its parent in the tree", node.task);
                return Err(Invalid::new(message));
            }
        }
        if let NodeKind::Step(step) = node.kind
            && plan.steps.get(step).is_none_or(|s| s.node != number)
        {
            let message = format!("'{}' is in the tree, but isn't one of the steps", node.task);
            return Err(Invalid::new(message));
        }
        Ok(())
    }

    /// Checks that the nodes without a parent are the plan's roots, once all nodes are known.
    pub fn check_roots(&self, plan: &Plan) -> Result<(), Invalid> {
        if self.roots != plan.roots {
            return Err(Invalid::new("the roots aren't the tasks without a parent"));
        }
        Ok(())
    }

    /// Checks that the subtasks of a node are the nodes that name it as their parent.
    pub fn check_children(&self, plan: &Plan, number: usize) -> Result<(), Invalid> {
        let node = &plan.nodes[number];
        let decomposed = node.decomposed();
        let stated = decomposed.map_or(&[][..], |d| &d.children);
        let is_child = |child: &usize| {
            let child: Option<&Node> = plan.nodes.get(*child);
            child.is_some_and(|child| child.parent == Some(number))
        };
        if stated.len() != self.children[number]
            || !stated.iter().all(is_child)
            || !stated.is_sorted_by(|a, b| a < b)
        {
            let message = format!("the subtasks of '{}' aren't its children", node.task);
            return Err(Invalid::new(message));
        }
        if decomposed.is_some_and(|d| d.at > plan.steps.len()) {
            let message = format!("'{}' is decomposed after the end of the plan", node.task);
            return Err(Invalid::new(message));
        }
        Ok(())
    }
}

/// Checks that a plan has as many roots as there are tasks to do.
pub fn check_count(plan: &Plan, tasks: usize) -> Result<(), Invalid> {
    let roots = plan.roots.len();
    match tasks {
        // The plan is for a goal.
        0 if plan.target.is_some() => Ok(()),
        _ if roots == tasks => Ok(()),
        0 => Err(Invalid::new(NO_TASK)),
        _ => Err(Invalid::new(format!(
            "the plan does {roots} tasks, but the scenario has {tasks}"
        ))),
    }
}

/// Checks that a root is the task that it must be.
pub fn check_root(
    plan: &Plan,
    root: usize,
    wanted: &Result<GroundTask, String>,
) -> Result<(), Invalid> {
    let wanted = wanted.as_ref().map_err(Invalid::new)?;
    let planned = &plan.nodes[root].task;
    if planned != wanted {
        return Err(Invalid::new(format!(
            "the plan does '{planned}', but the scenario says '{wanted}'"
        )));
    }
    Ok(())
}

/// Checks that a root of a plan for a goal is a step or, if it is the only one, a task that serves
/// the goal in the world in which the plan starts.
pub fn check_goal_root(world: &World, plan: &Plan, root: usize) -> Result<(), Invalid> {
    let node = &plan.nodes[root];
    if let NodeKind::Step(_) = node.kind {
        return Ok(());
    }
    let target = plan.target.as_ref();
    let goal = target.and_then(|target| target.goal.as_ref());
    let Some(goal) = goal else {
        return Err(Invalid::new(format!(
            "the plan decomposes '{}', but there is no task to do",
            node.task
        )));
    };
    let mut tasks = world.tasks_of_goal(goal);
    if plan.roots.len() > 1 || !tasks.any(|task| task == node.task) {
        let message = format!("'{}' doesn't serve the goal '{goal}'", node.task);
        return Err(Invalid::new(message));
    }
    Ok(())
}
