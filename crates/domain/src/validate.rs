//! Validates a plan against the domain, sharing nothing with the compiler or the search: it uses
//! only typed trees and their evaluation in a state.
//!
//! A plan is a solution if its tree decomposes the scenario's tasks, each compound task by a
//! resolution of its flowchart whose conditions hold in the state in which it was decomposed; if
//! its steps are the tree's primitive tasks, in an order that the flowcharts' wires allow; if each
//! step's preconditions hold when it starts, and nobody else claims what it claims; and if the goal holds at the end.

use std::fmt;

use crate::domain::Domain;
use crate::ground::{Atom, GroundTask, Value};
use crate::lang::typed::Call;
use crate::lang::{Env, World as _};
use crate::plan::Plan;
use crate::text::TypedText;
use crate::world::World;
use taskloom_document::Name;
use taskloom_document::stop::{Stop, Stopped};

mod by_goal;
mod method;
mod order;
mod path;
mod reads;
mod replay;
mod resolution;
mod rest;
mod rows;
mod tree;
mod validation;

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

/// Replays a plan of a scenario's first character against the domain, and returns the first
/// mistake. A scenario that doesn't exist has nothing to do.
pub fn validate(domain: &Domain, scenario: &Name, plan: &Plan) -> Result<(), Invalid> {
    check(domain, (scenario, 0), plan, &Stop::default())
}

/// Validates a plan of the n-th character, as [`validate`] does, unless it is stopped.
///
/// # Errors
/// Returns [`Stopped`] if the stop was triggered.
pub fn validate_cancellable(
    domain: &Domain,
    (scenario, actor): (&Name, usize),
    plan: &Plan,
    stop: &Stop,
) -> Result<Result<(), Invalid>, Stopped> {
    stop.unless_cancelled(check(domain, (scenario, actor), plan, stop))
}

/// Validates a plan. The result is meaningless if the stop was triggered.
fn check(
    domain: &Domain,
    (scenario, actor): (&Name, usize),
    plan: &Plan,
    stop: &Stop,
) -> Result<(), Invalid> {
    let scene = domain.scene_or_empty(scenario);
    let actor = scene.actor(actor).clone();
    let world = World::initial_cancellable(domain, &scene, stop.clone()).believed_by(actor);
    let task = |text: &TypedText<Call>| match &text.value {
        Some(call) => world.ground(call, &Env::new()),
        None => Err(format!("'{}' is invalid", text.text.trim())),
    };
    let tasks = world.actor().calls(domain.texts());
    let tasks = tasks.map(task).collect();
    let validation = Validation::new(plan, world.values().clone(), tasks);
    validation.finish(&Validator::new(world), plan)
}

/// Replays a plan that starts in a world, does these tasks in sequence and then reaches the
/// scenario's goal, unless the world's [`Stop`] is triggered.
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
pub fn initial_state(domain: &Domain, scenario: &Name) -> Vec<(Atom, Value)> {
    listing(domain, scenario, &Stop::default())
}

/// Returns the initial state of a scenario, as [`initial_state`] does, unless it is stopped.
///
/// # Errors
/// Returns [`Stopped`] if the stop was triggered.
pub fn initial_state_cancellable(
    domain: &Domain,
    scenario: &Name,
    stop: &Stop,
) -> Result<Vec<(Atom, Value)>, Stopped> {
    stop.unless_cancelled(listing(domain, scenario, stop))
}

fn listing(domain: &Domain, scenario: &Name, stop: &Stop) -> Vec<(Atom, Value)> {
    match domain.scene(scenario) {
        Some(scene) => World::initial_cancellable(domain, scene, stop.clone()).listing(),
        None => vec![],
    }
}
