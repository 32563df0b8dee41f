//! For every prefix of what a designer types, planning answers, its plans are valid, and the
//! simulator runs.

use std::cell::RefCell;
use std::fs;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan, validate};
use taskloom_runtime::simulate;
use testkit::domain::EXAMPLES;

/// Returns the strings of a file, except those of the layout.
fn strings<'a>(json: &'a mut Value, found: &mut Vec<&'a mut String>) {
    match json {
        Value::String(text) => found.push(text),
        Value::Array(values) => values.iter_mut().for_each(|v| strings(v, found)),
        Value::Object(values) => {
            let kept = values.iter_mut().filter(|(key, _)| *key != "layout");
            kept.for_each(|(_, value)| strings(value, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[derive(Debug, Clone, Copy)]
enum Typed {
    /// Only the beginning has been typed so far.
    Cut(usize),
    /// Another text of the file has replaced it.
    Other(usize),
    /// The text is empty.
    Nothing,
}

fn typed() -> impl Strategy<Value = Typed> {
    prop_oneof![
        (0usize..40).prop_map(Typed::Cut),
        (0usize..10_000).prop_map(Typed::Other),
        Just(Typed::Nothing),
    ]
}

/// The results for the texts.
#[derive(Debug, Default)]
struct Counts {
    opened: u32,
    planned: u32,
    plans: u32,
}

fn check(file: &str, edits: &[(usize, Typed)], counts: &mut Counts) -> Result<(), TestCaseError> {
    let path = format!(
        "{}/../../public/examples/{file}.taskloom.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut json: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let mut texts = vec![];
    strings(&mut json, &mut texts);
    for (at, typed) in edits {
        let at = at % texts.len();
        let text = match typed {
            Typed::Cut(end) => texts[at].chars().take(*end).collect(),
            Typed::Other(other) => texts[other % texts.len()].clone(),
            Typed::Nothing => String::new(),
        };
        *texts[at] = text;
    }
    // Invalid names are rejected when a file is opened: such a case does not count, and another one
    // is tried instead.
    let opened = Document::from_json(&json.to_string());
    prop_assume!(opened.is_ok());
    let document = opened?;
    counts.opened += 1;
    let budget = Budget {
        nodes: 20_000,
        ..Budget::default()
    };
    for scenario in document.scenarios.keys() {
        counts.planned += 1;
        let outcome = plan(&compile(&Domain::from(&document), scenario), budget);
        if let Outcome::Plan(plan) = &outcome {
            counts.plans += 1;
            prop_assert_eq!(validate(&Domain::from(&document), scenario, plan), Ok(()));
        }
        simulate(&Domain::from(&document), scenario, budget, 30);
    }
    Ok(())
}

#[test]
fn planning_continues_while_typing() {
    const CASES: u32 = 60;
    let config = ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    // The cases are the same in every run, since the counts must not depend on luck.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let counts = RefCell::new(Counts::default());
    let files = prop::sample::select(EXAMPLES.to_vec());
    let edits = prop::collection::vec((0usize..10_000, typed()), 1..5);
    runner
        .run(&(files, edits), |(file, edits)| {
            check(file, &edits, &mut counts.borrow_mut())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let counts = counts.into_inner();
    assert_eq!(counts.opened, CASES, "{counts:?}");
    assert!(counts.plans > counts.planned / 8, "{counts:?}");
}
