//! A character in play: what it knows, decides and does, one turn per tick.
//!
//! A turn has the order of the semantics, section 5: the actor senses, its steps whose duration is over
//! act, its triggers are evaluated, it continues its search for a plan, and executes its plan.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use taskloom_document::CastMember;
use taskloom_document::stop::Stop;
use taskloom_domain::Actor as Role;
use taskloom_domain::lang::Mistake;
use taskloom_planner::compile::{Problem, compile_for};
use taskloom_planner::plan::{Budget, Change, Engine, Outcome, Plan, Step, World as Facts};

use crate::aborts::{CleanupOf, cleanup_of};
use crate::body::Body;
use crate::error::Error;
use crate::log::TurnLog;
use crate::mind::{Mind, PlanCheck};
use crate::orders::{Order, Orders};
use crate::plan_execution::Abandoned;
use crate::run::{Cause, Planning, Reason, StepExecution};
use crate::task_options::{Guard, GuardOf};
use crate::world::{Inbox, World};

mod explain;
mod logged;
mod objects;
mod pace;
mod request;
mod saved;
mod search;
mod turn;

use explain::Recollection;
use pace::Pace;
pub use pace::TickBudget;
pub use request::PlanRequest;
pub use saved::SavedActor;
pub(crate) use saved::index_of;

/// The maximum number of steps that a reactive character starts at one tick.
const MAX_STEPS_AT_TICK: usize = 100;

/// A character in play in a [`World`]: its agent and object, its beliefs and memory, its goals or tasks,
/// its plan, and its steps in progress.
///
/// Call [`tick`](Self::tick) once per tick of its world.
pub struct Actor {
    pub(crate) mind: Mind,
    pub(crate) inbox: Arc<Inbox>,
    orders: Orders,
    /// Its index in the cast, which its random draws depend on, and the seed of the scenario.
    seed: (usize, u32),
    limits: Limits,
    pace: Pace,
    turn: Turn,
    search: Option<Search>,
    /// The steps that were in progress when a saved game was loaded in which their plan doesn't exist any
    /// more. The next turn ends them.
    abandoned: Vec<Abandoned>,
    /// `true` if its plan may name objects that don't exist, because it was loaded or searched for while they
    /// were removed.
    checks_plan: bool,
    recollection: Recollection,
    /// Its lines in the log of its world.
    log: TurnLog,
}

/// The limits of an actor's planning.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// The limits of each search.
    pub search: Budget,
    /// The number of plans that may fail before its tasks are complete; `None` if it never gives up.
    pub failed_plans: Option<usize>,
}

/// The progress of an actor's turn.
#[derive(Debug)]
struct Turn {
    /// The tick of the turn; `None` before the first one.
    tick: Option<u32>,
    phase: Phase,
    /// The number of steps that it has started at this tick, if it is reactive.
    steps_at_tick: usize,
    /// `true` if it has planned during this turn since steps of its plan have ended.
    has_rechecked: bool,
    /// `true` if other tasks wait for the end of an uninterruptible step, so no other step starts.
    awaits_order: bool,
    /// The number of its next start of an action.
    next_id: u64,
    /// The events since the last [`Actor::tick`].
    events: Vec<ActorEvent>,
    changes: Changes,
    /// The status at the end of the turn.
    status: Status,
}

/// The phase of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It observes.
    Sense,
    /// Its steps whose duration is over act.
    Settle,
    /// It plans, if it has to.
    Plan,
    /// It executes its plan.
    Execute,
    /// The turn is over.
    Over,
}

/// A search for a plan, which may last longer than a tick.
struct Search {
    problem: Problem,
    /// The request for a plan, with a copy of the problem for searches elsewhere.
    request: PlanRequest,
    /// The actor's beliefs when the search began.
    believed: Facts,
    /// `None` as long as the actor itself has not begun to search. Locked by nobody: an engine is not
    /// `Sync` by itself.
    engine: Option<Mutex<Box<dyn Engine>>>,
    /// The decisions before queries were answered and the search began again.
    before: u64,
    /// The decisions of the engine that were counted.
    counted: u64,
    /// The validation of the plan that was found, and the decisions of it that were counted.
    check: Option<(Box<PlanCheck>, u64)>,
    /// A plan that was found elsewhere.
    handed_over: Option<HandedOver>,
}

/// The outcome of a search that was run elsewhere.
struct HandedOver {
    outcome: Outcome,
    /// Cancels its validation.
    stop: Stop,
    is_valid: bool,
}

/// The result of [`Actor::tick`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Tick {
    /// The actor's status.
    pub status: Status,
    /// The events, in order.
    pub events: Vec<ActorEvent>,
    /// The number of decisions taken, which may exceed the budget by one indivisible step.
    pub decisions: u64,
    pub(crate) changes: Changes,
}

/// The status of an actor after a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// It executes a plan.
    Active,
    /// It searches for a plan, and continues at the next tick.
    Searching,
    /// It has no plan, and waits until it may look for one.
    Waiting,
    /// Its tasks are complete, or none of its goals is active.
    Complete,
    /// Its planner was stopped.
    Stopped,
    /// It has made the same plan again and again without completing it. It waits until others change what it
    /// believes, or it is given other tasks.
    OutOfPlans,
    /// It was removed.
    Removed,
    /// The turn is not over yet.
    Unfinished,
}

/// Something that happened in a tick of an actor.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ActorEvent {
    /// Its senses have changed its beliefs.
    Perceived(Vec<Change>),
    /// It has planned. The index of a step that failed is that of all its steps that have ended, and
    /// `character` is its index in the cast.
    Planned(Box<Planning>),
    /// A step has ended, or failed. The index of its plan is that of all its plannings.
    Ended(Box<StepExecution>),
    /// An order was not followed, for this reason.
    Refused(String),
}

/// The changes by a part of a turn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Changes {
    /// `true` if it has changed the world.
    pub world: bool,
    /// `true` if it has changed its own beliefs.
    pub beliefs: bool,
}

impl Actor {
    /// Creates an actor of the scenario's cast, which has done nothing yet, by its index. A scenario without
    /// a cast has one actor. `None` if there is no such actor.
    ///
    /// This compiles the domain for the actor.
    pub fn new(world: &mut World, number: usize) -> Option<Self> {
        let role = world.facts.scene().cast.get(number)?.clone();
        Some(Self::with_role(world, (&role, number)))
    }

    /// Creates an actor that isn't in the cast, and has done nothing yet. It is described like a member of
    /// the cast.
    ///
    /// This compiles the domain for the actor.
    ///
    /// # Errors
    /// Returns an error if there is no such agent or object, or a task or belief is invalid.
    pub fn create(world: &mut World, member: &CastMember) -> Result<Self, Error> {
        let role = created_role(&world.facts, member)?;
        let number = world.next_number();
        Ok(Self::with_role(world, (&role, number)))
    }

    /// Creates an actor that has done nothing yet.
    fn with_role(world: &mut World, (role, number): (&Arc<Role>, usize)) -> Self {
        let problem = compiled(world, (role, number));
        Self::with_problem(world, (role, number), problem, false)
    }

    /// Creates an actor whose problem is compiled already.
    pub(crate) fn with_problem(
        world: &mut World,
        (role, number): (&Arc<Role>, usize),
        problem: Problem,
        is_alone: bool,
    ) -> Self {
        let facts = world.facts.clone();
        Self::in_world(world, facts, (role, number), problem, is_alone)
    }

    /// Creates an actor of a world that has learned these facts.
    fn in_world(
        world: &mut World,
        facts: Facts,
        (role, number): (&Arc<Role>, usize),
        problem: Problem,
        is_alone: bool,
    ) -> Self {
        let seed = (number, facts.scene().record.seed);
        let mind = Mind::new(role.clone(), facts, problem, is_alone);
        Self {
            seed,
            inbox: world.join(mind.belief.is_some()),
            mind,
            orders: Orders::default(),
            limits: Limits::default(),
            pace: Pace::default(),
            turn: Turn {
                tick: None,
                phase: Phase::Over,
                steps_at_tick: 0,
                has_rechecked: false,
                awaits_order: false,
                next_id: 0,
                events: vec![],
                changes: Changes::default(),
                status: Status::Waiting,
            },
            search: None,
            abandoned: vec![],
            checks_plan: false,
            recollection: Recollection::default(),
            log: TurnLog::default(),
        }
    }

    /// Sets the limits of each of its searches.
    #[must_use]
    pub fn with_search_budget(mut self, budget: Budget) -> Self {
        self.limits.search = budget;
        self
    }

    /// Makes it begin to plan only at every n-th tick. Actors with different numbers in the cast do so at
    /// different ticks. See [`think_at`](Self::think_at).
    pub fn think_every(&mut self, ticks: u32) {
        self.think_at(ticks, self.seed.0 as u32 % ticks.max(1));
    }

    /// Makes it begin to plan only at every n-th tick, from tick `phase` on. What its triggers notice in
    /// between counts then, and it executes the plan that it has. A search that has begun continues at every
    /// tick, as far as the budget allows, and a reactive actor decides its next step at every tick.
    pub fn think_at(&mut self, ticks: u32, phase: u32) {
        self.pace = Pace::new(ticks, phase);
    }

    /// Makes it give up after this many failed plans.
    pub(crate) fn give_up_after(&mut self, failed_plans: usize) {
        self.limits.failed_plans = Some(failed_plans);
    }

    /// Returns a handle that takes orders for it, for example from within its body.
    pub fn orders(&self) -> Orders {
        self.orders.clone()
    }

    /// Returns its name: that of its object or, if it has none, of its agent.
    pub fn name(&self) -> Option<&str> {
        self.mind.actor.name().map(|name| name.as_str())
    }

    /// Returns the plan that it executes.
    pub fn plan(&self) -> Option<&Plan> {
        self.mind.character.plan().map(|(plan, _)| &**plan)
    }

    /// Returns its steps in progress, in the plan's order.
    pub fn running_steps(&self) -> impl Iterator<Item = (&Step, &StepExecution)> {
        self.mind.character.executions().filter_map(|execution| {
            let step = self.plan()?.steps.get(execution.step)?;
            Some((step, execution))
        })
    }

    /// Returns why it needs a plan, if it does.
    pub fn needs_plan(&self) -> Option<Cause> {
        self.mind.character.needs_plan()
    }

    /// Follows the orders given since its last turn. Other tasks wait for the end of an uninterruptible
    /// step.
    fn follow_orders(&mut self, world: &World, body: &mut dyn Body) {
        let mut waiting = vec![];
        for order in self.orders.take() {
            if self.turn.status == Status::Removed {
                return;
            }
            let (tasks, status) = match order {
                Order::Assign(tasks) => match self.mind.read_tasks(&tasks) {
                    Ok(_) if self.mind.character.is_uninterruptible() => {
                        waiting.push(Order::Assign(tasks));
                        continue;
                    }
                    Ok(tasks) => (Some(tasks), Status::Searching),
                    Err(why) => {
                        self.turn.events.push(ActorEvent::Refused(why));
                        continue;
                    }
                },
                Order::Stop => (None, Status::Complete),
                Order::Remove => (None, Status::Removed),
            };
            // Tasks that it was given before are dropped.
            waiting.clear();
            self.search = None;
            self.turn.status = status;
            let at = (&self.mind.world, world.tick());
            let believed = self.mind.believed_in(&world.facts);
            let guard = |plan: &Plan, node| Guard::of(believed.domain(), plan, node);
            let cleanup = |plan: &Plan, node| cleanup_of(&believed, plan, node);
            let options = (&guard as GuardOf, &cleanup as CleanupOf);
            let tasks = tasks.map(|tasks| (tasks, options));
            let character = &mut self.mind.character;
            let ended = character.reassign(tasks, &Reason::Ordered, at, body);
            self.mind.tasks_changed();
            self.mind.drop_search();
            for execution in ended {
                self.push(execution);
            }
        }
        self.orders.put_back(waiting);
    }
}

/// Compiles the problem of an actor.
fn compiled(world: &World, actor: (&Arc<Role>, usize)) -> Problem {
    let scene = (world.scenario(), world.facts.scene());
    compile_for(world.facts.domain(), scene, actor)
}

/// Returns the role of an actor that isn't in the cast.
fn created_role(facts: &Facts, member: &CastMember) -> Result<Arc<Role>, Error> {
    let document = facts.document();
    let agent = document.agents.get(&member.agent);
    let agent = agent.ok_or_else(|| Error::UnknownAgent(member.agent.to_string()))?;
    if let Some(object) = &member.object
        && !facts.fits(object, &agent.of)
    {
        let message = match facts.scene().type_of(object) {
            Some(_) => format!("'{object}' is not a {}", agent.of),
            None => format!("there is no object '{object}'"),
        };
        let object = object.to_string();
        return Err(Error::InvalidObject { object, message });
    }
    let role = facts.scene().role(document, member);
    let texts = facts.domain().texts();
    let invalid = |text: &str, mistakes: &[Mistake]| {
        Error::invalid_text(text, mistakes, format!("'{text}' is invalid"))
    };
    if let Some(call) = role.calls(texts).find(|call| call.value.is_none()) {
        return Err(invalid(&call.text, &call.mistakes));
    }
    let mut beliefs = role.initial_beliefs(texts).iter();
    match beliefs.find(|belief| belief.value.is_none()) {
        Some(belief) => Err(invalid(&belief.text, &belief.mistakes)),
        None => Ok(role),
    }
}
