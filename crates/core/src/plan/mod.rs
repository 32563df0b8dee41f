//! Planning: what a search answers.

mod answer;

pub use answer::{
    Atom, Budget, Change, Decomposed, GroundTask, Limit, Node, NodeKind, Outcome, Plan, Statistics,
    Step, Trace, TraceEvent, TraceKind, Value,
};
