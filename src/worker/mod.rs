//! The page's side of its workers: what they are asked, when, and by how many of them.

mod client;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod fake;
mod host;
mod jobs;
mod planner;

pub use client::{Client, JobHandle, Shown};
pub use planner::{PlanRequest, Planning};
pub use taskloom_worker::{
    Answer, Check, Experiment, Finding, Findings, Format, Intervention, LoggedRun, Phase,
    RunSummary, SearchReport, TextFile, is_another, is_log, is_planning_file, states_problem,
};
