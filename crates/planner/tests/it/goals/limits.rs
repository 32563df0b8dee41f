//! Budgets apply to a whole search: its phases, its goals and both directions share them.

use std::fmt::Write;

use super::{name, searching};
use taskloom_document::{Direction, GoalSearch, Heuristic};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Limit, Outcome, Progress, Strategy};
use testkit::domain::document;

/// An agent with goals that are all unreachable, in a world with an unbounded number.
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
            let problem = compile(
                &Domain::from(&document(&out_of_reach(4, &search))),
                &name("s"),
            );
            let budget = Budget {
                nodes: 1_000,
                ..Budget::default()
            };
            for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
                let mut engine = strategy.search(&problem, budget, 0);
                while engine.step(64) == Progress::Running {}
                let statistics = engine.statistics();
                match engine.outcome() {
                    // Regression proves that no number is at least 5 and at most 4.
                    Some(Outcome::NoPlan) if !direction.is_empty() => {}
                    Some(Outcome::GaveUp(Limit::Nodes)) => {}
                    Some(Outcome::Plan(plan)) => {
                        let left = plan
                            .target
                            .as_ref()
                            .and_then(|target| target.remaining_estimate);
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
fn no_plan_is_optimal_if_the_step_limit_may_have_hidden_a_cheaper_one() {
    let text = "fact a
fact b
fact g
primitive first
  eff a
primitive second
  pre a
  eff b
primitive third
  pre b
  eff g
primitive direct
  eff g
  cost 10
scenario s
  goal g";
    for direction in [Direction::Forward, Direction::Regressive] {
        for heuristic in [
            Heuristic::Blind,
            Heuristic::Unmet,
            Heuristic::Hmax,
            Heuristic::Hadd,
            Heuristic::Ff,
        ] {
            for depth in [1, 2, 3] {
                let search = GoalSearch {
                    direction,
                    heuristic,
                    depth: Some(depth),
                    ..GoalSearch::default()
                };
                let problem = compile(
                    &Domain::from(&searching(&document(text), search)),
                    &name("s"),
                );
                for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
                    let mut engine = strategy.search(&problem, Budget::default(), 0);
                    while engine.step(64) == Progress::Running {}
                    let case = format!("{direction:?} {heuristic:?} {depth} {strategy:?}");
                    assert!(engine.bound().is_none_or(|bound| bound <= 3.0), "{case}");
                    let Some(Outcome::Plan(plan)) = engine.outcome() else {
                        panic!("{case}: {:?}", engine.outcome());
                    };
                    let target = plan.target.as_ref().expect("a goal");
                    assert!(!target.is_optimal || plan.cost == 3.0, "{case}");
                }
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
    let problem = compile(&Domain::from(&document(text)), &name("s"));
    let mut engine = Strategy::First.search(&problem, Budget::default(), 0);
    while engine.step(64) == Progress::Running {}
    let Some(Outcome::Plan(plan)) = engine.outcome() else {
        panic!("{:?}", engine.outcome());
    };
    assert_eq!(plan.steps.len(), 0);
}

/// Robbing has a negative cost, which counts as 0.
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
fn prefers_shorter_plans_of_equal_cost() {
    each_search_finds(ROBBER, "rob, rob, rob, buy");
}

#[test]
fn prefers_plans_that_are_cheaper_by_little() {
    let text = "fact rich
fact ready
primitive work
  eff rich
  cost 1000
primitive prepare
  eff ready
  cost 500
primitive sell
  pre ready
  eff rich
  cost 499
scenario s
  goal rich";
    each_search_finds(text, "prepare, sell");
}

/// Asserts that each kind of search finds this plan for the goal of the scenario `s`.
fn each_search_finds(text: &str, plan: &str) {
    for direction in [Direction::Forward, Direction::Regressive] {
        for heuristic in [Heuristic::Blind, Heuristic::Hmax, Heuristic::Ff] {
            let search = GoalSearch {
                direction,
                heuristic,
                ..GoalSearch::default()
            };
            let document = searching(&document(text), search);
            let mut engine = Strategy::First.search(
                &compile(&Domain::from(&document), &name("s")),
                Budget::default(),
                0,
            );
            while engine.step(64) == Progress::Running {}
            let Some(Outcome::Plan(found)) = engine.outcome() else {
                panic!("{:?}", engine.outcome());
            };
            let steps: Vec<String> = found.steps.iter().map(|s| s.task.to_string()).collect();
            assert_eq!(steps.join(", "), plan, "{direction:?} {heuristic:?}");
        }
    }
}

/// The graph on which A* with an inconsistent heuristic may reopen exponentially many states
/// (Martelli 1977): each node leads to all below it, and its heuristic is the number of conditions
/// that it leaves unmet.
fn martelli(size: u32) -> String {
    let estimate = |i: u32| match i {
        0 => 0,
        _ if i == size => 0,
        _ => 2_u32.pow(size) - 2_u32.pow(i) + 2 * (size - 1 - i),
    };
    let conditions = (1..=size).map(estimate).max().unwrap_or(0).max(1);
    let mut text = String::new();
    for i in 0..=size {
        let _ = writeln!(text, "fact n{i}");
    }
    for condition in 0..conditions {
        let _ = writeln!(text, "fact c{condition}");
    }
    let mut edge = |from: u32, to: u32, cost: u32| {
        let _ = writeln!(
            text,
            "primitive go{from}-{to}\n  pre n{from}\n  eff not n{from}\n  eff n{to}\n  cost {cost}"
        );
        for condition in 0..conditions {
            let not = if condition < estimate(to) { "not " } else { "" };
            let _ = writeln!(text, "  eff {not}c{condition}");
        }
    };
    for from in 2..=size {
        for to in 1..from {
            edge(
                from,
                to,
                2_u32.pow(from - 1) - 2_u32.pow(to - 1) + 2 * (from - to),
            );
        }
    }
    edge(1, 0, 2_u32.pow(size) + 2 * (size - 2));
    let _ = writeln!(text, "scenario s\n  initial n{size}");
    for condition in 0..conditions {
        let _ = writeln!(text, "  initial c{condition}");
    }
    let all = (0..conditions)
        .map(|c| format!(" and c{c}"))
        .collect::<String>();
    text + &format!("  goal n0{all}")
}

#[test]
fn inconsistent_heuristic_does_not_multiply_expansions() {
    let search = GoalSearch {
        heuristic: Heuristic::Unmet,
        ..GoalSearch::default()
    };
    for size in [4, 6, 8, 10] {
        let document = searching(&document(&martelli(size)), search.clone());
        for strategy in [Strategy::First, Strategy::Cheapest] {
            let mut engine = strategy.search(
                &compile(&Domain::from(&document), &name("s")),
                Budget::default(),
                0,
            );
            while engine.step(64) == Progress::Running {}
            assert!(matches!(engine.outcome(), Some(Outcome::Plan(_))));
            let nodes = engine.statistics().nodes;
            assert!(
                nodes <= 2 * u64::from(size),
                "{size} {strategy:?}: {nodes} states"
            );
        }
    }
}
