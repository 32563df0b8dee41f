//! The parts of runs: of the events that actors report ([`ActorEvent`](crate::ActorEvent)), and of the
//! records in [logs](crate::LogFile).

pub use taskloom_runtime::{
    Abort, Cause, EventOccurrence, LogEntry, Perception, Planning, Run, RunEnd, StepExecution,
    TaskState,
};
