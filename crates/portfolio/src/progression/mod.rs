//! Progression: best-first search forward through the task networks of a ground problem.
//!
//! A [`BestFirst`] search gets a ground problem with the readers of its propositions (see
//! [`ReaderCollector`]), and returns a decomposition.
//! Its networks are a [`Sequence`] of tasks or [`Partial`]ly ordered; [`Relaxed`] is its heuristic.

mod best_first;
mod partial;
mod readers;
mod relax;
mod replay;
mod sequence;
mod state;

pub use best_first::{BestFirst, Config, Reached};
pub use partial::Partial;
pub use readers::ReaderCollector;
pub use relax::Relaxed;
pub use sequence::Sequence;
