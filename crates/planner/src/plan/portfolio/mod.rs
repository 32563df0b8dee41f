//! The fastest strategy: three searches share one budget until one of them finds a plan.
//!
//! A [`Search`] alternates between two searches of the lifted model and one of the ground problem
//! (`grounded`); `assemble` turns the decomposition that one of them finds into a plan.

mod assemble;
mod grounded;
mod search;

pub use search::Search;
