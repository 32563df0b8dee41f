//! The search finds the same first plan as a naive planner, on random domains.

use proptest::prelude::*;
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Outcome, Progress, plan, validate};
use testkit::domain;

mod facts;
mod naive;

use naive::naive;
use testkit::networks::{domains, task, written};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 100_000,
        failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_the_first_plan(domain in domains()) {
        let expected = naive(&domain);
        prop_assume!(expected.is_ok());
        let document = domain::document(&written(&domain));
        let scenario = Name::new("s").expect("a name");
        let outcome = plan(&compile(&Domain::from(&document), &scenario), Budget::default());
        let found = match &outcome {
            Outcome::Plan(plan) => {
                prop_assert_eq!(validate(&Domain::from(&document), &scenario, plan), Ok(()));
                let steps = plan.steps.iter().map(|s| s.task.to_string());
                Some(steps.collect::<Vec<_>>())
            }
            other => {
                prop_assert_eq!(other, &Outcome::NoPlan);
                None
            }
        };
        let expected = expected.ok().flatten().map(|steps| {
            let named = steps.iter().map(|(t, o)| format!("{}(o{o})", task(*t)));
            named.collect::<Vec<_>>()
        });
        prop_assert_eq!(found, expected, "{}", written(&domain));
    }

    #[test]
    fn any_finds_a_plan_if_one_exists(domain in domains()) {
        let expected = naive(&domain);
        prop_assume!(expected.is_ok());
        let exists = expected.is_ok_and(|plan| plan.is_some());
        let document = domain::document(&written(&domain));
        let scenario = Name::new("s").expect("a name");
        let problem = compile(&Domain::from(&document), &scenario);
        for mut search in [
            taskloom_portfolio::Search::new(&problem, Budget::default()),
            taskloom_portfolio::Search::grounded(&problem, Budget::default()),
        ] {
            while search.step(1000) == Progress::Running {}
            match search.outcome() {
                Some(Outcome::Plan(plan)) => {
                    prop_assert_eq!(validate(&Domain::from(&document), &scenario, &plan), Ok(()));
                    prop_assert!(exists, "{}", written(&domain));
                }
                other => {
                    prop_assert_eq!(other, Some(Outcome::NoPlan), "{}", written(&domain));
                    prop_assert!(!exists, "{}", written(&domain));
                }
            }
        }
    }
}
