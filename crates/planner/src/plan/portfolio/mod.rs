//! The fastest strategy: three searches share one budget until one of them finds a plan.
//!
//! [`search`] alternates between two searches of the lifted model and one of the [`grounded`]
//! problem. It gets a problem, and [`assemble`] turns the decomposition found into a plan.

mod assemble;
mod grounded;
mod search;

pub use search::Search;
