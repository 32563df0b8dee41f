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
//! [`plan`] has the parts of plans, and [`run`] those of what actors report.
//!
//! # Features
//!
//! A game links what it uses: without features, that is the runtime with the searches for first plans, cheapest plans
//! and goals.
//!
//! - `hddl`: the module `hddl` reads planning files in HDDL and PDDL.
//! - `export`: the module `export` writes documents for other programs. It includes `hddl`'s writer.
//! - `portfolio`: [`Strategy::Fastest`] has searches for problems like those of planning competitions. Without it, it is
//!   [`Strategy::First`], except for goals.

#[cfg(feature = "export")]
pub mod export;
mod game;
#[cfg(feature = "hddl")]
pub mod hddl;
pub mod plan;
mod planning;
pub mod run;
mod situation;

pub use game::Domain;
pub use planning::Planning;
pub use situation::Situation;
pub use taskloom_document::diagnostic::{Diagnostic, Severity, Span};
pub use taskloom_document::{
    CastMember, Document, FileError, FileMistake, Name, NameError, Policy, Scenario,
};
pub use taskloom_planner::compile::{GroundQuery, Problem};
pub use taskloom_planner::plan::{
    Atom, Budget, GroundTask, Limit, Outcome, Plan, Statistics, Strategy, Value, plan_by,
};
pub use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Dropped, Error, Log, LogError, LogFile,
    LogLevel, Orders, PlanRequest, Readings, Reason, SavedActor, SavedWorld, Status, StepRef, Tick,
    TickBudget, World,
};
