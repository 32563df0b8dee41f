//! HDDL, the common language for hierarchical planning problems (Höller et al. 2020, "HDDL: An
//! Extension to PDDL for Expressing Hierarchical Planning Problems"), with the numeric fluents of
//! PDDL 2.1.
//!
//! [`ast`] has the trees of a domain and a problem; [`read`] parses them, and [`write_domain`] and
//! [`write_problem`] format them. Plans have a separate format: [`read_plan`] and [`write_plan`].

pub mod ast;
mod plan_file;
mod read;
mod step_list;
mod variables;
mod write;

pub use plan_file::{
    PlanFile, PlannedAction, PlannedMethod, ReadPlan, read_plan, read_plan_cancellable, write_plan,
};
pub(crate) use read::decimal;
pub use read::{Position, Read, SyntaxError, position, read, read_cancellable, with_line_feeds};
pub(crate) use variables::mentions;
pub use write::{write_domain, write_problem};
