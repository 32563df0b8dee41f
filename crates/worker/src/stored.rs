//! Answers stored beside the shipped examples when the page is built, so that their plans are there
//! before the planner is loaded.
//!
//! The planner's program itself computes them ([`store`]). An answer is valid for one document and one
//! build of that program, and dropped if either differs.

use serde::{Deserialize, Serialize};
use taskloom_document::{Document, Name, hash_of};
use taskloom_domain::Domain;
use taskloom_planner::plan::{StartSearch, Strategy, policy};

use crate::answer::Answer;
use crate::experiment::Experiment;
use crate::message::{SentDocument, TRACE_BOUND, Wanted};
use crate::planning::{Job, Next};

/// A file with an answer.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// The name of the program's file, which contains its hash.
    program: String,
    /// The hash of the document's file.
    document: String,
    answers: Vec<Answer>,
}

/// Plans a document's first scenario, and the one in which the page opens it, without a time limit.
/// Returns the file of the answers.
///
/// # Errors
/// Returns the reason why the document can't be read.
pub fn store(
    document: &str,
    opens_in: &str,
    program: &str,
    start: StartSearch,
) -> Result<Vec<u8>, String> {
    let read = Document::from_json(document).map_err(|error| error.to_string())?;
    let scenarios = read.scenarios.keys().enumerate();
    let planned = scenarios.filter(|(at, name)| *at == 0 || name.as_str() == opens_in);
    let answers = planned.map(|(_, scenario)| {
        let mut job = Job::new(request(&read, scenario), 0.0, start);
        loop {
            if let Next::Answer(answer) = job.step(|| 0.0) {
                break *answer;
            }
        }
    });
    let stored = Stored {
        program: program.to_owned(),
        document: hash_of(document),
        answers: answers.collect(),
    };
    postcard::to_stdvec(&stored).map_err(|error| error.to_string())
}

/// Returns the answers in a file, if they are for this text of a document and this program.
pub fn stored_answers(file: &[u8], document: &str, program: &str) -> Vec<Answer> {
    let stored = postcard::from_bytes(file).ok();
    let stored = stored.filter(|stored: &Stored| {
        stored.program == program && stored.document == hash_of(document)
    });
    stored.map_or_else(Vec::new, |stored| stored.answers)
}

/// Returns the request for a scenario of a document that has just been opened.
fn request(document: &Document, scenario: &Name) -> Wanted {
    let domain = Domain::from(document);
    let strategy = Strategy::from(policy(&domain, scenario, 0));
    Wanted {
        revision: 0,
        document: SentDocument::Whole(document.to_json()),
        scenario: scenario.clone(),
        character: 0,
        strategy,
        is_for_all: false,
        experiment: Experiment::default(),
        millis: u32::MAX,
        trace_bound: TRACE_BOUND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_planner::plan::Outcome;

    const SCENARIOS: &str = include_str!("../../../src/examples/scenarios.txt");

    /// Returns the text of each example, with the scenario in which it opens.
    fn examples() -> Vec<(String, &'static str)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../public/examples");
        let lines = SCENARIOS.lines().map(|line| line.split_once(' ').unwrap());
        let read = |name| std::fs::read_to_string(format!("{folder}/{name}.taskloom.json"));
        lines
            .map(|(name, scenario)| (read(name).unwrap(), scenario))
            .collect()
    }

    #[test]
    fn stored_answers_equal_fresh_ones_that_the_clock_limits() {
        let clock: fn() -> f64 = || {
            let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
            since.map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
        };
        for (text, scenario) in examples() {
            let file = store(&text, scenario, "p", Strategy::search).unwrap();
            let all = stored_answers(&file, &text, "p");
            assert!(
                all.iter()
                    .any(|answer| answer.scenario.as_str() == scenario)
            );
            for stored in all {
                assert!(matches!(stored.outcome, Outcome::Plan(_)) && stored.run.is_some());
                let document = Document::from_json(&text).unwrap();
                let wanted = Wanted {
                    millis: 60_000,
                    ..request(&document, &stored.scenario)
                };
                let mut job = Job::new(wanted, clock(), Strategy::search);
                let mut fresh = loop {
                    if let Next::Answer(answer) = job.step(clock) {
                        break *answer;
                    }
                };
                fresh.search.micros = stored.search.micros;
                assert!(fresh == stored, "{:?}", stored.scenario);
            }
        }
    }

    #[test]
    fn answers_to_another_document_or_program_are_dropped() {
        let (text, scenario) = &examples()[1];
        let file = store(text, scenario, "p", Strategy::search).unwrap();
        assert_eq!(stored_answers(&file, text, "p").len(), 2);
        assert!(stored_answers(&file, text, "q").is_empty());
        assert!(stored_answers(&file, &examples()[0].0, "p").is_empty());
        assert!(stored_answers(&file[..file.len() - 1], text, "p").is_empty());
        assert!(stored_answers(b"not found", text, "p").is_empty());
    }
}
