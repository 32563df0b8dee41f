//! Planning for goals without tasks: which ground actions lead to a state in which a condition
//! holds (Orkin 2003 for games; Ghallab, Nau and Traverso 2004).
//!
//! [`ground`] makes actions of the domain's primitive tasks; their conditions are [`formula`]s over
//! numbered variables, in a [`task`]. An [`aim`] is what to get to and an estimate of how far it is
//! to there, by [`relax`]. [`forward`] looks for a way from the state as it is, [`regress`] from the
//! goal back; [`search`] takes the goals that a character has one after the other, the worthiest
//! first; [`tracing`] tells what it came upon.

mod aim;
mod formula;
mod forward;
mod ground;
mod literals;
mod lower;
mod regress;
mod relax;
mod require;
mod search;
mod survey;
mod task;
mod tracing;
mod worth;

pub use search::{Manner, Search};
pub use worth::Want;
