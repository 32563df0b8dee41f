//! Budgets hold over all of a search: its phases, its goals and both directions share them.

use std::fmt::Write;

use taskloom::document::{Direction, GoalSearch, Heuristic};
use taskloom::planner::compile::compile;
use taskloom::planner::plan::{Budget, Limit, Outcome, Progress, Strategy};

use crate::domain::document;
use crate::{name, searching};

/// An agent has goals that are all out of reach, in a world with a number that has no bounds.
fn out_of_reach(goals: usize, search: &str) -> String {
    let mut text = String::from(
        "type person: object
object ann: person
number far
primitive east
  eff far += 1
primitive west
  eff far -= 1
",
    );
    for goal in 0..goals {
        let _ = writeln!(text, "fact done{goal}");
        let _ = writeln!(
            text,
            "primitive end{goal}\n  pre far >= 5\n  pre far <= 4\n  eff done{goal}"
        );
        let _ = writeln!(text, "goal g{goal}: done{goal}\n  priority 1");
    }
    let _ = writeln!(text, "agent one: person");
    for goal in 0..goals {
        let _ = writeln!(text, "  wants g{goal}");
    }
    text + search + "scenario s\n  cast ann as one\n"
}

#[test]
fn goals_and_directions_share_one_budget() {
    for direction in ["", "  regressive\n"] {
        for heuristic in ["blind", "unmet"] {
            let search = format!("{direction}  heuristic {heuristic}\n");
            let problem = compile(&document(&out_of_reach(4, &search)), &name("s"));
            let budget = Budget {
                nodes: 1_000,
                ..Budget::default()
            };
            for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Any] {
                let mut engine = strategy.search(&problem, budget, 0);
                while engine.step(64) == Progress::Running {}
                let statistics = engine.statistics();
                match engine.outcome() {
                    // Regression proves that no number is at least 5 and at most 4.
                    Some(Outcome::NoPlan) if !direction.is_empty() => {}
                    Some(Outcome::GaveUp(Limit::Nodes)) => {}
                    Some(Outcome::Plan(plan)) => {
                        let left = plan.aim.as_ref().and_then(|aim| aim.left);
                        assert!(left.is_some(), "{plan:?}");
                    }
                    other => panic!("{other:?}"),
                }
                assert!(statistics.nodes <= 1_000, "{statistics:?} {search}");
            }
        }
    }
}

#[test]
fn a_product_that_overflows_has_no_value() {
    let text = "number x
primitive grow
  eff x += 1
scenario s
  initial x = 1e200
  goal not (x * x > 5)";
    let problem = compile(&document(text), &name("s"));
    let mut engine = Strategy::First.search(&problem, Budget::default(), 0);
    while engine.step(64) == Progress::Running {}
    let Some(Outcome::Plan(plan)) = engine.outcome() else {
        panic!("{:?}", engine.outcome());
    };
    assert_eq!(plan.steps.len(), 0);
}

/// Robbing costs less than nothing, which counts as nothing.
const ROBBER: &str = "fact rich
number loot integer 0..50
primitive work
  eff rich
primitive rob
  eff loot += 1
  cost 0 - 5
primitive buy
  pre loot >= 3
  eff rich
  cost 0 - 1
scenario s
  goal rich";

#[test]
fn of_plans_that_cost_the_same_the_shorter_one_is_preferred() {
    for direction in [Direction::Forward, Direction::Regressive] {
        for heuristic in [Heuristic::Blind, Heuristic::Hmax, Heuristic::Ff] {
            let search = GoalSearch {
                direction,
                heuristic,
                ..GoalSearch::default()
            };
            let document = searching(&document(ROBBER), search);
            let mut engine =
                Strategy::First.search(&compile(&document, &name("s")), Budget::default(), 0);
            while engine.step(64) == Progress::Running {}
            let Some(Outcome::Plan(plan)) = engine.outcome() else {
                panic!("{:?}", engine.outcome());
            };
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            let steps = steps.join(", ");
            assert_eq!(steps, "rob, rob, rob, buy", "{direction:?} {heuristic:?}");
        }
    }
}
