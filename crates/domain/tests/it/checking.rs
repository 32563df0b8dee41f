//! Checks of documents that were broken at random.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use taskloom_document::Document;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_domain::Domain;
use taskloom_domain::check::{check, check_record};

const EXAMPLE: &str = include_str!("../../../../public/examples/night-guard.taskloom.json");

/// One way to break a file: the index of a value, and its replacement.
type Damage = (u32, Option<u32>);

/// Returns the location of every value, as a JSON pointer.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                places(inner, format!("{at}/{key}"), found);
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                places(inner, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

/// Removes a value, or replaces it by another one of the file.
fn break_it(file: &mut Value, (which, by): Damage) {
    let mut all = vec![];
    places(file, String::new(), &mut all);
    let pick = |n: u32| all[n as usize % all.len()].clone();
    let place = pick(which);
    let Some((parent, key)) = place.rsplit_once('/') else {
        return;
    };
    match by.map(|by| file.pointer(&pick(by)).cloned()) {
        Some(Some(other)) if file.pointer(&place).is_some_and(|v| v.is_string()) => {
            if let Some(slot) = file.pointer_mut(&place)
                && other.is_string()
            {
                *slot = other;
            }
        }
        Some(_) => {}
        None => match (file.pointer_mut(parent), key.parse::<usize>()) {
            (Some(Value::Object(map)), _) => drop(map.remove(key)),
            (Some(Value::Array(list)), Ok(index)) => drop(list.remove(index)),
            _ => {}
        },
    }
}

/// Returns the broken document, if it is still one. Its invariants may be violated, so a check sees
/// what edits would refuse.
fn broken(damages: &[Damage]) -> Option<Document> {
    let mut file: Value = serde_json::from_str(EXAMPLE).expect("JSON");
    for damage in damages {
        let mut next = file.clone();
        break_it(&mut next, *damage);
        if Document::from_json(&next.to_string()).is_ok() {
            file = next;
        }
    }
    Document::from_json(&file.to_string()).ok()
}

fn alike(findings: &[Diagnostic], finding: &Diagnostic) -> usize {
    findings.iter().filter(|f| f.code == finding.code).count()
}

/// The results for the broken documents.
#[derive(Debug, Default)]
struct Counts {
    opened: u32,
    sound: u32,
    findings: usize,
    fixes: usize,
}

/// Checking reports the same whatever is wrong, and a fix leaves one mistake of its kind fewer.
fn check_broken(damages: &[Damage], counts: &mut Counts) -> Result<(), TestCaseError> {
    let Some(document) = broken(damages) else {
        return Ok(());
    };
    counts.opened += 1;
    let findings = check(&Domain::from(&document));
    prop_assert_eq!(&findings, &check(&Domain::from(&document)));
    if document.invariants().is_err() {
        return Ok(());
    }
    counts.sound += 1;
    counts.findings += findings.len();
    for finding in &findings {
        let record = &finding.place.record;
        for fix in &finding.fixes {
            counts.fixes += 1;
            let mended = document.apply(&fix.edit);
            prop_assert!(
                mended.is_ok(),
                "'{}' is refused: {:?}",
                fix.label,
                mended.err()
            );
            let before = alike(&check_record(&Domain::from(&document), record), finding);
            let after = mended.map_or(0, |m| {
                alike(&check_record(&Domain::from(&m), record), finding)
            });
            prop_assert!(after < before, "'{}' does not fix: {finding}", fix.label);
        }
    }
    Ok(())
}

#[test]
fn fixes_repair_damaged_documents() {
    const CASES: u32 = 100;
    let config = ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    // The cases are the same in every run, since the counts must not depend on luck.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let counts = RefCell::new(Counts::default());
    let damages = prop::collection::vec(any::<Damage>(), 1..8);
    runner
        .run(&damages, |damages| {
            check_broken(&damages, &mut counts.borrow_mut())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let counts = counts.into_inner();
    assert_eq!(counts.opened, CASES, "{counts:?}");
    assert!(counts.sound > CASES / 2, "{counts:?}");
    assert!(counts.findings > CASES as usize, "{counts:?}");
    assert!(counts.fixes > CASES as usize / 4, "{counts:?}");
}
