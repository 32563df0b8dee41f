//! A scenario as a test: what it is planned to, what its run comes to, and whether
//! both are as expected (semantics, section 6).

use super::judge::{Verdict, judge};
use super::run::Run;
use super::whole::simulate_problem;
use taskloom_document::{Document, Name};
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Outcome, validate};

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

/// Plans a scenario, runs it and judges it. `plan` is given the scenario as it is when it
/// is planned.
pub fn trial(
    document: &Document,
    scenario: &Name,
    plan: &mut dyn FnMut(&Problem) -> Outcome,
    max_ticks: u32,
) -> Trial {
    let problem = compile(document, scenario);
    let outcome = match plan(&problem) {
        Outcome::Plan(plan) => match validate(document, scenario, &plan) {
            Ok(()) => Ok(Outcome::Plan(plan)),
            Err(invalid) => Err(invalid.to_string()),
        },
        outcome => Ok(outcome),
    };
    let first = outcome.as_ref().ok().filter(|o| **o != Outcome::Stopped);
    let run = first.map(|first| {
        let first = Some(first.clone());
        simulate_problem(document, scenario, &problem, first, plan, max_ticks)
    });
    let found = outcome.as_ref().map_err(String::as_str);
    let verdicts = judge(document, scenario, found, run.as_ref());
    Trial {
        outcome,
        run,
        verdicts,
    }
}
