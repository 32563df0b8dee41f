//! Decimals (semantics, section 1): ten times 0.1 is exactly 1, whatever plans.

use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Strategy};
use testkit::domain::document;

use super::absence::check_text;
use super::goals::{back, cost, name};

/// A vessel that drips fill, with the lines of its scenario.
fn vessel(scenario: &str) -> String {
    format!(
        "
type drop
object a: drop
object b: drop
object c: drop
number level 0..1
number size(?d: drop)
primitive drip
  eff level += 0.1
primitive leak
  pre level > 0.5
  eff level -= 0.3
primitive note
  pre level = 1
compound fill
  block a begin
  block b branch level = 1
  block c task note
  block d task drip
  block e task fill
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
compound fill-by-goal
  goal level = 1
compound drip-thrice
  block a begin
  block b task drip
  block c task drip
  block d task drip
  block e task check
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
  wire d.out -> e
primitive check
  pre level = 0.3 and 3 * 0.1 = level and 0.9 / level = 3 and 0.1 + 0.2 = level
  pre sum ?d: drop. size(?d) = 0.6 and level - 0.1 - 0.1 = 0.1 and sqrt(level * level) = level
scenario s
  initial size(a) = 0.1
  initial size(b) = 0.2
  initial size(c) = 0.3
{scenario}"
    )
}

fn repeated(times: usize, task: &str) -> String {
    vec![task; times].join(", ")
}

#[test]
fn plans_of_tasks_add_decimals_exactly() {
    check_text(&vessel("  task drip-thrice\n"), "drip, drip, drip, check");
    let ten = repeated(10, "drip");
    check_text(&vessel("  task fill\n"), &format!("{ten}, note"));
    check_text(&vessel("  task fill-by-goal\n"), &ten);
    let filled = "  initial level = 0.7\n  task fill-by-goal\n  goal level = 1\n";
    check_text(&vessel(filled), &repeated(3, "drip"));
}

#[test]
fn plans_for_goals_add_decimals_exactly_in_both_directions() {
    let goals = [
        ("level = 1", Some(10.0)),
        ("level = 0.3", Some(3.0)),
        ("level >= 1", Some(10.0)),
        ("level > 0.95", Some(10.0)),
        ("level = 0.35", None),
    ];
    for (goal, expected) in goals {
        let text = vessel(&format!("  goal {goal}\n"));
        back(&text, expected);
        for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
            assert_eq!(cost(&document(&text), strategy, &text), expected, "{goal}");
        }
    }
    // Regression alone proves it, since it drops no condition.
    let leaking = vessel("  initial level = 0.8\n  goal level = 0.4\n");
    back(&leaking, Some(4.0));
}

#[test]
fn costs_are_sums_of_decimals() {
    let text = "
fact done(?n: object)
object a
object b
object c
primitive do(?n: object)
  eff done(?n)
  cost 0.1
scenario s
  task do(a)
  task do(b)
  task do(c)
";
    let problem = compile(&Domain::from(&document(text)), &name("s"));
    match taskloom_planner::plan::plan(&problem, Budget::default()) {
        Outcome::Plan(plan) => assert_eq!(plan.cost, 0.3),
        other => panic!("{other:?}"),
    }
}
