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
//! - [`Actor`]: a character with all that a document can say about it, such as goals, beliefs, senses and triggers, in
//!   a [`SharedWorld`]. The game supplies its [`Body`]. The editor's simulator runs the same actors.
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
pub use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Orders, Progress, Readings, Reason, Status,
    StepRef, Tick, TickBudget, World as SharedWorld,
};
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
