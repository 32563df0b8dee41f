//! Executing plans tick by tick (semantics, section 5), and judging what came of it.

mod chance;
mod character;
mod engine;
mod events;
mod history;
mod judge;
mod run;
mod states;
mod trial;
mod whole;

pub use character::{Character, Progress};
pub use engine::{MOST_PLANS, MOST_TICKS, Next, Simulation};
pub use history::{Entry, Moment, world_at};
pub use judge::{Verdict, judge};
pub use run::{Cause, Execution, Happening, Planning, Reason, Run, RunEnd, TaskState};
pub use trial::{Trial, trial};
pub use whole::{by_policy, simulate, simulate_by};
