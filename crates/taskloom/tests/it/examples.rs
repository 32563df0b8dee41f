//! The shipped examples, and domains that others published, in `tests/published`: no diagnostics, and each scenario meets
//! its expectations.

use std::fs;
use std::path::{Path, PathBuf};

use taskloom_document::{Document, FILE_EXTENSION};
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Verdict, default_planner, run_test, simulate_by};

const MAX_TICKS: u32 = 500;

fn examples() -> Vec<PathBuf> {
    let folders = ["../../public/examples", "../../tests/published"];
    let mut found: Vec<_> = folders
        .iter()
        .flat_map(|folder| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            fs::read_dir(folder).expect("a folder of documents")
        })
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(FILE_EXTENSION))
        .collect();
    found.sort();
    assert!(found.len() >= 11, "documents were not found");
    found
}

#[test]
fn examples_are_formatted_like_saved_documents() {
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        assert!(
            document.to_json() == text,
            "{} would change when saved",
            path.display()
        );
    }
}

#[test]
fn examples_have_no_diagnostics() {
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        let found: Vec<_> = check(&Domain::from(&document))
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
    }
}

#[test]
fn runs_a_known_plan_without_replanning() {
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        for (name, scenario) in &document.scenarios {
            let played = |is_known: bool| {
                let mut planned = 0;
                let mut default_planner = default_planner(Budget::default());
                let mut plan = |problem: &Problem| {
                    planned += 1;
                    default_planner(problem)
                };
                let first = is_known.then(|| plan(&compile(&Domain::from(&document), name)));
                let run = simulate_by(&Domain::from(&document), name, first, &mut plan, MAX_TICKS);
                (run, planned)
            };
            let ((expected, all), (run, planned)) = (played(false), played(true));
            assert_eq!(run, expected, "{}, {name}", path.display());
            // Events before the first planning change the problem.
            let changed = scenario.events.iter().any(|event| event.at == 0);
            assert_eq!(planned, all + usize::from(changed), "{name}");
        }
    }
}

#[test]
fn scenarios_meet_their_expectations() {
    let mut met = 0;
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        for (name, scenario) in &document.scenarios {
            assert!(!scenario.expect.is_empty(), "{name} expects nothing");
            let mut plan = default_planner(Budget::default());
            let verdicts = run_test(&Domain::from(&document), name, &mut plan, MAX_TICKS).verdicts;
            for (expectation, verdict) in scenario.expect.iter().zip(&verdicts) {
                assert_eq!(
                    *verdict,
                    Verdict::Met,
                    "{}, {name}: {expectation:?}",
                    path.display()
                );
            }
            met += verdicts.len();
        }
    }
    assert!(met >= 30, "only {met} expectations");
}
