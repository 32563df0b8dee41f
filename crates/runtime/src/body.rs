//! A game's part of an actor: it performs the actions and reads the sensors.

use smallvec::SmallVec;
use taskloom_document::Name;
use taskloom_domain::lang::{Env, eval_term};
use taskloom_planner::compile::GroundQuery;
use taskloom_planner::plan::{Atom, GroundTask, Value, World as Facts};

use crate::error::Error;
use crate::run::Reason;
use crate::world::World;

/// A step that a body performs.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct StepRef<'s> {
    /// The number of its start, which no other start of the same actor has.
    pub id: u64,
    /// The task.
    pub task: &'s GroundTask,
    /// The action of the task, if it has one.
    pub action: Option<&'s Name>,
    /// The action's arguments, evaluated in the world with the actor's memory at this tick: `None` for one that is
    /// undefined. They are of the types of the action's parameters, and may differ from the task's arguments.
    pub args: &'s [Option<Name>],
    /// The tick at which it started.
    pub start: u32,
    /// The tick at which the document's duration of the action ends.
    pub due: u32,
    /// The current tick.
    pub tick: u32,
}

/// The status of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionStatus {
    /// It continues at the next tick.
    Running,
    /// It is over, and the step's effects apply.
    Succeeded,
    /// It has failed, and the step with it.
    Failed(Reason),
}

impl ActionStatus {
    /// Returns the status of an action that has failed, with the reason as a sentence.
    pub fn failed(why: impl Into<String>) -> Self {
        Self::Failed(Reason::Body(why.into()))
    }
}

/// The body of an actor. Each [`start`](Self::start) is ended exactly once: `start` or
/// [`tick`](Self::tick) returns that the action has succeeded or failed, or [`stop`](Self::stop) is
/// called.
///
/// To give the actor orders from a body, keep its [`Orders`](crate::Orders): they are followed after the
/// current tick.
pub trait Body {
    /// Starts the action of a step.
    fn start(&mut self, step: &StepRef) -> ActionStatus;

    /// Continues an action, once per tick.
    fn tick(&mut self, step: &StepRef) -> ActionStatus;

    /// Stops an action that is running.
    fn stop(&mut self, step: &StepRef, why: &Reason);

    /// Reads the sensors at the beginning of the actor's turn. Facts may be set between ticks instead.
    fn sense(&mut self, _readings: &mut Readings) {}

    /// Answers a query of a Bind block: returns the objects to choose from, in the order in which they are to
    /// be tried, or `None` if it doesn't answer that query, so that the block's condition alone decides. It is
    /// called while the actor plans, at most once in a search for the same arguments, if the body
    /// [answers queries](Self::answers_queries).
    fn query(&mut self, _query: &GroundQuery) -> Option<Vec<Name>> {
        None
    }

    /// Returns `true` if there is no game: then the effects that only plans anticipate come true as well
    /// when a step succeeds.
    fn is_simulated(&self) -> bool {
        false
    }

    /// Returns `true` if [`query`](Self::query) is called: by default, if there is a game. Otherwise, the conditions
    /// of Bind blocks decide alone.
    fn answers_queries(&self) -> bool {
        !self.is_simulated()
    }
}

/// The world, as a body that reads sensors sees it.
pub struct Readings<'w>(pub(crate) &'w mut World);

impl Readings<'_> {
    /// Returns the current tick.
    pub fn tick(&self) -> u32 {
        self.0.tick()
    }

    /// Returns the value of a ground fact.
    pub fn value(&self, atom: &Atom) -> Value {
        self.0.value(atom)
    }

    /// Sets a ground fact. Returns `true` if that changed its value.
    ///
    /// # Errors
    /// See [`World::set`].
    pub fn set(&mut self, atom: &Atom, value: impl Into<Value>) -> Result<bool, Error> {
        self.0.set(atom, value)
    }
}

/// A body whose actions take the document's durations, and never fail.
#[derive(Debug, Clone, Copy, Default)]
pub struct ByDurations;

impl ByDurations {
    /// Returns the status of an action that takes the document's duration.
    pub fn status(step: &StepRef) -> ActionStatus {
        if step.tick < step.due {
            ActionStatus::Running
        } else {
            ActionStatus::Succeeded
        }
    }
}

impl Body for ByDurations {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        Self::status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        Self::status(step)
    }

    fn stop(&mut self, _step: &StepRef, _why: &Reason) {}

    fn is_simulated(&self) -> bool {
        true
    }
}

/// Returns the arguments of a primitive task's action, evaluated in this world.
pub(crate) fn action_args(world: &Facts, task: &GroundTask) -> ActionArgs {
    let call = world.primitive(task).and_then(|read| {
        let action = world.domain().execution_rules(read).action.as_ref()?;
        Some((action.value.as_ref()?, &read.record.params))
    });
    let Some((call, params)) = call.filter(|(call, _)| !call.args.is_empty()) else {
        return ActionArgs::new();
    };
    let env = Env::bound(params, &task.args);
    let args = call.args.iter();
    args.map(|term| eval_term(term, world, &env).ok().flatten())
        .collect()
}

/// The arguments of an action; a few take no memory.
pub(crate) type ActionArgs = SmallVec<[Option<Name>; 4]>;

/// Returns the action of a primitive task.
pub(crate) fn action_of<'w>(world: &'w Facts, task: &GroundTask) -> Option<&'w Name> {
    let rules = world.domain().execution_rules(world.primitive(task)?);
    Some(&rules.action.as_ref()?.value.as_ref()?.name)
}
