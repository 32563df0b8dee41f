//! An imported document, exported to all of HDDL and imported again, is the same document.

use std::fs;

use taskloom_document::Document;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_hddl::export::export_full;
use taskloom_hddl::import::read_planning_files;

use crate::competition;

/// Returns a document as text with initial values in a fixed order, since their order has no
/// meaning.
fn normal(document: &Document) -> String {
    let mut document = document.clone();
    for scenario in document.scenarios.values_mut() {
        let mut changed = (**scenario).clone();
        changed.initial.sort();
        changed.initial.dedup();
        *scenario = changed.into();
    }
    document.to_json()
}

/// Returns the first line in which two texts differ.
fn difference(a: &str, b: &str) -> Option<String> {
    let mut lines = a.lines().zip(b.lines()).enumerate();
    let found = lines.find(|(_, (a, b))| a != b);
    match found {
        Some((n, (a, b))) => Some(format!("line {}:\n  {a}\n  {b}", n + 1)),
        None if a.len() != b.len() => Some("one of them goes on".to_owned()),
        None => None,
    }
}

/// Returns the errors in the round trip of two files.
pub fn round_trip(domain: &str, problem: &str) -> Option<String> {
    let first = read_planning_files(domain, Some(problem)).expect("a document");
    let written = match export_full(
        &Domain::from(&first.document),
        Some(&first.scenario),
        &Stop::default(),
    ) {
        Ok(written) => written,
        Err(errors) => return Some(format!("{}", errors[0])),
    };
    let second = read_planning_files(&written.domain, written.problem.as_deref());
    let second = second.expect("a document");
    let known: Vec<&str> = first.diagnostics.iter().map(|d| &*d.message).collect();
    let mut diagnostics = second.diagnostics.iter();
    if let Some(found) = diagnostics.find(|found| !known.contains(&&*found.message)) {
        return Some(format!("{found:?}"));
    }
    if first.names != second.names {
        return Some("other names".to_owned());
    }
    difference(&normal(&first.document), &normal(&second.document))
}

#[test]
fn competition_domains_round_trip() {
    let mut wrong = vec![];
    for pair in competition::pairs() {
        let domain = fs::read_to_string(&pair.domain).expect("a domain");
        let problem = fs::read_to_string(&pair.problem).expect("a problem");
        if let Some(found) = round_trip(&domain, &problem) {
            wrong.push(format!("{}: {found}", pair.name));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
