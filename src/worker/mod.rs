//! The tasks that the page gives to its workers, and their results.

mod answer;
mod attempt;
mod checking;
mod client;
mod experiment;
mod export;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod fake;
mod host;
mod import;
mod jobs;
mod message;
mod planner;
mod planning;
mod port;
mod running;
mod serve;

pub use answer::Answer;
pub use client::{Client, Import, Shown};
pub use experiment::{Experiment, Intervention};
pub use import::{is_planning_file, states_problem};
pub use message::{Finding, Findings, Format, Phase, TextFile};
pub use planner::{PlanRequest, Planning};
pub use planning::is_another;
pub use serve::serve;
