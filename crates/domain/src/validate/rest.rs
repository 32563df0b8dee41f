//! Checks whether what remains of a plan can still be executed.

use super::method::Methods;
use super::path::Paths;
use super::replay::{check_one, planned_changes, primitive, startable};
use super::{Invalid, resolution};
use crate::lang::World as _;
use crate::plan::{NodeKind, Plan};
use crate::world::World;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stopped;
use taskloom_document::syntax::decimal::rounded;

/// The progress of a step of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remains {
    /// The step has not started.
    All,
    /// The step is in progress; its effects apply after this many ticks.
    Effects(u32),
    /// The effects of the step have been applied.
    Nothing,
}

/// Checks that the rest of a plan can be executed from the state of a world on: that the
/// preconditions of the steps that have not started hold, one step after the other, and nobody else
/// claims what they claim, that all effects can be applied, that the decompositions that precede them are possible, and that the
/// goal is reached.
///
/// `is_under_way` returns `true` for a node of which a step was done before the plan was made.
///
/// Returns the cost of the steps that have not acted. Earlier decisions are not checked again, and
/// neither are the subgoals of a goal.
///
/// # Errors
/// Returns [`Stopped`] if the world's [`Stop`](taskloom_document::stop::Stop) was triggered.
pub fn validate_rest(
    mut world: World,
    plan: &Plan,
    remains: &[Remains],
    is_under_way: &dyn Fn(usize) -> bool,
) -> Result<Result<f64, Invalid>, Stopped> {
    let stop = world.stop();
    let open = open_decompositions(plan, remains, is_under_way);
    stop.unless_cancelled(check(&mut world, plan, remains, open))
}

/// Checks the steps that remain, and the open decompositions, each before the step with its number.
fn check(
    world: &mut World,
    plan: &Plan,
    remains: &[Remains],
    open: Vec<(usize, usize)>,
) -> Result<f64, Invalid> {
    let methods = Methods::new(world.document(), world.stop());
    let mut paths = Paths::default();
    let mut open = open.into_iter().peekable();
    let mut cost = 0.0;
    for (number, (step, remains)) in plan.steps.iter().zip(remains).enumerate() {
        while let Some((_, node)) = open.next_if(|(at, _)| *at <= number) {
            let node = &plan.nodes[node];
            resolution::check(&methods, &mut paths, world, plan, node)
                .map_err(|why| Invalid::new(format!("'{}': {why}", node.task)))?;
        }
        let at = |why: String| Invalid::new(format!("'{}': {why}", step.task));
        let ticks = match remains {
            Remains::Nothing => continue,
            Remains::Effects(ticks) => f64::from(*ticks),
            Remains::All => world.ticks_in_plan(&step.task),
        };
        let task = match remains {
            Remains::All => startable(world, &step.task),
            Remains::Effects(_) | Remains::Nothing => primitive(world, &step.task),
        };
        let task = task.map_err(at)?;
        cost = rounded(cost + world.cost(task, &step.task.args));
        let changes = planned_changes(world, task, &step.task).map_err(at)?;
        world.apply(&changes);
        world.pass(ticks);
    }
    for (_, node) in open {
        let node = &plan.nodes[node];
        resolution::check(&methods, &mut paths, world, plan, node)
            .map_err(|why| Invalid::new(format!("'{}': {why}", node.task)))?;
    }
    check_goal(world, plan)?;
    Ok(cost)
}

/// Returns the decompositions of which no step has started, each with the number of the step that it
/// comes before, in order.
fn open_decompositions(
    plan: &Plan,
    remains: &[Remains],
    is_under_way: &dyn Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut has_started: Vec<bool> = (0..plan.nodes.len()).map(is_under_way).collect();
    let mut has_steps = vec![false; plan.nodes.len()];
    // Children come after their parents.
    for (number, node) in plan.nodes.iter().enumerate().rev() {
        if let NodeKind::Step(step) = &node.kind {
            has_steps[number] = true;
            has_started[number] = remains.get(*step).is_some_and(|r| *r != Remains::All);
        }
        if let Some(parent) = node.parent {
            has_started[parent] |= has_started[number];
            has_steps[parent] |= has_steps[number];
        }
    }
    let is_open = |number: usize, at: usize| {
        // A decomposition without steps comes right before the step with its number.
        let mut later = remains.iter().skip(at);
        !has_started[number] && (has_steps[number] || later.all(|remains| *remains == Remains::All))
    };
    let nodes = plan.nodes.iter().enumerate();
    let mut open: Vec<(usize, usize)> = nodes
        .filter_map(|(number, node)| Some((node.decomposed()?.at, number)))
        .filter(|(at, number)| is_open(*number, *at))
        .collect();
    open.compact_sort();
    open
}

/// Checks that the goal holds at the end, if the plan has to reach one.
fn check_goal(world: &World, plan: &Plan) -> Result<(), Invalid> {
    let actor = world.actor();
    let is_partial = plan
        .target
        .as_ref()
        .is_some_and(|target| target.remaining_estimate.is_some());
    if is_partial || actor.is_reactive() && plan.target.is_none() {
        return Ok(());
    }
    let domain = world.domain();
    let pursued = plan.target.as_ref().and_then(|target| target.goal.as_ref());
    let goal = match pursued {
        Some(name) => domain.goal(name).map(|goal| &goal.condition),
        None => actor.goal_formula(domain.texts()),
    };
    match goal.filter(|goal| !goal.is_blank()) {
        None => Ok(()),
        Some(goal) => check_one(world, goal, &Default::default())
            .map_err(|why| Invalid::new(format!("at the end, {why}"))),
    }
}
