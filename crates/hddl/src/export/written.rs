//! The exported files.

use crate::syntax::ast::{Domain, Problem};
use crate::syntax::{write_domain, write_problem};
use taskloom_document::stop::Stop;

/// A document as planning files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The domain's file.
    pub domain: String,
    /// The problem's file, for a scenario.
    pub problem: Option<String>,
    /// Features that HDDL can't express, one sentence each.
    pub warnings: Vec<String>,
}

pub fn written(
    domain: &Domain,
    problem: Option<&Problem>,
    warnings: Vec<String>,
    stop: &Stop,
) -> Written {
    Written {
        domain: write_domain(domain, stop),
        problem: problem.map(|problem| write_problem(problem, stop)),
        warnings,
    }
}
