//! Executing plans tick by tick (semantics, section 5).

mod run;

pub use run::{Execution, Run, RunEnd, TaskState};

use crate::document::{Document, Name};
use crate::plan::Budget;

/// Plans a scenario and executes the plan in its world, replanning where it fails.
pub fn simulate(_document: &Document, _scenario: &Name, _budget: Budget, max_ticks: u32) -> Run {
    Run {
        plans: vec![],
        executed: vec![],
        events: vec![],
        end: RunEnd::OutOfTime,
        ticks: max_ticks,
    }
}
