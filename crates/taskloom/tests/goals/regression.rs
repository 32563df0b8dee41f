//! What an action's effects bring about together, looked at from the goal back.

use taskloom::document::{Direction, GoalSearch, Heuristic};
use taskloom::planner::plan::Strategy;

use crate::domain::document;
use crate::{cost, searching};

/// What a plan costs that is looked for from the goal back, by each estimate.
fn back(text: &str, expected: Option<f64>) {
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
fn what_is_set_under_a_condition_counts_where_the_same_is_unset_in_any_case() {
    // All lamps go out, and then the one that is chosen is lit.
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
fn what_is_unset_in_any_case_stays_so_only_if_nothing_sets_it() {
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
