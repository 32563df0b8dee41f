//! Planning: the search for plans, and its results.
//!
//! The modules that are visible in the whole crate are those of `search_kit`.

mod answer;
mod assemble;
pub(crate) mod assembly;
mod cheapest;
pub(crate) mod condition;
mod decomposer;
mod effects;
mod engine;
mod evaluate;
mod goals;
mod interval;
pub(crate) mod memory;
pub(crate) mod network;
mod options;
pub(crate) mod plan_replay;
mod precedence;
pub(crate) mod relaxation;
pub(crate) mod rows;
mod search;
pub(crate) mod state;
mod strategy;
pub(crate) mod table;
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
pub use strategy::{StartSearch, Strategy, plan, plan_by, policy};
pub use taskloom_domain::ground::{Atom, Change, GroundTask, Value};
pub use taskloom_domain::plan::{
    Decomposed, Node, NodeKind, Plan, PlanTarget, RootOrder, Step, Unplanned,
};
pub use taskloom_domain::validate::{
    Invalid, NO_TASK, Validation, Validator, initial_state, initial_state_cancellable, validate,
    validate_cancellable, validate_from,
};
pub use taskloom_domain::world::World;
