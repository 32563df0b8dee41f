//! The worker of Taskloom's editor, and the messages between it and the page.
//!
//! The page links this library for its messages alone. Two programs [serve](serve) them:
//! `taskloom-worker` plans and simulates, and `taskloom-jobs` also exports and imports.

mod answer;
mod attempt;
mod checking;
mod experiment;
mod export;
mod import;
mod jobs;
mod logs;
mod message;
mod planning;
mod port;
mod running;
mod serve;
mod stored;
mod tracing;

pub use answer::{Answer, SearchReport};
pub use checking::{Check, Checks, RunSummary};
pub use experiment::{Experiment, Intervention};
pub use import::{is_planning_file, states_problem};
pub use jobs::perform;
pub use logs::{LoggedRun, is_log};
pub use message::{
    Event, Exported, Finding, Findings, Format, Imported, KnownDocument, PLANNER, Phase, Program,
    Request, SentDocument, TRACE_BOUND, TextFile, Wanted, program_of,
};
pub use planning::is_another;
pub use port::{Channel, Port};
pub use serve::{PerformJob, serve};
pub use stored::{store, stored_answers};
