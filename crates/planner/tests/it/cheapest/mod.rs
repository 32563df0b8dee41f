//! The cheapest plan is the cheapest of all plans, on random domains.

use proptest::prelude::*;
use taskloom_document::Name;
use taskloom_domain::Domain as Typed;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Cheapest, Engine, Outcome, Progress, validate};
use testkit::counts::{on_all_cores, seeds};
use testkit::{domain, properties};

mod budgets;
mod enumerate;
mod random;

use random::{Domain, domains, task, written};

fn check(domain: &Domain) -> Result<(), TestCaseError> {
    let expected = enumerate::cheapest(domain);
    prop_assume!(expected.is_ok());
    let document = domain::document(&written(domain));
    let scenario = Name::new("s").expect("a name");
    let problem = compile(&Typed::from(&document), &scenario);
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
            prop_assert_eq!(validate(&Typed::from(&document), &scenario, &plan), Ok(()));
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

#[test]
fn cheapest_matches_exhaustive_enumeration() {
    on_all_cores(seeds(10_000), |seed| {
        properties::check(seed, &domains(), |domain| check(&domain));
    });
}
