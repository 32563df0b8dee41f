//! Runs a scenario as a test: plans it, runs it, and checks its expectations
//! (semantics, section 6).

use super::expectations::{Verdict, check_expectations};
use super::run::Run;
use super::run_to_end::simulate_problem;
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Outcome, validate};

/// The result of a test run of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct TestRun {
    /// The outcome of planning the initial situation; or the reason why the validator rejected the
    /// plan, which is an internal error of the planner.
    pub outcome: Result<Outcome, String>,
    /// The run; `None` if planning was stopped, or its plan rejected.
    pub run: Option<Run>,
    /// The results of the expectations, in their order.
    pub verdicts: Vec<Verdict>,
}

/// Plans a scenario, runs it and checks its expectations. `plan` is called with the
/// scenario's state at the time of each planning.
pub fn run_test(
    domain: &Domain,
    scenario: &Name,
    plan: &mut dyn FnMut(&Problem) -> Outcome,
    max_ticks: u32,
) -> TestRun {
    let problem = compile(domain, scenario);
    let outcome = match plan(&problem) {
        Outcome::Plan(plan) => match validate(domain, scenario, &plan) {
            Ok(()) => Ok(Outcome::Plan(plan)),
            Err(invalid) => Err(invalid.to_string()),
        },
        outcome => Ok(outcome),
    };
    let first = outcome.as_ref().ok().filter(|o| **o != Outcome::Stopped);
    let run = first.map(|first| {
        let first = Some(first.clone());
        simulate_problem(domain, scenario, &problem, first, plan, max_ticks)
    });
    let found = outcome.as_ref().map_err(String::as_str);
    let verdicts = check_expectations(domain, scenario, found, run.as_ref());
    TestRun {
        outcome,
        run,
        verdicts,
    }
}
