//! From a document and one of its scenarios to a flat, interned problem that a
//! search can work on.
//!
//! Planning goes on while the designer types. A precondition or goal that cannot
//! be read counts as not holding; a Branch whose condition cannot be read has
//! neither side, a Bind no object; a Task block whose call cannot be read makes
//! the resolutions that it is part of inapplicable; an effect that cannot be
//! read is ignored, a cost is 1, an ordering is object order. A text that uses a
//! named condition which cannot be read cannot be read itself.

mod build;
mod code;
mod lower;
mod methods;
mod problem;
mod resolve;
mod steps;
mod time;

pub(crate) use code::{AggregateCode, Formula, FormulaId, List, Number, NumberId, Read, Term};
pub use methods::{Method, Methods, methods};
pub use problem::Problem;
pub(crate) use problem::{
    BlockCode, ChoiceOrder, Conjunct, Flat, FlatBlock, FlatChange, FlatEffect, FlatGoal, FlatKind,
    FlatTask, FlatValue,
};
pub(crate) use resolve::{Decider, Move, Path, Resolution, Resolutions, TaskOrder};
pub use steps::{Compilation, compile, compile_until};
pub use taskloom_document::BlockKind;
pub use taskloom_domain::flow::{Chart, ChartBlock, ChartWire};
