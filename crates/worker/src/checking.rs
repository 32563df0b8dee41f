//! Checking scenarios one after the other, as `taskloom test` does.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::Compilation;
use taskloom_planner::plan::{Limit, Outcome};
use taskloom_runtime::{Reason, Run, RunEnd, TaskState, Verdict, check_expectations};

use crate::attempt::until;
use crate::running::TestRun;

/// The time limit for one scenario, in milliseconds.
const SCENARIO: f64 = 5_000.0;

/// Scenarios with their results.
pub type Checks = Vec<(Name, Check)>;

/// The result of checking a scenario.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Check {
    /// The verdicts on the scenario's expectations, in their order.
    pub verdicts: Vec<Verdict>,
    /// The figures of its run; `None` if there is no run.
    pub summary: Option<RunSummary>,
    /// The run itself, if it was requested.
    pub run: Option<Run>,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunSummary {
    /// The tick at which it ended.
    pub ticks: u32,
    /// The number of steps that were started.
    pub steps: usize,
    /// The total cost of the completed steps.
    pub cost: f64,
    /// The way in which it ended.
    pub end: RunEnd,
    /// The tick at which a step failed first.
    pub first_failure: Option<u32>,
}

impl RunSummary {
    /// Summarizes a run.
    pub fn of(run: &Run) -> Self {
        let complete = run.executed.iter();
        let complete = complete.filter(|step| step.state == TaskState::Complete);
        let cost = complete.filter_map(|step| {
            let plan = run.plans.get(step.plan)?.plan()?;
            Some(plan.steps.get(step.step)?.cost)
        });
        let failed = run.executed.iter();
        let failed = failed.filter(|step| step.state == TaskState::Failed);
        // A step that a new plan interrupts has done nothing wrong.
        let failed = failed.filter(|step| step.reason != Some(Reason::Interrupted));
        Self {
            ticks: run.ticks,
            steps: run.executed.len(),
            // The sum of nothing is -0.0.
            cost: cost.fold(0.0, |sum, cost| sum + cost),
            end: run.end.clone(),
            first_failure: failed.filter_map(|step| step.end).min(),
        }
    }
}

/// Checks scenarios of a document file; `working` is called before each. The runs are returned only
/// if `with_runs` is `true`: they are large.
///
/// # Errors
/// Returns the reason why the file can't be read.
pub fn check(
    text: &str,
    scenarios: &[Name],
    with_runs: bool,
    now: fn() -> f64,
    mut working: impl FnMut(),
) -> Result<Checks, String> {
    let document = Document::from_json(text).map_err(|error| error.to_string())?;
    let domain = Domain::from(Arc::new(document));
    let one = |scenario: &Name| {
        working();
        let (run, verdicts) = tested(&domain, scenario, now);
        let check = Check {
            verdicts,
            summary: run.as_ref().map(RunSummary::of),
            run: run.filter(|_| with_runs),
        };
        (scenario.clone(), check)
    };
    Ok(scenarios.iter().map(one).collect())
}

/// Returns the run of a scenario, if there is one, and the verdicts on its expectations.
fn tested(domain: &Domain, scenario: &Name, now: fn() -> f64) -> (Option<Run>, Vec<Verdict>) {
    let deadline = now() + SCENARIO;
    let late = || {
        let outcome = Outcome::GaveUp(Limit::Time);
        (
            None,
            check_expectations(domain, scenario, Ok(&outcome), None),
        )
    };
    let stop: Stop = until(now, deadline);
    let mut compiling = Compilation::new(domain, (scenario, 0), &stop);
    let problem = loop {
        match compiling.step() {
            Some(problem) => break problem,
            None if now() >= deadline => return late(),
            None => {}
        }
    };
    let mut test = TestRun::new(domain, scenario, &problem, now);
    loop {
        match test.step(now) {
            Some(result) => return result,
            None if now() >= deadline => return late(),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");

    fn names() -> Vec<Name> {
        let document = Document::from_json(BALL).unwrap();
        document.scenarios.keys().cloned().collect()
    }

    #[test]
    fn scenarios_get_verdicts_on_their_expectations() {
        let mut signs = 0;
        let checks = check(BALL, &names(), false, || 0.0, || signs += 1).unwrap();
        assert_eq!(signs, checks.len());
        assert_eq!(checks.len(), 6);
        for (name, check) in &checks {
            assert!(!check.verdicts.is_empty(), "{name}");
            assert!(check.verdicts.iter().all(|v| *v == Verdict::Met), "{name}");
            assert_eq!(check.run, None, "{name}");
        }
        assert!(check("{", &names(), false, || 0.0, || ()).is_err());
    }

    #[test]
    fn checks_summarize_runs_and_return_them_on_request() {
        let checks = check(BALL, &names(), true, || 0.0, || ()).unwrap();
        let summary = |at: usize| checks[at].1.summary.clone().unwrap();
        let figures = |at| (summary(at).ticks, summary(at).steps, summary(at).cost);
        assert_eq!(figures(0), (5, 2, 2.0), "the box is open");
        // Taking the ball fails as the box slams shut.
        assert_eq!(figures(4), (8, 4, 3.0));
        assert_eq!(summary(4).end, RunEnd::Complete);
        assert_eq!(summary(4).first_failure, Some(4));
        assert_eq!(summary(0).first_failure, None);
        let nothing = summary(5);
        assert_eq!((nothing.steps, nothing.end), (0, RunEnd::Failed));
        assert!(nothing.cost.is_sign_positive());
        for (name, check) in &checks {
            let run = check.run.as_ref().map(RunSummary::of);
            assert_eq!(run, check.summary, "{name}");
        }
    }

    #[test]
    fn checks_that_take_too_long_stay_open() {
        use std::sync::atomic::{AtomicU32, Ordering};
        static CLOCK: AtomicU32 = AtomicU32::new(0);
        let now = || f64::from(CLOCK.fetch_add(1, Ordering::Relaxed)) * 10_000.0;
        let checks = check(BALL, &names()[..1], false, now, || ()).unwrap();
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Open(_));
        assert!(checks[0].1.verdicts.iter().all(is_open), "{checks:?}");
    }
}
