//! Compiles a document and one of its scenarios to a flat, interned problem that a search can work
//! on.
//!
//! Planning goes on while the designer types, so invalid text has a defined meaning. A precondition
//! or goal that is invalid does not hold; a Branch with an invalid condition has neither side, and
//! a Bind no object; a Task block with an invalid call makes the resolutions that contain it
//! inapplicable; an invalid effect or query is ignored, an invalid cost is 1, and an invalid ordering
//! is object order. A text that uses an invalid named condition is invalid itself.

mod build;
mod claims;
pub(crate) mod code;
pub(crate) mod flat;
mod lower;
mod methods;
mod nobody;
mod problem;
pub(crate) mod queries;
mod relevance;
pub(crate) mod resolve;
mod steps;
mod time;

pub(crate) use code::{AggregateCode, Formula, FormulaId, List, Number, NumberId, Read, Term};
pub(crate) use flat::{
    BlockCode, ChoiceOrder, Conjunct, Flat, FlatBlock, FlatChange, FlatEffect, FlatGoal, FlatKind,
    FlatTask, FlatValue, Root,
};
pub use methods::{Method, Methods, methods};
pub use problem::Problem;
pub(crate) use queries::Answers;
pub use queries::{GroundQuery, QueryAnswer};
pub(crate) use resolve::{Decider, Move, Path, Resolution, Resolutions, TaskOrder};
pub use steps::{Compilation, compile, compile_cancellable, compile_for};
pub use taskloom_document::BlockKind;
pub use taskloom_domain::flow::{Chart, ChartBlock, ChartWire};
