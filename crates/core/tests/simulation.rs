//! What the simulator does with the paper's example, tick by tick.

use expect_test::{Expect, expect};
use taskloom_core::document::{Document, Name};
use taskloom_core::plan::{Budget, Outcome};
use taskloom_core::simulate::{RunEnd, simulate};

fn example() -> Document {
    let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
    Document::from_json(text).expect("the example opens")
}

fn check(document: &Document, scenario: &str, expected: Expect) {
    let scenario = Name::new(scenario).expect("a name");
    let run = simulate(document, &scenario, Budget::default(), 200);
    let mut lines = vec![];
    for (tick, outcome) in &run.plans {
        let steps = match outcome {
            Outcome::Plan(plan) => plan.steps.iter().map(|s| s.task.to_string()).collect(),
            other => vec![format!("{other:?}")],
        };
        lines.push(format!("{tick} plans {}", steps.join(", ")));
    }
    for (tick, event, changes) in &run.events {
        let changes: Vec<_> = changes
            .iter()
            .map(|c| format!("{} {}", c.atom, c.after))
            .collect();
        lines.push(format!("{tick} event {event}: {}", changes.join(", ")));
    }
    for execution in &run.executed {
        let Some((_, Outcome::Plan(plan))) = run.plans.get(execution.plan) else {
            panic!("an execution belongs to a plan");
        };
        let reason = execution.reason.as_deref().unwrap_or_default();
        let task = &plan.steps[execution.step].task;
        let (start, end, state) = (execution.start, execution.end, execution.state);
        lines.push(
            format!("{start}-{end} {task} {state:?} {reason}")
                .trim_end()
                .to_owned(),
        );
    }
    lines.push(format!("{} {:?}", run.ticks, run.end));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn an_open_box() {
    check(
        &example(),
        "case-1-box-open",
        expect![[r#"
        0 plans walk-to(box), take-ball
        0-3 walk-to(box) Complete
        3-5 take-ball Complete
        5 Complete"#]],
    );
}

#[test]
fn the_box_slams_shut_and_the_agent_plans_again() {
    check(
        &example(),
        "case-5-the-box-slams-shut",
        expect![[r#"
        0 plans walk-to(box), take-ball
        5 plans open-box, take-ball
        4 event 0: box_open false
        0-3 walk-to(box) Complete
        3-4 take-ball Failed integrity rule of take-ball: box_open
        5-6 open-box Complete
        6-8 take-ball Complete
        8 Complete"#]],
    );
}

#[test]
fn a_locked_box_and_a_hammer() {
    check(
        &example(),
        "case-4-hammer-in-the-shed",
        expect![[r#"
        0 plans walk-to(box), walk-to(shed), pick-up(hammer), walk-to(box), smash-box, take-ball
        0-3 walk-to(box) Complete
        3-6 walk-to(shed) Complete
        6-7 pick-up(hammer) Complete
        7-10 walk-to(box) Complete
        10-14 smash-box Complete
        14-16 take-ball Complete
        16 Complete"#]],
    );
}

#[test]
fn no_way_in() {
    check(
        &example(),
        "case-6-no-way-in",
        expect![[r#"
        0 plans NoPlan
        0 Failed"#]],
    );
}

#[test]
fn a_step_that_fails_at_every_start_ends_with_the_ticks() {
    let text = r#"{"taskloom": 1, "info": {"title": "stubborn"},
        "facts": {"done": {}, "open": {}},
        "actions": {"Push": {"duration": 1}},
        "primitive_tasks": {"push": {"action": "Push", "integrity": ["open"], "effects": [{"text": "done"}]}},
        "scenarios": {"shut": {"tasks": ["push"]}}}"#;
    let document = Document::from_json(text).expect("it opens");
    let run = simulate(
        &document,
        &Name::new("shut").expect("a name"),
        Budget::default(),
        1000,
    );
    assert_eq!(run.end, RunEnd::OutOfTime);
    assert!(run.executed.iter().all(|e| e.reason.is_some()));
}
