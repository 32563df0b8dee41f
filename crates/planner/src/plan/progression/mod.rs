//! Progression: best-first search forward through the task networks of a ground problem.
//!
//! A [`BestFirst`] search gets a ground problem with its [`Tables`], and returns a decomposition.
//! Its networks are a [`Sequence`] of tasks or [`Partial`]ly ordered; [`Relaxed`] is its heuristic.

mod best_first;
mod partial;
mod relax;
mod replay;
mod sequence;
mod state;
mod tables;

pub use best_first::{BestFirst, Config, Reached};
pub use partial::Partial;
pub use relax::Relaxed;
pub use sequence::Sequence;
pub use tables::{TableMaker, Tables};
