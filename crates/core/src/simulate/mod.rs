//! Executing plans tick by tick (semantics, section 5).

mod run;

pub use run::{Execution, Run, RunEnd, TaskState};
