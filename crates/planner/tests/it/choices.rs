//! The order in which a Choice tries its alternatives: by scores, and at random.

use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use std::sync::Arc;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_domain::check::check as findings;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, plan, validate};
use testkit::domain::document;

/// Returns the character's first step, if there is one.
fn lunch(choice: &str, initial: &str) -> Document {
    document(&format!(
        "number hunger
fact shut
number worth(?d: object)
object soup: object
primitive eat
  pre not shut
primitive sleep
primitive work
compound live(?d: object)
  block b begin
  block c {choice}
  block x task eat
  block y task sleep
  block z task work
  wire b.out -> c
  wire c.1 -> x
  wire c.2 -> y
  wire c.3 -> z
scenario s
  task live(soup)
  {initial}"
    ))
}

fn scenario() -> Name {
    "s".parse().expect("a name")
}

fn first_step(document: &Document, problem: &Problem) -> String {
    let Outcome::Plan(plan) = plan(problem, Budget::default()) else {
        panic!("there is a plan");
    };
    assert_eq!(
        validate(&Domain::from(document), &scenario(), &plan),
        Ok(())
    );
    plan.steps[0].task.to_string()
}

fn check(choice: &str, initial: &str, expected: Expect) {
    let document = lunch(choice, initial);
    let found = findings(&Domain::from(&document));
    let found: String = found.iter().map(|found| format!(", {found}")).collect();
    let step = first_step(&document, &compile(&Domain::from(&document), &scenario()));
    expected.assert_eq(&format!("{step}{found}"));
}

#[test]
fn the_highest_score_comes_first() {
    let scores = "highest eat @ hunger, sleep @ 3, work @ worth(?d) / 2";
    check(scores, "initial hunger = 5", expect!["eat"]);
    check(scores, "initial hunger = 2", expect!["sleep"]);
    check(scores, "initial worth(soup) = 10", expect!["work"]);
}

#[test]
fn skips_impossible_alternatives_for_the_next_highest() {
    let scores = "highest eat @ 9, sleep @ 1, work @ 5";
    check(scores, "initial shut", expect!["work"]);
}

#[test]
fn equal_scores_keep_their_order_and_unscored_ones_come_last() {
    check("highest eat @ 1, sleep @ 1, work @ 1", "", expect!["eat"]);
    check(
        "highest eat @ -hunger, sleep @ hunger, work @ -1",
        "",
        expect!["eat"],
    );
    check(
        "highest eat, sleep @ 1 / hunger, work @ -7",
        "",
        expect!["work"],
    );
    check(
        "highest eat, sleep, work",
        "",
        expect![
            "eat, warning[no-scores] compound:live: No alternative has a score, so they are tried in the order drawn."
        ],
    );
    check(
        "highest eat @ hungr, sleep @ 1, work",
        "",
        expect![
            "sleep, error[unknown-name] compound:live: There is no number fact 'hungr'; did you mean 'hunger'?"
        ],
    );
}

#[test]
fn the_lowest_cost_comes_first() {
    let costs = "cheapest eat @ hunger, sleep @ 3, work @ worth(?d) / 2 + 1";
    check(costs, "initial hunger = 5", expect!["work"]);
    check(costs, "initial worth(soup) = 10", expect!["eat"]);
    check(
        costs,
        "initial worth(soup) = 10\n  initial hunger = 5",
        expect!["sleep"],
    );
    // An impossible alternative is skipped.
    check(
        "cheapest eat @ 1, sleep @ 9, work @ 5",
        "initial shut",
        expect!["work"],
    );
    // 0 and -0 are equal.
    check(
        "cheapest eat @ hunger, sleep @ -hunger, work @ 1",
        "",
        expect!["eat"],
    );
    check(
        "cheapest eat, sleep @ 1 / hunger, work @ 7",
        "",
        expect!["work"],
    );
    check(
        "cheapest eat, sleep, work",
        "",
        expect![
            "eat, warning[no-scores] compound:live: No alternative has a cost, so they are tried in the order drawn."
        ],
    );
}

/// Returns how often each alternative comes first, over this many seeds.
fn shares(choice: &str, initial: &str, seeds: u64) -> BTreeMap<String, u64> {
    let document = lunch(choice, initial);
    let problem = compile(&Domain::from(&document), &scenario());
    let mut shares = BTreeMap::new();
    for seed in 0..seeds {
        let problem = problem.clone().seeded(seed);
        let step = first_step(&document, &problem);
        assert_eq!(step, first_step(&document, &problem), "the same seed");
        *shares.entry(step).or_default() += 1;
    }
    shares
}

#[test]
fn chance_is_weighted() {
    let shares = shares(
        "random eat @ 6, sleep @ 3, work @ hunger",
        "initial hunger = 1",
        4_000,
    );
    let share = |step: &str| shares[step] as f64 / 4_000.0;
    for (step, expected) in [("eat", 0.6), ("sleep", 0.3), ("work", 0.1)] {
        assert!(
            (share(step) - expected).abs() < 0.03,
            "{step}: {}",
            share(step)
        );
    }
}

#[test]
fn default_weight_is_1_and_zero_weights_come_last() {
    let open = shares("random eat @ 0, sleep, work @ 1", "", 400);
    assert!(!open.contains_key("eat"), "{open:?}");
    assert!(open["sleep"] > 150 && open["work"] > 150, "{open:?}");
    let shut = shares("random eat @ 9, sleep @ 0, work @ -1", "initial shut", 50);
    assert_eq!(shut, BTreeMap::from([("sleep".to_owned(), 50)]));
}

#[test]
fn seed_of_the_scenario_determines_choices() {
    let mut steps = BTreeMap::<String, u32>::new();
    for seed in 0..40 {
        let mut document = lunch("random eat, sleep, work", "");
        let record = document
            .scenarios
            .get_mut(&scenario())
            .expect("the scenario");
        Arc::make_mut(record).seed = seed;
        let step = first_step(&document, &compile(&Domain::from(&document), &scenario()));
        *steps.entry(step).or_default() += 1;
    }
    assert_eq!(steps.len(), 3, "{steps:?}");
}
