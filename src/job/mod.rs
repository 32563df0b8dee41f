//! Jobs that the page gives to the worker, and what comes back.

mod attempt;
mod client;
mod export;
mod import;
mod message;
mod planning;
mod running;
mod serve;

pub use client::{Planner, Planning};
pub use import::{Import, is_planning_file, states_problem};
pub use message::{Answer, Finding, Findings, Format, Stage, TextFile};
pub use serve::serve;
