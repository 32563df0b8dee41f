#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! The root has what a game or a server needs:
//!
//! - [`Domain`]: a file that has been read. It is immutable, and clones share it.
//! - [`World`]: the facts and the tick of a level. The game owns it and [sets](World::set) what is sensed.
//! - [`Actor`]: a character in play, with all that a document can say about it, such as tasks, goals, beliefs, senses
//!   and triggers. It plans, acts tick by tick, and replans. The editor's simulator runs the same actors.
//! - [`Body`]: what the game supplies for an actor. It performs its actions and reads its sensors.
//! - [`SavedWorld`] and [`SavedActor`]: saved games, which can be loaded into a changed domain.
//! - [`Log`] and [`LogFile`]: what the actors of a world decide and do, and why, line by line.
//! - [`Situation`] and [`Planning`]: a search for a [`Plan`] without execution, run in slices. The validator, which
//!   shares no code with the search, has replayed every plan that it returns.
//! - [`Budget`] and [`Strategy`]: the resources that a search may use, and which plan it looks for.
//!
//! The types at the root are `Send` and `Sync`. None of them accesses a clock, random numbers, or a file.
//!
//! The crates below do the work, for editors, tools, and anybody who needs more: [`document`] is what a designer edits,
//! [`domain`] gives it meaning, [`planner`] finds plans, and [`runtime`] executes them and checks scenarios' expectations;
//! [`hddl`] reads and writes planning files, [`export`] writes documents for other programs, and [`layout`] places
//! blocks.

mod game;
mod planning;
mod situation;

pub use taskloom_document as document;
pub use taskloom_domain as domain;
pub use taskloom_export as export;
pub use taskloom_hddl as hddl;
pub use taskloom_layout as layout;
pub use taskloom_planner as planner;
pub use taskloom_runtime as runtime;

pub use game::Domain;
pub use planning::Planning;
pub use situation::Situation;
pub use taskloom_document::CastMember;
pub use taskloom_planner::compile::GroundQuery;
pub use taskloom_planner::plan::{Atom, Budget, GroundTask, Outcome, Plan, Strategy, Value};
pub use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Dropped, Error, Log, LogFile, LogLevel,
    Orders, Readings, Reason, SavedActor, SavedWorld, Status, StepRef, Tick, TickBudget, World,
};
