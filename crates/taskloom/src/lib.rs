#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! The root has what a game or a server needs:
//!
//! - [`Domain`]: a file that has been read. It is immutable, and clones share it.
//! - [`World`]: the facts that a character bases its decisions on. The game owns and [sets](World::set) them.
//! - [`Planning`]: a search for a [`Plan`], run in slices. The validator, which shares no code with the search, has
//!   replayed every plan that it returns.
//! - [`Character`]: plans, acts tick by tick, and replans.
//! - [`Budget`] and [`Strategy`]: the resources that a search may use, and which plan it looks for.
//!
//! The types at the root are `Send` and `Sync`. None of them accesses a clock, random numbers, or a file.
//!
//! The crates below do the work, for editors, tools, and anybody who needs more: [`document`] is what a designer edits,
//! [`domain`] gives it meaning, [`planner`] finds plans, and [`runtime`] executes them and checks scenarios' expectations;
//! [`hddl`] reads and writes planning files, [`export`] writes documents for other programs, and [`layout`] places
//! blocks.

mod character;
mod planning;
mod world;

use std::fmt;

pub use taskloom_document as document;
pub use taskloom_domain as domain;
pub use taskloom_export as export;
pub use taskloom_hddl as hddl;
pub use taskloom_layout as layout;
pub use taskloom_planner as planner;
pub use taskloom_runtime as runtime;

pub use character::Character;
pub use planning::Planning;
pub use taskloom_planner::plan::{Atom, Budget, GroundTask, Outcome, Plan, Strategy, Value};
pub use taskloom_runtime::Progress;
pub use world::{Domain, World};

/// The reason why a call failed, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub(crate) String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
