//! Planning: what a search answers.

mod answer;
mod search;
mod validate;

pub use answer::{
    Atom, Budget, Change, Decomposed, GroundTask, Limit, Node, NodeKind, Outcome, Plan, Statistics,
    Step, Trace, TraceEvent, TraceKind, Value,
};
pub use search::{Progress, Search, plan};
pub use validate::{Invalid, initial_state, validate};
