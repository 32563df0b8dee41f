//! Plans and proofs that there is none, beside what Dijkstra's algorithm finds in random domains.

use taskloom::document::{Direction, Document, GoalSearch, Heuristic};
use taskloom::planner::plan::Strategy;

use crate::dijkstra::least_cost;
use crate::xorshift::Random;
use crate::{cost, domain, random, searching};

/// More states are not looked at.
const STATES: usize = 500;
/// Costs are added up in another order.
const ROUNDING: f64 = 1e-9;

/// How many domains are tried: more of them in `cargo xtask test`.
fn count() -> usize {
    let count = std::env::var("TASKLOOM_GOAL_DOMAINS").ok();
    count.map_or(120, |count| count.parse().expect("a number of domains"))
}

fn is_same(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING,
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Every estimate, in both directions.
fn compare(document: &Document, least: Option<f64>, text: &str) {
    for direction in [Direction::Forward, Direction::Regressive] {
        for heuristic in [
            Heuristic::Blind,
            Heuristic::Hmax,
            Heuristic::Unmet,
            Heuristic::Hadd,
            Heuristic::Ff,
        ] {
            let search = GoalSearch {
                direction,
                heuristic,
                ..GoalSearch::default()
            };
            let document = searching(document, search);
            let title = format!("{direction:?} by {heuristic:?}, least {least:?}");
            let found = cost(&document, Strategy::First, text);
            assert_eq!(found.is_some(), least.is_some(), "{title}\n{text}");
            let is_admissible = matches!(heuristic, Heuristic::Blind | Heuristic::Hmax);
            if is_admissible {
                assert!(is_same(found, least), "{title}: {found:?}\n{text}");
            } else if let (Some(found), Some(least)) = (found, least) {
                assert!(found >= least - ROUNDING, "{title}: {found}\n{text}");
                let cheapest = cost(&document, Strategy::Cheapest, text);
                let is_least = is_same(cheapest, Some(least));
                assert!(is_least, "{title}: cheapest {cheapest:?}\n{text}");
            }
        }
    }
    let soon = cost(document, Strategy::Any, text);
    assert_eq!(soon.is_some(), least.is_some(), "any\n{text}");
}

#[test]
fn the_least_cost_is_what_looking_at_every_state_finds() {
    let mut random = Random(20);
    let count = count();
    let (mut with, mut without, mut steps) = (0, 0, 0.0);
    while with + without < count {
        let text = random::domain(&mut random);
        let document = domain::document(&text);
        let Ok(least) = least_cost(&document, STATES) else {
            continue;
        };
        // A goal that holds at first, or is out of reach, is soon found to be.
        let is_hard = least.is_some_and(|least| least > 1.0);
        if !is_hard && random.below(20) > 0 {
            continue;
        }
        with += usize::from(least.is_some());
        without += usize::from(least.is_none());
        steps += least.unwrap_or_default();
        compare(&document, least, &text);
    }
    assert!(with * 3 > count, "only {with} domains have a plan");
    assert!(without * 15 > count, "only {without} domains have none");
    assert!(steps > count as f64, "the plans cost {steps} together");
}
