//! The types that make up the events that actors report ([`ActorEvent`](crate::ActorEvent)) and the
//! runs recorded in [logs](crate::LogFile).

pub use taskloom_runtime::{
    Abort, Cause, EventOccurrence, LogEntry, Perception, Planning, Run, RunEnd, StepExecution,
    TaskState,
};
