//! The planner: [`compile`]s a document and one of its scenarios to a flat, interned problem, and
//! searches it for a plan ([`plan`]); [`explain`] reports how a search went.
//!
//! It has no user interface, clock, randomness, input or output, and behaves the same natively and
//! as WebAssembly.

pub mod compile;
pub mod explain;
pub mod plan;
#[doc(hidden)]
pub mod search_kit;
