//! Executes plans tick by tick (semantics, section 5), and checks scenarios' expectations.

mod aborts;
mod access;
mod actor;
mod alternative;
mod belief;
mod body;
mod chance;
mod character;
mod claims;
mod clock;
mod continuation;
mod cooldowns;
mod deliberation;
mod error;
mod events;
mod execution_context;
mod expectations;
mod failed_attempts;
mod goal_selection;
mod history;
pub mod log;
mod mind;
mod open;
mod orders;
mod oscillating_goals;
mod parallel;
mod plan_execution;
mod planning_mode;
mod run;
mod run_to_end;
mod save;
mod senses;
mod simulation;
mod states;
mod task_options;
mod test_run;
mod thrashing;
mod timeline;
mod world;

pub use aborts::Abort;
pub use actor::{Actor, ActorEvent, PlanRequest, SavedActor, Status, Tick, TickBudget};
pub use belief::believed_at_first;
pub use body::{ActionStatus, Body, ByDurations, Readings, StepRef};
pub use continuation::continuation;
pub use error::Error;
pub use expectations::{Verdict, check_expectations};
pub use history::{Entry, Moment, world_at};
pub use log::{Log, LogEntry, LogError, LogFile, LogLevel, ScenarioRun};
pub use orders::Orders;
pub use planning_mode::{PlanningMode, planning_modes, with_other_mode};
pub use run::{
    Cause, EventOccurrence, MAX_PLANS, Perception, Planning, Reason, Run, RunEnd, StepExecution,
    TaskState,
};
pub use run_to_end::{default_planner, simulate, simulate_by};
pub use save::{Dropped, SAVE_VERSION, SavedWorld};
pub use simulation::{
    MAX_STEPS, MAX_TICKS, MAX_TICKS_OF_ENDLESS, Next, SavedSimulation, Simulation,
};
pub use test_run::{TestRun, run_test};
pub use thrashing::Thrashing;
pub use timeline::{TimeCursor, ValueTimeline, ValueTimelines};
pub use world::World;
