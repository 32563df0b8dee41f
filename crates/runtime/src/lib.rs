//! Executing plans tick by tick (semantics, section 5), and judging what came of it.

mod alternative;
mod belief;
mod beside;
mod chance;
mod character;
mod course;
mod engine;
mod events;
mod following;
mod footprint;
mod history;
mod judge;
mod manner;
mod member;
mod pursuit;
mod reactive;
mod run;
mod scene;
mod senses;
mod states;
mod trial;
mod undoing;
mod whole;

pub use belief::believed_at_first;
pub use character::{Character, Progress};
pub use course::{Course, Courses, Until};
pub use engine::{MOST_PLANS, MOST_TICKS, MOST_TICKS_OF_ENDLESS, Next, Simulation};
pub use history::{Entry, Moment, world_at};
pub use judge::{Verdict, judge};
pub use manner::{Manner, in_other_manner, manners};
pub use run::{Cause, Execution, Happening, Perception, Planning, Reason, Run, RunEnd, TaskState};
pub use scene::Scene;
pub use trial::{Trial, trial};
pub use whole::{by_policy, simulate, simulate_by};
