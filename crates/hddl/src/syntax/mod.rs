//! HDDL, the field's common language for hierarchical planning problems
//! (Höller et al. 2020, "HDDL: An Extension to PDDL for Expressing Hierarchical
//! Planning Problems"), with the numeric fluents of PDDL 2.1.
//!
//! [`ast`] is a domain and a problem as trees; [`read`] makes them of a text, and
//! [`write_domain`] and [`write_problem`] lay them out as text. Plans have a format
//! of their own: [`read_plan`] and [`write_plan`].

pub mod ast;
mod plan_file;
mod read;
mod write;

pub use plan_file::{
    PlanFile, PlannedAction, PlannedMethod, ReadPlan, read_plan, read_plan_until, write_plan,
};
pub use read::{Position, Read, SyntaxError, position, read, read_until};
pub use write::{write_domain, write_problem};
