//! Compares plans, and proofs that none exists, with Dijkstra's algorithm in random domains.

use taskloom_document::{Direction, Document, GoalSearch, Heuristic};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, validate};

use super::dijkstra::least_cost;
use super::{domain, name, searching};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

/// The maximum number of states.
const STATES: usize = 500;
/// The tolerance, since costs are added up in another order.
const ROUNDING: f64 = 1e-9;

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING
}

/// Searches, and returns the plan's cost and whether it is claimed to be optimal; `None` if the
/// search claims that there is no plan.
fn search(document: &Document, strategy: Strategy, least: Option<f64>) -> Option<(f64, bool)> {
    let problem = compile(&Domain::from(document), &name("s"));
    let mut search = strategy.search(&problem, Budget::default(), 0);
    while search.step(64) == Progress::Running {}
    if let (Some(bound), Some(least)) = (search.bound(), least) {
        assert!(bound <= least + ROUNDING, "the bound is {bound}");
    }
    match search.outcome() {
        Some(Outcome::Plan(plan)) => {
            assert_eq!(
                validate(&Domain::from(document), &name("s"), &plan),
                Ok(()),
                "{plan:#?}"
            );
            let aim = plan.target.as_ref().expect("what the plan is for");
            assert_eq!(aim.remaining_estimate, None, "a partial plan");
            Some((plan.cost, aim.is_optimal))
        }
        Some(Outcome::NoPlan) => None,
        other => panic!("{other:?}"),
    }
}

/// Every heuristic, in both directions, by every strategy.
fn compare(text: &str, least: Option<f64>) {
    let document = &domain::document(text);
    for direction in [Direction::Forward, Direction::Regressive] {
        for heuristic in [
            Heuristic::Blind,
            Heuristic::Hmax,
            Heuristic::Unmet,
            Heuristic::Hadd,
            Heuristic::Ff,
        ] {
            let options = GoalSearch {
                direction,
                heuristic,
                ..GoalSearch::default()
            };
            let document = searching(document, options);
            for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
                let title = format!("{strategy:?}, {direction:?} by {heuristic:?}\n{text}");
                let found = search(&document, strategy, least);
                let (Some((cost, is_optimal)), Some(least)) = (found, least) else {
                    assert_eq!(found.is_some(), least.is_some(), "{title}");
                    continue;
                };
                assert!(cost >= least - ROUNDING, "{title}: {cost}");
                assert!(!is_optimal || is_same(cost, least), "{title}: {cost}");
                assert!(is_optimal || strategy != Strategy::Cheapest, "{title}");
            }
        }
    }
}

/// Draws a domain that is small enough to be searched exhaustively, with a goal out of reach for every eighth seed.
/// Returns its text and the minimum cost.
fn draw(seed: u64) -> (String, Option<f64>) {
    let random = &mut Random::seeded(seed);
    loop {
        let text = testkit::goals::domain(random);
        let Ok(least) = least_cost(&domain::document(&text), STATES) else {
            continue;
        };
        let is_wanted = match least {
            None => seed.is_multiple_of(8),
            // A goal that is true at first is decided quickly.
            Some(least) => !seed.is_multiple_of(8) && (least > 1.0 || random.below(20) == 0),
        };
        if is_wanted {
            return (text, least);
        }
    }
}

#[test]
fn minimum_cost_matches_exhaustive_search() {
    let costs = on_all_cores(seeds(500), |seed| {
        let (text, least) = draw(seed);
        compare(&text, least);
        least
    });
    let (count, with) = (costs.len(), costs.iter().flatten().count());
    let (without, steps) = (count - with, costs.iter().flatten().sum::<f64>());
    if is_sample() {
        return;
    }
    assert!(with * 3 > count, "only {with} domains have a plan");
    assert!(without * 15 > count, "only {without} domains have none");
    assert!(steps > count as f64, "the plans cost {steps} together");
}
