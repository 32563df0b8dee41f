//! Numbers that only grow, such as the time, don't make the number of states infinite.

use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Statistics, Strategy, validate};
use testkit::domain::document;

use super::name;

/// A town where it is never day and night at once.
const TOWN: &str = "
fact day
fact night
fact lost
number rooms
number chimes integer
number bedtime
action Wait 3
primitive wait = Wait
primitive wake
  pre time >= 12
  eff day
  eff not night
primitive sleep
  eff night
  eff not day
scenario s
  goal day and night
";

/// Returns the outcome of planning by each strategy, as text, and the number of states.
fn planned(text: &str) -> Vec<(String, Statistics)> {
    let document = document(text);
    let problem = compile(&Domain::from(&document), &name("s"));
    let budget = Budget {
        nodes: 5_000,
        ..Budget::default()
    };
    let strategies = [Strategy::First, Strategy::Cheapest, Strategy::Fastest];
    let outcomes = strategies.map(|strategy| {
        let mut search = strategy.search(&problem, budget, 0);
        while search.step(64) == Progress::Running {}
        let outcome = search.outcome().expect("the search has ended");
        let text = match &outcome {
            Outcome::Plan(plan) => {
                let valid = validate(&Domain::from(&document), &name("s"), plan);
                assert_eq!(valid, Ok(()), "{plan:#?}");
                let steps = plan.steps.iter().map(|step| step.task.to_string());
                steps.collect::<Vec<_>>().join(", ")
            }
            other => format!("{other:?}"),
        };
        (text, search.statistics())
    });
    outcomes.into()
}

/// Checks that a search proves that there is no plan.
fn check_no_plan(text: &str) {
    for (outcome, statistics) in planned(text) {
        assert_eq!(outcome, "NoPlan", "{text}");
        assert!(statistics.nodes < 200, "{statistics:?} {text}");
    }
}

/// Checks the outcome of each strategy.
fn check(text: &str, expected: &str) {
    for (outcome, _) in planned(text) {
        assert_eq!(outcome, expected, "{text}");
    }
}

#[test]
fn times_after_the_last_one_that_matters_are_the_same() {
    check_no_plan(TOWN);
    for condition in [
        "12 <= time",
        "not time < 12",
        "time = 12",
        "time != 3 and time > 5",
    ] {
        check_no_plan(&TOWN.replace("time >= 12", condition));
    }
    check_no_plan(&TOWN.replace("day and night", "day and night and time <= 30"));
    let regressive = "type person: object
object ann: person
goal both: day and night
  priority 1
agent one: person
  wants both
  regressive
scenario s
  cast ann as one";
    let (town, _) = TOWN.split_once("scenario s").expect("a scenario");
    check_no_plan(&format!("{town}{regressive}"));
}

#[test]
fn time_that_nothing_reachable_reads_makes_no_difference() {
    let unread = TOWN.replace("pre time >= 12", "pre lost and time > rooms");
    check_no_plan(&unread.replace("  eff not day\n", "  eff not day\n  eff chimes += 1\n"));
    check_no_plan(&TOWN.replace("pre time >= 12", "eff chimes += 1"));
}

#[test]
fn plans_keep_their_real_times() {
    let dawn = TOWN.replace("day and night", "day and time = 21");
    check(&dawn, "wait, wait, wait, wait, wait, wait, wait, wake");
}

#[test]
fn exact_times_are_kept_if_they_are_read() {
    let four_times = "wait, wait, wait, wait, wake";
    let reads = [
        ("pre time > bedtime", "initial bedtime = 11"),
        ("pre time / 4 >= 3", ""),
        ("pre time - bedtime >= 12", ""),
    ];
    for (condition, initial) in reads {
        let text = TOWN.replace("pre time >= 12", condition);
        let text = text.replace("goal day and night", &format!("{initial}\n  goal day"));
        check(&text, four_times);
    }
    // The effect stores the exact time.
    let stored = TOWN.replace("  eff not night", "  eff bedtime := time");
    let stored = stored.replace("day and night", "bedtime = 21");
    check(&stored, "wait, wait, wait, wait, wait, wait, wait, wake");
}

#[test]
fn numbers_that_shrink_or_have_a_maximum_have_no_cap() {
    let shrinks = TOWN.replace("pre time >= 12", "pre chimes = 3");
    let shrinks = shrinks.replace(
        "action Wait 3",
        "primitive chime\n  eff chimes += 5\naction Wait 3",
    );
    let shrinks = shrinks.replace("= Wait\n", "= Wait\n  eff chimes -= 1\n");
    check_cost(&shrinks.replace("day and night", "day"), 4);
    // The number can't exceed its maximum, although it is compared with smaller numbers only.
    let bounded = TOWN
        .replace("integer", "integer 0..9")
        .replace("= Wait\n", "= Wait\n  eff chimes += 4\n");
    let bounded = bounded.replace("pre time >= 12", "pre time >= 9");
    check_no_plan(&bounded.replace("day and night", "day"));
}

/// Checks the number of steps of each plan.
fn check_cost(text: &str, steps: usize) {
    for (outcome, _) in planned(text) {
        assert_eq!(outcome.split(", ").count(), steps, "{outcome} {text}");
    }
}
