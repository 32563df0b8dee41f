//! The parts that searches share, for searches in other crates.
//!
//! These are internals: they change with the searches of this crate, which use them, too.

use std::sync::Arc;

pub use crate::compile::code::{Formula, FormulaId, List, Read, Term};
pub use crate::compile::flat::{
    BlockCode, Conjunct, Flat, FlatBlock, FlatChange, FlatEffect, FlatKind, FlatTask, FlatValue,
    Root,
};
pub use crate::compile::queries::Answers;
pub use crate::compile::resolve::{Decider, Move, Resolution, Resolutions, TaskOrder};
pub use crate::plan::assembly::{Assembly, Unassembled};
pub use crate::plan::condition::Condition;
pub use crate::plan::memory::{CHECK_INTERVAL, MemoryMeter, MemoryQuota, MemoryUse};
pub use crate::plan::network::{Child, NetTask, Network};
pub use crate::plan::plan_replay::PlanReplay;
pub use crate::plan::relaxation::{Marks, Reached};
pub use crate::plan::rows::{Grouping, NONE, Rows};
pub use crate::plan::state::{State, mix};
pub use crate::plan::table::TupleTable;

use crate::compile::Problem;

/// The parts of a [`Problem`] that a search reads.
pub trait Compiled {
    /// Returns the compiled domain.
    fn flat(&self) -> &Arc<Flat>;
    /// Returns the initial state.
    fn initial(&self) -> &State;
    /// Returns the tasks in the designer's order, or `None` if one of them is invalid.
    fn roots(&self) -> Option<&[Root]>;
    /// Returns the answers to queries; `None` if queries don't count.
    fn answers(&self) -> Option<&Answers>;
}

impl Compiled for Problem {
    fn flat(&self) -> &Arc<Flat> {
        self.flat()
    }

    fn initial(&self) -> &State {
        self.initial()
    }

    fn roots(&self) -> Option<&[Root]> {
        self.roots()
    }

    fn answers(&self) -> Option<&Answers> {
        self.answers()
    }
}
