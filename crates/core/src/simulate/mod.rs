//! Executing plans tick by tick (semantics, section 5), and judging what came of it.

mod engine;
mod judge;
mod run;

pub use engine::{simulate, simulate_by};
pub use judge::{Verdict, judge};
pub use run::{Execution, Run, RunEnd, TaskState};
