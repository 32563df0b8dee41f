//! The combined effects of an action, in regression from the goal.

use super::{cost, name, searching};
use taskloom_document::{Direction, GoalSearch, Heuristic};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy};
use testkit::domain::document;

/// Returns the cost of a plan found by regression, for each heuristic.
pub fn back(text: &str, expected: Option<f64>) {
    for heuristic in [Heuristic::Blind, Heuristic::Hmax, Heuristic::Hadd] {
        let search = GoalSearch {
            direction: Direction::Regressive,
            heuristic,
            ..GoalSearch::default()
        };
        let document = searching(&document(text), search);
        let found = cost(&document, Strategy::First, text);
        assert_eq!(found, expected, "{heuristic:?}\n{text}");
    }
}

const LAMPS: &str = "
fact lit(?l: object)
fact quiet
value chosen: object
object left
object right
primitive choose(?l: object)
  eff chosen := ?l
";

#[test]
fn conditional_add_overrides_unconditional_delete() {
    // All lamps go out, and then the selected one is lit.
    let text = format!(
        "{LAMPS}primitive switch
  eff not lit(left)
  eff not lit(right)
  eff lit(chosen)
scenario s
  initial lit(left)
  goal lit(right) and not lit(left)"
    );
    back(&text, Some(2.0));
}

#[test]
fn unconditional_delete_persists_unless_added() {
    let text = format!(
        "{LAMPS}primitive switch
  eff not lit(left)
  eff lit(left) when chosen = left
scenario s
  initial lit(left)
  initial chosen = left
  goal not lit(left)"
    );
    back(&text, Some(2.0));
}

/// A switch lights the lamps in all rooms that have power.
fn rooms(count: usize) -> String {
    let mut text = String::from(
        "type room: object
fact lit(?r: room)
fact powered(?r: room)
primitive connect(?r: room)
  eff powered(?r)
primitive light-all
  eff forall ?r: room. lit(?r) when powered(?r)
scenario s
  goal forall ?r: room. lit(?r)
",
    );
    for room in 0..count {
        text.insert_str(0, &format!("object r{room}: room\n"));
    }
    text
}

#[test]
fn effects_under_many_conditions_do_not_multiply() {
    back(&rooms(3), Some(4.0));
    let search = GoalSearch {
        direction: Direction::Regressive,
        ..GoalSearch::default()
    };
    let document = searching(&document(&rooms(30)), search);
    let problem = compile(&Domain::from(&document), &name("s"));
    let budget = Budget {
        nodes: 2_000,
        memory: 16 << 20,
        ..Budget::default()
    };
    let mut search = Strategy::First.search(&problem, budget, 0);
    while search.step(64) == Progress::Running {}
    let statistics = search.statistics();
    // Writing out a plan may take another megabyte.
    assert!(statistics.memory <= 17 << 20, "{statistics:?}");
    let Some(Outcome::Plan(plan)) = search.outcome() else {
        panic!("{:?}", search.outcome());
    };
    assert_eq!(plan.steps.len(), 31);
}

#[test]
fn rounding_sums_are_added_in_plan_order() {
    let charging = "number level
primitive charge
  eff level += 0.1
scenario s
  goal level >= 0.7";
    back(charging, Some(7.0));
    let to_the_brim = "number level 0..0.75
primitive charge
  eff level += 0.1
scenario s
  goal level >= 0.7";
    back(to_the_brim, Some(7.0));
}

#[test]
fn conditions_implied_by_ranges_are_not_required() {
    let text = "number fuel integer 0..9
fact left
fact right
fact there
primitive burn
  pre fuel >= 1
  eff fuel -= 1
primitive refuel
  eff fuel += 1
primitive drive
  pre fuel >= 3
  pre left
  pre right
  eff there
primitive turn-left
  eff left
  eff not right
primitive turn-right
  eff right
  eff not left
scenario s
  goal there";
    for heuristic in [Heuristic::Blind, Heuristic::Hmax] {
        let search = GoalSearch {
            direction: Direction::Regressive,
            heuristic,
            ..GoalSearch::default()
        };
        let document = searching(&document(text), search);
        let problem = compile(&Domain::from(&document), &name("s"));
        let mut search = Strategy::First.search(&problem, Budget::default(), 0);
        while search.step(64) == Progress::Running {}
        assert_eq!(search.outcome(), Some(Outcome::NoPlan));
        assert!(search.statistics().nodes < 100, "{:?}", search.statistics());
    }
    back(&text.replace("  pre right\n", ""), Some(5.0));
}

/// Regression can express an effect that adds a constant. Durations are compiled to aggregates, and most
/// of them depend only on numbers that no action changes.
#[test]
fn aggregates_of_static_numbers_are_constants() {
    let text = "type jug: object
object small: jug
object large: jug
number size(?j: jug)
number level
action Pour count ?j: jug. (size(?j) > 1)
fact wet(?j: jug)
primitive splash(?j: jug)
  eff wet(?j)
primitive dry(?j: jug)
  eff not wet(?j)
primitive pour = Pour
  eff level += sum ?j: jug. size(?j)
scenario s
  initial size(small) = 1
  initial size(large) = 3
  goal level >= 20 and time < 6";
    let nodes = |text: &str| {
        let search = GoalSearch {
            direction: Direction::Regressive,
            heuristic: Heuristic::Blind,
            ..GoalSearch::default()
        };
        let document = searching(&document(text), search);
        let problem = compile(&Domain::from(&document), &name("s"));
        let mut search = Strategy::First.search(&problem, Budget::default(), 0);
        while search.step(64) == Progress::Running {}
        search.statistics().nodes
    };
    back(text, Some(5.0));
    let constant = text
        .replace("sum ?j: jug. size(?j)", "4")
        .replace("count ?j: jug. (size(?j) > 1)", "1");
    assert_eq!(nodes(text), nodes(&constant));
}

#[test]
fn only_the_sum_of_additions_has_to_be_in_range() {
    for additions in [
        "  eff x += 5\n  eff x -= 5",
        "  eff x -= 4\n  eff x += 2",
        "  eff x += 1\n  eff x += 1",
        "  eff x += 4\n  eff x -= 4 when x >= 3",
        "  eff x := 1\n  eff x += 4",
    ] {
        let text = format!(
            "fact g
number x integer 0..5
primitive swap
{additions}
  eff g
scenario s
  initial x = 3
  goal g"
        );
        back(&text, Some(1.0));
    }
    let text = "fact g
number x integer 0..5
primitive raise
  eff x += 2
  eff x += 1
  eff g
primitive lower
  eff x -= 1
scenario s
  initial x = 3
  goal g";
    back(text, Some(2.0));
}

#[test]
fn a_bound_that_no_condition_mentions_may_be_reached() {
    // Before the last action, the number has to be 8.
    let text = "fact g
number x integer 0..20
primitive raise
  pre not g
  eff x += 1
primitive finish
  eff x -= 1
  eff g
scenario s
  goal g and x >= 7";
    back(text, Some(9.0));
}
