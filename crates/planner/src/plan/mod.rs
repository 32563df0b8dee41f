//! Planning: the search for plans, and its results.

mod answer;
mod assemble;
mod assembly;
mod cheapest;
mod condition;
mod decomposer;
mod effects;
mod engine;
mod evaluate;
mod goals;
mod grounding;
mod interval;
mod landmarks;
mod lifted;
mod memory;
mod network;
mod options;
mod plan_replay;
pub mod portfolio;
mod precedence;
mod progression;
mod relation;
mod relaxation;
mod rows;
mod search;
mod state;
mod strategy;
mod table;
mod tracer;

pub use answer::{
    Budget, ExploredState, Limit, NodeStatus, Outcome, Pruned, Statistics, Trace, TraceEvent,
    TraceKind,
};
pub use cheapest::{Cheapest, cheapest};
pub use engine::{Engine, Progress};
pub use goals::GoalValue;
pub(crate) use goals::{KeptInstances, Statics};
pub(crate) use memory::MemoryUse;
pub use precedence::Precedence;
pub use search::Search;
pub(crate) use state::{AtomKey, State};
pub use strategy::{Strategy, plan, plan_by, policy};
pub use taskloom_domain::ground::{Atom, Change, GroundTask, Value};
pub use taskloom_domain::plan::{
    Decomposed, Node, NodeKind, Plan, PlanTarget, RootOrder, Step, Unplanned,
};
pub use taskloom_domain::validate::{
    Invalid, NO_TASK, Validation, Validator, initial_state, initial_state_cancellable, validate,
    validate_cancellable, validate_from,
};
pub use taskloom_domain::world::World;
