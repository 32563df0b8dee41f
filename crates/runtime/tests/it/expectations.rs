//! The results of a scenario's expectations.

use expect_test::{Expect, expect};
use taskloom_document::{Document, Expectation, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Budget, Limit, Outcome, Unplanned};
use taskloom_runtime::{RunEnd, Verdict, check_expectations, default_planner, run_test};
use testkit::domain::example;

fn these(steps: &[&str]) -> Expectation {
    Expectation::Plan(steps.iter().map(|step| (*step).to_owned()).collect())
}

/// Checks expectations of the example's scenario, with `outcome` instead of its planning, if given.
fn check(scenario: &str, outcome: Option<Outcome>, expectations: &[Expectation], expected: Expect) {
    let mut document = example("ball-in-the-box");
    let name = Name::new(scenario).expect("a name");
    let mut record = (*document.scenarios[&name]).clone();
    record.expect = expectations.to_vec();
    document.scenarios.insert(name.clone(), record.into());
    let verdicts = match outcome {
        Some(outcome) => check_expectations(&Domain::from(&document), &name, Ok(&outcome), None),
        None => {
            let mut plan = default_planner(Budget::default());
            run_test(&Domain::from(&document), &name, &mut plan, 500).verdicts
        }
    };
    let lines = verdicts.iter().map(|verdict| match verdict {
        Verdict::Met => "met".to_owned(),
        Verdict::Missed(why) => format!("missed: {why}"),
        Verdict::Open(why) => format!("open: {why}"),
    });
    expected.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn checks_expectations_of_a_plan() {
    check(
        "case-2-box-closed",
        None,
        &[
            Expectation::PlanExists,
            Expectation::NoPlan,
            these(&["walk-to( box )", "Open-Box", "take-ball"]),
            these(&["walk-to(box)", "take-ball"]),
            these(&["walk-to(box)", "open-box"]),
            these(&["walk-to(box)", "open-box", "take-ball", "rest"]),
            Expectation::Contains("get-ball".to_owned()),
            Expectation::Contains("walk-to".to_owned()),
            Expectation::Contains("walk-to(shed)".to_owned()),
            Expectation::Contains("smash box".to_owned()),
            Expectation::CostAtMost(3.0),
            Expectation::CostAtMost(2.5),
            Expectation::Finally("has(ball)".to_owned()),
            Expectation::Finally("has(ball) and not box_open".to_owned()),
            Expectation::Finally("has(ball".to_owned()),
            Expectation::Finally(" ".to_owned()),
            Expectation::Contains(String::new()),
            Expectation::Recovers,
        ],
        expect![[r#"
            met
            missed: a plan exists, with 3 steps
            met
            missed: step 2 is 'open-box', not 'take-ball'
            missed: the plan continues with 'take-ball' after 2 steps
            missed: the plan ends after 3 steps, before 'rest'
            met
            met
            missed: 'walk-to(shed)' is not in the plan
            missed: 'smash box' is not in the plan
            met
            missed: the plan costs 3
            met
            missed: false at the end of the run: not box_open
            missed: false at the end of the run: 'has(ball' is invalid
            open: the expectation is empty
            open: the expectation is empty
            met"#]],
    );
}

#[test]
fn checks_expectations_of_a_failed_run() {
    check(
        "case-6-no-way-in",
        None,
        &[
            Expectation::NoPlan,
            Expectation::PlanExists,
            Expectation::Recovers,
        ],
        expect![[r#"
            met
            missed: there is no plan
            missed: the run fails: there is no plan"#]],
    );
}

#[test]
fn checks_expectations_of_a_stopped_search() {
    let of = |outcome, expected| {
        let expectations = [Expectation::NoPlan, Expectation::Recovers];
        check("case-1-box-open", Some(outcome), &expectations, expected);
    };
    of(
        Outcome::GaveUp(Limit::Time),
        expect![[r#"
        open: the planner gave up
        open: the planner gave up"#]],
    );
    of(
        Outcome::Stopped,
        expect![[r#"
        open: planning was stopped
        open: planning was stopped"#]],
    );
    of(
        Outcome::NotPlanned(Unplanned::Unreadable),
        expect![[r#"
            open: A task of the scenario is invalid, so nothing was planned.
            open: A task of the scenario is invalid, so nothing was planned."#]],
    );
}

#[test]
fn checks_expectations_of_an_endless_run() {
    let text = r#"{ "taskloom": 4, "facts": { "rung": { "source": "memory" } },
        "actions": { "Ring": { "duration": "1" } },
        "primitive_tasks": { "ring": { "action": "Ring", "effects": [{ "text": "rung" }] } },
        "agents": { "bell": { "planning": { "decomposition": { "tasks": ["ring"] } },
            "triggers": { "complete": "again" } } },
        "scenarios": { "s": { "cast": [{ "agent": "bell" }],
            "expect": ["plan_exists", { "finally": "rung" }, "recovers"] } } }"#;
    let document = Document::from_json(text).expect("a document");
    let name = Name::new("s").expect("a name");
    let mut plan = default_planner(Budget::default());
    let test = run_test(&Domain::from(&document), &name, &mut plan, 500);
    assert_eq!(test.run.expect("a run").end, RunEnd::Endless);
    let endless = "the run never completes: it goes on endlessly".to_owned();
    assert_eq!(
        test.verdicts,
        [Verdict::Met, Verdict::Met, Verdict::Missed(endless)]
    );
}
