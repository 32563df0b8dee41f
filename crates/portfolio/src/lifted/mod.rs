//! Search over tasks and methods with variables: nothing is instantiated before it is needed.
//!
//! [`lift`] turns a problem into a [`model`], with [`condition`]s in negation normal form; it fails
//! if a problem reads or changes numbers, or is too large. [`descend`] searches the model
//! depth-first, and returns a [`decomposition`]. It executes the model's [`rules`]: [`join`] finds
//! a method's objects among the [`facts`] by index, and [`hoist`] pulls up preconditions of
//! subtasks. [`linear`] puts unordered tasks in sequence.

pub mod condition;
pub mod decomposition;
pub mod descend;
mod evaluation;
pub mod facts;
mod hoist;
mod join;
pub mod lift;
pub mod linear;
pub mod model;
mod rules;
