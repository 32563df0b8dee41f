//! Executing plans tick by tick (semantics, section 5).

mod engine;
mod run;

pub use engine::simulate;
pub use run::{Execution, Run, RunEnd, TaskState};
