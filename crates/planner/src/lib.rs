//! The planner: [`compile`]s a document and one of its scenarios to a flat, interned
//! problem, and searches it for a plan ([`plan`]); [`explain`] says what a search did.
//!
//! It knows no screen, no clock, no randomness and no input or output; it runs the
//! same natively and as WebAssembly.

pub mod compile;
pub mod explain;
pub mod plan;
