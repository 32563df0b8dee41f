//! Planning: the search for plans, and its results.

mod answer;
pub mod portfolio;
mod assemble;
mod assembly;
mod cheapest;
mod effects;
mod evaluate;
mod goals;
mod guards;
mod memory;
mod interval;
mod network;
mod precedence;
mod progression;
mod rehearsal;
mod rows;
mod search;
mod state;
mod strategy;
mod table;
mod tracer;

pub use answer::{
    Budget, Fate, Limit, Outcome, Pruned, Reached, Statistics, Trace, TraceEvent, TraceKind,
};
pub use cheapest::{Cheapest, cheapest};
pub use goals::Want;
pub(crate) use memory::MemoryUse;
pub use precedence::Precedence;
pub use search::{Progress, Search};
pub(crate) use state::{AtomKey, State};
pub use strategy::{Engine, Strategy, plan, plan_by, policy, search};
pub use taskloom_domain::ground::{Atom, Change, GroundTask, Value};
pub use taskloom_domain::plan::{Aim, Decomposed, Node, NodeKind, Plan, Step, Unplanned};
pub use taskloom_domain::validate::{
    Invalid, NO_TASK, Validation, Validator, initial_state, initial_state_cancellable, validate,
    validate_from, validate_cancellable,
};
pub use taskloom_domain::world::World;
