//! Complete planning requests, step by step.

use super::*;
use crate::{Experiment, Intervention};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{MAX_TICKS, Verdict, default_planner, run_test, simulate};

fn wanted(document: &Document, scenario: &Name, strategy: Strategy) -> Wanted {
    Wanted {
        revision: 1,
        document: SentDocument::Whole(document.to_json()),
        scenario: scenario.clone(),
        character: 0,
        strategy,
        is_for_all: true,
        experiment: Experiment::default(),
        millis: 1_000,
        trace_bound: 0,
    }
}

fn begun(wanted: Wanted) -> Job {
    Job::new(wanted, 0.0, taskloom_portfolio::search)
}

fn answered(document: &Document, scenario: &Name, strategy: Strategy) -> Box<Answer> {
    ended(wanted(document, scenario, strategy))
}

fn ended(wanted: Wanted) -> Box<Answer> {
    let mut job = begun(wanted);
    loop {
        if let Next::Answer(answer) = job.step(|| 0.0) {
            return answer;
        }
    }
}

/// A costly alternative that comes first, and a cheap one.
const TWO_WAYS: &str = r#"{ "taskloom": 1, "facts": { "open": { "source": "memory" } },
    "primitive_tasks": { "dear": { "cost": "5" }, "cheap": { "preconditions": ["open"] } },
    "compound_tasks": { "go": { "method": { "blocks": {
        "a": { "kind": "begin" },
        "b": { "kind": "choice", "alternatives": ["1", "2"] },
        "c": { "kind": "task", "call": "dear" }, "d": { "kind": "task", "call": "cheap" } },
        "wires": ["a.out -> b", "b.1 -> c", "b.2 -> d"] } } },
    "scenarios": { "s": { "tasks": ["go"], "initial": ["open"],
        "expect": [{ "plan": ["dear"] }, { "cost_at_most": 4 }, "recovers"] } } }"#;

#[test]
fn expectations_are_checked_like_in_taskloom_test_with_any_search() {
    let ball = include_str!("../../../../public/examples/ball-in-the-box.taskloom.json");
    let guard = include_str!("../../../../public/examples/night-guard.taskloom.json");
    let (mut judged, mut missed) = (0, 0);
    for text in [TWO_WAYS, ball, guard] {
        let document = Document::from_json(text).unwrap();
        for scenario in document.scenarios.keys() {
            let mut plan = default_planner(Budget::default());
            let expected =
                run_test(&Domain::from(&document), scenario, &mut plan, MAX_TICKS).verdicts;
            let missing = expected.iter().filter(|v| matches!(v, Verdict::Missed(_)));
            missed += missing.count();
            judged += expected.len();
            for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
                let answer = answered(&document, scenario, strategy);
                assert_eq!(answer.strategy, strategy);
                assert_eq!(answer.verdicts, expected, "{scenario}, {strategy:?}");
            }
        }
    }
    assert_eq!(missed, 1, "the dear plan costs more than 4");
    assert!(judged >= 40, "{judged} judged");
}

/// Returns a document in which both have the same tasks: anna wants the first plan, ben the
/// cheapest.
fn of_two() -> Document {
    let cast = r#""cast": [{ "object": "anna", "agent": "quick" }, { "object": "ben", "agent": "thrifty" }],"#;
    let agents = r#""objects": { "anna": { "type": "object" }, "ben": { "type": "object" } },
        "agents": { "quick": { "type": "object" },
            "thrifty": { "type": "object", "planning": { "decomposition": { "tasks": [], "policy": "cheapest" } } } },
        "scenarios""#;
    let text = TWO_WAYS.replace(r#"{ "tasks""#, &format!("{{ {cast} \"tasks\""));
    let text = text.replace(r#""scenarios""#, agents);
    Document::from_json(&text.replace(r#""taskloom": 1"#, r#""taskloom": 4"#)).unwrap()
}

#[test]
fn shown_character_plans_by_its_own_agent_and_the_run_covers_all() {
    let document = of_two();
    let scenario = "s".parse().unwrap();
    let expected = run_test(
        &Domain::from(&document),
        &scenario,
        &mut default_planner(Budget::default()),
        MAX_TICKS,
    );
    for (character, first_step) in [(0, "dear"), (1, "cheap")] {
        let strategy = Strategy::from(policy(&Domain::from(&document), &scenario, character));
        let answer = ended(Wanted {
            character,
            is_for_all: false,
            ..wanted(&document, &scenario, strategy)
        });
        let Outcome::Plan(plan) = &answer.outcome else {
            panic!("no plan of {character}");
        };
        assert_eq!(plan.steps[0].task.to_string(), first_step);
        assert_eq!((answer.character, &answer.invalid), (character, &None));
        assert_eq!(answer.run, expected.run, "{character}");
        assert_eq!(answer.verdicts, expected.verdicts, "{character}");
    }
    // With a strategy for all, ben's run isn't the one that is checked.
    let answer = ended(Wanted {
        character: 1,
        ..wanted(&document, &scenario, Strategy::First)
    });
    assert_ne!(answer.run, expected.run);
    assert_eq!(answer.verdicts, expected.verdicts);
}

const GUARD: &str = include_str!("../../../../public/examples/night-guard.taskloom.json");

#[test]
fn sliced_run_matches_uninterrupted_run() {
    let document = Document::from_json(GUARD).unwrap();
    let mut replanned = 0;
    for scenario in document.scenarios.keys() {
        let expected = simulate(
            &Domain::from(&document),
            scenario,
            Budget::default(),
            MAX_TICKS,
        );
        let strategy = Strategy::from(policy(&Domain::from(&document), scenario, 0));
        let mut job = begun(wanted(&document, scenario, strategy));
        let mut steps = 0;
        let answer = loop {
            steps += usize::from(job.phase() == Phase::Simulating);
            if let Next::Answer(answer) = job.step(|| 0.0) {
                break answer;
            }
        };
        assert!(steps > expected.executed.len(), "{scenario}: {steps} steps");
        replanned += expected.plans.len() - 1;
        assert_eq!(answer.run, Some(expected), "{scenario}");
    }
    assert!(replanned > 0, "no scenario plans again");
}

#[test]
fn overrides_affect_run_and_verdicts_and_are_part_of_the_answer() {
    let document = Document::from_json(TWO_WAYS).unwrap();
    let scenario: Name = "s".parse().unwrap();
    let shut = Intervention {
        at: 0,
        atom: Atom {
            fact: "open".parse().unwrap(),
            args: vec![],
        },
        value: Value::Bool(false),
    };
    let experiment = Experiment {
        interventions: vec![shut.clone()],
        compares: true,
    };
    let tried = |strategy| {
        ended(Wanted {
            experiment: experiment.clone(),
            is_for_all: strategy == Strategy::Cheapest,
            ..wanted(&document, &scenario, strategy)
        })
    };
    let answer = tried(Strategy::Cheapest);
    assert_eq!(answer.experiment, experiment);
    // The plan of the initial situation ignores it; the run doesn't.
    let first_step = |plan: &plan::Plan| plan.steps[0].task.to_string();
    let Outcome::Plan(plan) = &answer.outcome else {
        panic!("no plan");
    };
    assert_eq!(first_step(plan), "cheap");
    let run = answer.run.as_ref().unwrap();
    assert_eq!(first_step(run.plans[0].plan().unwrap()), "dear");
    let played = with_interventions(document.clone(), &scenario, &[shut]);
    let other = with_other_mode(&Domain::from(&played), &scenario).unwrap();
    let expected = simulate(
        &Domain::from(&other),
        &scenario,
        Budget::default(),
        MAX_TICKS,
    );
    for strategy in [Strategy::Cheapest, Strategy::First] {
        assert_eq!(tried(strategy).compared.as_ref(), Some(&expected));
    }
}

#[test]
fn planning_can_be_cancelled_between_any_two_steps() {
    let document = Document::from_json(GUARD).unwrap();
    let (mut with_plan, mut without) = (0, 0);
    for scenario in document.scenarios.keys() {
        for most in (0..).step_by(5) {
            let mut job = begun(wanted(&document, scenario, Strategy::First));
            let ended = (0..most).any(|_| matches!(job.step(|| 0.0), Next::Answer(_)));
            if ended {
                break;
            }
            let simulating = job.phase() == Phase::Simulating;
            let answer = job.stop(|| 0.0);
            assert!(answer.ended && answer.run.is_none() && answer.invalid.is_none());
            if simulating {
                assert_ne!(answer.outcome, Outcome::Stopped, "{scenario}, step {most}");
            }
            match answer.outcome {
                Outcome::Plan(_) => with_plan += 1,
                _ => without += 1,
            }
        }
    }
    assert!(
        with_plan > 5 && without > 5,
        "{with_plan} with a plan, {without} without"
    );
}
