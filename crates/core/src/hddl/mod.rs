//! HDDL, the field's common language for hierarchical planning problems
//! (Höller et al. 2020, "HDDL: An Extension to PDDL for Expressing Hierarchical
//! Planning Problems"), with the numeric fluents of PDDL 2.1.
//!
//! [`ast`] is a domain and a problem as trees of final names; [`write_domain`]
//! and [`write_problem`] lay them out as text.

pub mod ast;
mod write;

pub use write::{write_domain, write_problem};
