//! Planning: what a search answers.

mod answer;
pub mod any;
mod assemble;
mod assembly;
mod cheapest;
mod effects;
mod evaluate;
mod guards;
mod held;
mod network;
mod precedence;
mod progression;
mod reading;
mod search;
mod state;
mod strategy;
mod table;
mod tracer;
mod validate;
mod world;

pub use answer::{
    Atom, Budget, Change, Decomposed, GroundTask, Limit, Node, NodeKind, Outcome, Plan, Pruned,
    Statistics, Step, Trace, TraceEvent, TraceKind, Unplanned, Value,
};
pub use cheapest::{Cheapest, cheapest};
pub(crate) use held::Footprint;
pub(crate) use precedence::Precedence;
pub use search::{Progress, Search, plan};
pub(crate) use state::State;
pub use strategy::{Engine, Strategy, plan_by, policy, search};
pub(crate) use validate::NO_TASK;
pub use validate::{Invalid, initial_state, initial_state_until, validate, validate_until};
pub use world::World;
