//! Measures planning of the shipped examples: `cargo bench -p taskloom`.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use divan::{Bencher, black_box};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Outcome, Progress, Search, plan, validate};
use taskloom_runtime::simulate;

/// Every scenario of every example.
static SITUATIONS: LazyLock<Vec<(String, Document, Name)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../public/examples");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    files.sort();
    let mut situations = vec![];
    for file in files {
        let text = fs::read_to_string(&file).expect("a text");
        let document = Document::from_json(&text).expect("an example opens");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(".taskloom.json");
        for scenario in document.scenarios.keys() {
            let label = format!("{name}: {scenario}");
            situations.push((label, document.clone(), scenario.clone()));
        }
    }
    situations
});

fn labels() -> impl Iterator<Item = &'static str> {
    SITUATIONS.iter().map(|(label, ..)| label.as_str())
}

fn situation(label: &str) -> (&'static Document, &'static Name) {
    let found = SITUATIONS.iter().find(|(own, ..)| own == label);
    let (_, document, scenario) = found.expect("a label");
    (document, scenario)
}

fn main() {
    divan::main();
}

/// Does what a live view does at each edit, except for showing it.
#[divan::bench(args = labels())]
fn compile_plan_validate(bencher: Bencher, label: &str) {
    let (document, scenario) = situation(label);
    bencher.bench(|| {
        let problem = compile(&Domain::from(document), scenario);
        let outcome = plan(&problem, Budget::default());
        if let Outcome::Plan(plan) = &outcome {
            assert_eq!(validate(&Domain::from(document), scenario, plan), Ok(()));
        }
        outcome
    });
}

/// Runs only the search, with the plan in names.
#[divan::bench(args = labels())]
fn search(bencher: Bencher, label: &str) {
    let (document, scenario) = situation(label);
    let problem = compile(&Domain::from(document), scenario);
    bencher.bench(|| plan(black_box(&problem), Budget::default()));
}

/// Runs the search with its trace.
#[divan::bench(args = labels())]
fn search_traced(bencher: Bencher, label: &str) {
    let (document, scenario) = situation(label);
    let problem = compile(&Domain::from(document), scenario);
    bencher.bench(|| {
        let mut search = Search::new(&problem, Budget::default(), 10_000);
        while search.step(u64::MAX) == Progress::Running {}
        search
    });
}

/// Simulates a run, with its planning.
#[divan::bench(args = labels())]
fn run(bencher: Bencher, label: &str) {
    let (document, scenario) = situation(label);
    bencher.bench(|| simulate(&Domain::from(document), scenario, Budget::default(), 1000));
}
