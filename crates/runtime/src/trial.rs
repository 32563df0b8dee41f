//! A scenario as a test: what it is planned to, what its run comes to, and whether
//! both are as expected (semantics, section 6).

use super::judge::{Verdict, judge};
use super::run::Run;
use super::whole::{simulate_by, validated};
use taskloom_document::{Document, Name};
use taskloom_planner::plan::Outcome;

/// What became of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// What planning the situation as it stands comes to; or why the validator
    /// refuses the plan that was found, which is a fault of the planner's.
    pub outcome: Result<Outcome, String>,
    /// The run; none where planning was stopped, or its plan refused.
    pub run: Option<Run>,
    /// What became of the expectations, in their order.
    pub verdicts: Vec<Verdict>,
}

/// Plans a scenario, runs it and judges it. `plan` is given the document with the
/// scenario as it is when it is planned.
pub fn trial(
    document: &Document,
    scenario: &Name,
    plan: &mut dyn FnMut(&Document) -> Outcome,
    max_ticks: u32,
) -> Trial {
    let outcome = validated(document, scenario, plan(document));
    let first = outcome.as_ref().ok().filter(|o| **o != Outcome::Stopped);
    let run =
        first.map(|first| simulate_by(document, scenario, Some(first.clone()), plan, max_ticks));
    let found = outcome.as_ref().map_err(String::as_str);
    let verdicts = judge(document, scenario, found, run.as_ref());
    Trial {
        outcome,
        run,
        verdicts,
    }
}
