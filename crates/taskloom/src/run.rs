//! What actors report as it happens ([`ActorEvent`](crate::ActorEvent)), and the runs that
//! [logs](crate::LogFile) contain.

pub use taskloom_runtime::{
    Abort, Cause, EventOccurrence, LogEntry, Perception, Planning, Run, RunEnd, StepExecution,
    TaskState,
};
