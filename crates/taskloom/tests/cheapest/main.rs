//! The cheapest plan is the cheapest of all plans, on random domains.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use taskloom::document::Name;
use taskloom::planner::compile::compile;
use taskloom::planner::plan::{Budget, Cheapest, Engine, Outcome, Progress, validate};

mod budgets;
#[path = "../domain/mod.rs"]
mod domain;
mod enumerate;
mod random;

use random::{Domain, domains, task, written};

fn check(domain: &Domain) -> Result<(), TestCaseError> {
    let expected = enumerate::cheapest(domain);
    prop_assume!(expected.is_ok());
    let document = domain::document(&written(domain));
    let scenario = Name::new("s").expect("a name");
    let problem = compile(&document, &scenario);
    let mut search = Cheapest::new(&problem, Budget::default(), 0);
    let mut bound = f64::NEG_INFINITY;
    while search.step(7) == Progress::Running {
        let now = search.bound().unwrap();
        prop_assert!(now >= bound, "the bound falls");
        bound = now;
        let best = search.best().map_or(f64::INFINITY, |plan| plan.cost);
        prop_assert!(bound <= best);
    }
    let found = match search.outcome() {
        Some(Outcome::Plan(plan)) => {
            prop_assert_eq!(validate(&document, &scenario, &plan), Ok(()));
            prop_assert!(bound <= plan.cost);
            let steps = plan.steps.iter().map(|s| s.task.to_string());
            Some((plan.cost, steps.collect::<Vec<_>>()))
        }
        other => {
            prop_assert_eq!(other, Some(Outcome::NoPlan));
            None
        }
    };
    let expected = expected.ok().flatten().map(|(cost, steps)| {
        let named = steps.iter().map(|(t, o)| format!("{}(o{o})", task(*t)));
        (f64::from(cost), named.collect::<Vec<_>>())
    });
    prop_assert_eq!(found, expected, "{}", written(domain));
    Ok(())
}

/// The number of domains, from `TASKLOOM_SEQUENCES`.
#[test]
fn cheapest_matches_exhaustive_enumeration() {
    let cases = std::env::var("TASKLOOM_SEQUENCES").ok();
    let cases = cases.and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        max_global_rejects: cases * 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&domains(), |domain| check(&domain))
        .unwrap_or_else(|failure| panic!("{failure}"));
}
