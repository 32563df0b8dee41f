//! Validates a plan against the document, sharing nothing with the compiler or the search: it uses
//! only typed trees and their evaluation in a state.
//!
//! A plan is a solution if its tree decomposes the scenario's tasks, each compound task by a
//! resolution of its flowchart whose conditions hold in the state in which it was decomposed; if
//! its steps are the tree's primitive tasks, in an order that the flowcharts' wires allow; if each
//! step's preconditions hold when it starts; and if the goal holds at the end.

use std::fmt;

use crate::ground::{Atom, GroundTask, Value};
use crate::lang::{Env, World as _, read_task_call};
use crate::plan::Plan;
use crate::player::Player;
use crate::world::World;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name, Scenario};

mod method;
mod order;
mod path;
mod replay;
mod resolution;
mod rest;
mod rows;
mod tree;
mod validation;
mod ways;

pub use rest::{Remains, validate_rest};
pub use tree::NO_TASK;
pub use validation::{Validation, Validator};

/// The first mistake in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// A sentence that says what is wrong.
    pub message: String,
    /// The step concerned, if any.
    pub step: Option<usize>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {}: {}", step + 1, self.message),
            None => f.write_str(&self.message),
        }
    }
}
impl std::error::Error for Invalid {}

impl Invalid {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            step: None,
        }
    }

    fn at(step: usize, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            step: Some(step),
        }
    }
}

/// Replays a plan of a scenario's first character against the document, and returns the first
/// mistake. A scenario that doesn't exist has nothing to do.
pub fn validate(document: &Document, scenario: &Name, plan: &Plan) -> Result<(), Invalid> {
    check(document, (scenario, 0), plan, &Stop::default())
}

/// Validates a plan of the n-th character, as [`validate`] does, unless it is stopped.
///
/// # Errors
/// Returns [`Stopped`] if the stop was triggered.
pub fn validate_cancellable(
    document: &Document,
    (scenario, player): (&Name, usize),
    plan: &Plan,
    stop: &Stop,
) -> Result<Result<(), Invalid>, Stopped> {
    stop.unless_cancelled(check(document, (scenario, player), plan, stop))
}

/// Validates a plan. The result is meaningless if the stop was triggered.
fn check(
    document: &Document,
    (scenario, player): (&Name, usize),
    plan: &Plan,
    stop: &Stop,
) -> Result<(), Invalid> {
    let document = &*document.without_muted();
    let nothing = Scenario::default();
    let scenario = document.scenarios.get(scenario);
    let scenario = scenario.map_or(&nothing, |s| &**s);
    let player = Player::nth(document, scenario, player);
    let world = World::initial_cancellable(document, scenario, stop.clone()).believed_by(player);
    let scope = world.scenario_scope();
    let task = |text: &String| match read_task_call(text, &scope).value {
        Some(call) => world.ground(&call, &Env::new()),
        None => Err(format!("'{}' is invalid", text.trim())),
    };
    let tasks = player.tasks(scenario).iter().map(task).collect();
    let validation = Validation::new(plan, world.values().clone(), tasks);
    validation.finish(&Validator::new(world), plan)
}

/// Replays a plan that starts in a world, does these tasks in sequence and then reaches the
/// scenario's goal, unless the world's [`Stop`] is triggered. The world's document must have no
/// muted blocks; see [`Document::without_muted`].
///
/// # Errors
/// Returns [`Stopped`] if the stop was triggered.
pub fn validate_from(
    world: World,
    tasks: &[GroundTask],
    plan: &Plan,
) -> Result<Result<(), Invalid>, Stopped> {
    let stop = world.stop();
    let tasks = tasks.iter().cloned().map(Ok).collect();
    let validation = Validation::new(plan, world.values().clone(), tasks);
    stop.unless_cancelled(validation.finish(&Validator::new(world), plan))
}

/// Returns the initial state of a scenario, by ground fact: all facts whose value isn't the
/// default, and all ground instances of facts that have few of them.
pub fn initial_state(document: &Document, scenario: &Name) -> Vec<(Atom, Value)> {
    listing(document, scenario, &Stop::default())
}

/// Returns the initial state of a scenario, as [`initial_state`] does, unless it is stopped.
///
/// # Errors
/// Returns [`Stopped`] if the stop was triggered.
pub fn initial_state_cancellable(
    document: &Document,
    scenario: &Name,
    stop: &Stop,
) -> Result<Vec<(Atom, Value)>, Stopped> {
    stop.unless_cancelled(listing(document, scenario, stop))
}

fn listing(document: &Document, scenario: &Name, stop: &Stop) -> Vec<(Atom, Value)> {
    match document.scenarios.get(scenario) {
        Some(record) => World::initial_cancellable(document, record, stop.clone()).listing(),
        None => vec![],
    }
}
