//! Checks docs/sources.md: each feature occurs once, and each test that it names exists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The number of features of each source.
const FEATURES: [(char, usize); 5] = [('A', 34), ('B', 21), ('C', 16), ('D', 25), ('E', 22)];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the feature of a line, if it is a row of a table or an item of a list, and whether tests
/// must demonstrate it.
fn feature(line: &str) -> Option<(&str, bool)> {
    let (text, end, is_shown) = match line.strip_prefix("- **") {
        Some(item) => (item, "**", false),
        None => (line.strip_prefix("| ")?, " |", true),
    };
    let (id, _) = text.split_once(end)?;
    let mut letters = id.chars();
    let is_id = letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && !letters.as_str().is_empty()
        && letters.all(|c| c.is_ascii_digit());
    is_id.then_some((id, is_shown))
}

/// Returns the path of a test's file.
fn path(file: &str) -> PathBuf {
    let path = match file.split_once('/') {
        _ if file.ends_with(".test.mjs") => format!("tests/e2e/{file}"),
        Some(("crates" | "src", _)) | None => file.to_owned(),
        Some((name, file)) => format!("crates/{name}/tests/it/{file}"),
    };
    workspace().join(path)
}

/// Returns `true` if a Rust file has a test of this name.
fn has_test(text: &str, name: &str) -> bool {
    let wanted = format!("fn {name}(");
    let mut is_marked = false;
    for line in text.lines().map(str::trim) {
        if line == "#[test]" {
            is_marked = true;
        } else if line.starts_with(&wanted) && is_marked {
            return true;
        } else if !line.starts_with("#[") && !line.starts_with("//") {
            is_marked = false;
        }
    }
    false
}

/// Returns `true` if a JavaScript file has a journey with this title.
fn has_journey(text: &str, title: &str) -> bool {
    ['"', '`']
        .iter()
        .any(|quote| text.contains(&format!("test({quote}{title}{quote}")))
}

/// Returns the errors in the tests that a row names; it must name at least one.
fn faults_of_row(line: &str, id: &str) -> Vec<String> {
    let shown = line.trim_end_matches([' ', '|']).rsplit(" | ").next();
    let named: Vec<&str> = shown
        .unwrap_or_default()
        .split('`')
        .skip(1)
        .step_by(2)
        .collect();
    let fault = |test: &&str| {
        let Some((file, name)) = test.split_once("::") else {
            return Some(format!("{id}: '{test}' is not a file and a test"));
        };
        let Ok(text) = fs::read_to_string(path(file)) else {
            return Some(format!("{id}: there is no file '{file}'"));
        };
        let is_there = if file.ends_with(".mjs") {
            has_journey(&text, name)
        } else {
            has_test(&text, name)
        };
        (!is_there).then(|| format!("{id}: '{file}' has no test '{name}'"))
    };
    if named.is_empty() {
        return vec![format!("{id}: no test shows it")];
    }
    named.iter().filter_map(fault).collect()
}

/// Returns all errors in a text like docs/sources.md.
fn faults(text: &str) -> Vec<String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults = vec![];
    for line in text.lines() {
        let Some((id, is_shown)) = feature(line) else {
            continue;
        };
        *times.entry(id).or_default() += 1;
        if is_shown {
            faults.extend(faults_of_row(line, id));
        }
    }
    let wanted: BTreeSet<String> = FEATURES
        .iter()
        .flat_map(|(source, count)| (1..=*count).map(move |number| format!("{source}{number}")))
        .collect();
    for id in &wanted {
        match times.get(id.as_str()) {
            None => faults.push(format!("{id} is missing")),
            Some(1) => {}
            Some(times) => faults.push(format!("{id} is there {times} times")),
        }
    }
    let unknown = times.keys().filter(|id| !wanted.contains(**id));
    faults.extend(unknown.map(|id| format!("no source has a feature {id}")));
    faults
}

fn sources() -> String {
    fs::read_to_string(workspace().join("docs/sources.md")).expect("the table is there")
}

#[test]
fn every_source_feature_is_listed_once_with_existing_tests() {
    let faults = faults(&sources());
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A table with errors in it.
#[test]
fn detects_errors_in_the_table() {
    let text = sources();
    let corrupted = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        faults(&text.replacen(from, to, 1)).join("\n")
    };
    assert_eq!(corrupted("| A1 |", "| |"), "A1 is missing");
    assert_eq!(corrupted("- **E18**", "- E18"), "E18 is missing");
    assert_eq!(
        corrupted("| A2 |", "| A3 |"),
        "A2 is missing\nA3 is there 2 times"
    );
    assert_eq!(
        corrupted(
            "## Features that are not supported\n",
            "## Features that are not supported\n\n- **F1** Nothing.\n"
        ),
        "no source has a feature F1"
    );
    let row = |shown: &str| {
        let line = format!("| A23 | Recursion | 6 | {shown} |");
        faults_of_row(&line, "A23").join("\n")
    };
    assert_eq!(row("`planner/planning.rs::recursion_terminates`"), "");
    assert_eq!(row(""), "A23: no test shows it");
    assert_eq!(
        row(
            "`gone.rs::a_test`, `planner/planning.rs::outcome`, `planning.rs`, `run.test.mjs::a step`"
        ),
        "A23: there is no file 'gone.rs'\n\
         A23: 'planner/planning.rs' has no test 'outcome'\n\
         A23: 'planning.rs' is not a file and a test\n\
         A23: 'run.test.mjs' has no test 'a step'"
    );
}
