//! Checking scenarios one after the other, as `taskloom test` does.

use std::sync::Arc;

use taskloom::document::stop::Stop;
use taskloom::document::{Document, Name};
use taskloom::domain::Domain;
use taskloom::planner::compile::Compilation;
use taskloom::planner::plan::{Limit, Outcome};
use taskloom::runtime::{Verdict, check_expectations};

use crate::attempt::until;
use crate::running::TestRun;

/// The time limit for one scenario, in milliseconds.
const SCENARIO: f64 = 5_000.0;

/// Scenarios with the verdicts on their expectations.
pub type Checks = Vec<(Name, Vec<Verdict>)>;

/// Checks scenarios of a document file; `working` is called before each.
///
/// # Errors
/// Returns the reason why the file can't be read.
pub fn check(
    text: &str,
    scenarios: &[Name],
    now: fn() -> f64,
    mut working: impl FnMut(),
) -> Result<Checks, String> {
    let document = Document::from_json(text).map_err(|error| error.to_string())?;
    let domain = Domain::from(Arc::new(document));
    let one = |scenario: &Name| {
        working();
        (scenario.clone(), verdicts(&domain, scenario, now))
    };
    Ok(scenarios.iter().map(one).collect())
}

fn verdicts(domain: &Domain, scenario: &Name, now: fn() -> f64) -> Vec<Verdict> {
    let deadline = now() + SCENARIO;
    let late = || {
        let outcome = Outcome::GaveUp(Limit::Time);
        check_expectations(domain, scenario, Ok(&outcome), None)
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
            Some((_, verdicts)) => return verdicts,
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
        let checks = check(BALL, &names(), || 0.0, || signs += 1).unwrap();
        assert_eq!(signs, checks.len());
        assert_eq!(checks.len(), 6);
        for (name, verdicts) in &checks {
            assert!(!verdicts.is_empty(), "{name}");
            assert!(verdicts.iter().all(|v| *v == Verdict::Met), "{name}");
        }
        assert!(check("{", &names(), || 0.0, || ()).is_err());
    }

    #[test]
    fn checks_that_take_too_long_stay_open() {
        use std::sync::atomic::{AtomicU32, Ordering};
        static CLOCK: AtomicU32 = AtomicU32::new(0);
        let now = || f64::from(CLOCK.fetch_add(1, Ordering::Relaxed)) * 10_000.0;
        let checks = check(BALL, &names()[..1], now, || ()).unwrap();
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Open(_));
        assert!(checks[0].1.iter().all(is_open), "{checks:?}");
    }
}
