#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! What a game or a server needs stands at the root:
//!
//! - [`Domain`]: a file, read. It is immutable, and clones share it.
//! - [`World`]: the facts that a character goes by, which the game owns and [sets](World::set).
//! - [`Planning`]: a search for a [`Plan`], run in slices. Each plan that it gives has been replayed by the validator,
//!   which shares no code with the search.
//! - [`Character`]: plans, acts tick by tick, and plans again.
//! - [`Budget`] and [`Strategy`]: how much a search may use, and which plan it looks for.
//!
//! The types at the root may go from thread to thread. None looks at a clock, at random numbers, or at a file.
//!
//! Below that are the crates that do the work, for editors, tools, and whoever wants more of them: [`document`] is what
//! a designer edits, [`domain`] says what it means, [`planner`] finds plans, and [`runtime`] carries them out and judges
//! scenarios; [`hddl`] reads and writes planning files, [`export`] writes documents for other programs, [`layout`] says
//! where blocks stand.

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

/// Why something cannot be, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub(crate) String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
