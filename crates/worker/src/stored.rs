//! Answers stored beside the shipped examples when the page is built, so that their plans are there
//! before the planner is loaded.
//!
//! The planner's program itself computes them ([`store`]). An answer is valid for one document and one
//! build of that program, and dropped if either differs.

use serde::{Deserialize, Serialize};
use taskloom::document::{Document, hash_of};
use taskloom::domain::Domain;
use taskloom::planner::plan::{StartSearch, Strategy, policy};

use crate::answer::Answer;
use crate::experiment::Experiment;
use crate::message::{TRACE_BOUND, Wanted};
use crate::planning::{Job, Next};

/// A file with an answer.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// The name of the program's file, which contains its hash.
    program: String,
    /// The hash of the document's file.
    document: String,
    answer: Answer,
}

/// Plans a document's first scenario as the page first requests it, without a time limit. Returns the
/// file of the answer; `None` if there is nothing to plan.
///
/// # Errors
/// Returns the reason why the document can't be read.
pub fn store(document: &str, program: &str, start: StartSearch) -> Result<Option<Vec<u8>>, String> {
    let read = Document::from_json(document).map_err(|error| error.to_string())?;
    let Some(wanted) = first_request(&read) else {
        return Ok(None);
    };
    let mut job = Job::new(wanted, 0.0, start);
    let answer = loop {
        if let Next::Answer(answer) = job.step(|| 0.0) {
            break *answer;
        }
    };
    let stored = Stored {
        program: program.to_owned(),
        document: hash_of(document),
        answer,
    };
    let bytes = postcard::to_stdvec(&stored).map_err(|error| error.to_string())?;
    Ok(Some(bytes))
}

/// Returns the answer in a file, if it is for this text of a document and this program.
pub fn stored_answer(file: &[u8], document: &str, program: &str) -> Option<Answer> {
    let stored: Stored = postcard::from_bytes(file).ok()?;
    let is_valid = stored.program == program && stored.document == hash_of(document);
    is_valid.then_some(stored.answer)
}

/// Returns the request for the first scenario of a document that has just been opened.
fn first_request(document: &Document) -> Option<Wanted> {
    let scenario = document.scenarios.keys().next()?.clone();
    let domain = Domain::from(document);
    let strategy = Strategy::from(policy(&domain, &scenario, 0));
    Some(Wanted {
        revision: 0,
        document: document.to_json(),
        scenario,
        character: 0,
        strategy,
        is_for_all: false,
        experiment: Experiment::default(),
        millis: u32::MAX,
        trace_bound: TRACE_BOUND,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::planner::plan::Outcome;

    const EXAMPLES: [&str; 7] = [
        include_str!("../../../public/examples/ball-in-the-box.taskloom.json"),
        include_str!("../../../public/examples/night-guard.taskloom.json"),
        include_str!("../../../public/examples/office.taskloom.json"),
        include_str!("../../../public/examples/hunter.taskloom.json"),
        include_str!("../../../public/examples/rts.taskloom.json"),
        include_str!("../../../public/examples/sentry.taskloom.json"),
        include_str!("../../../public/examples/opening.taskloom.json"),
    ];

    #[test]
    fn stored_answers_equal_fresh_ones_that_the_clock_limits() {
        let clock: fn() -> f64 = || {
            let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
            since.map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
        };
        for example in EXAMPLES {
            let file = store(example, "p", Strategy::search).unwrap().unwrap();
            let stored = stored_answer(&file, example, "p").unwrap();
            assert!(matches!(stored.outcome, Outcome::Plan(_)) && stored.run.is_some());
            let wanted = Wanted {
                millis: 60_000,
                ..first_request(&Document::from_json(example).unwrap()).unwrap()
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

    #[test]
    fn answers_to_another_document_or_program_are_dropped() {
        let file = store(EXAMPLES[0], "p", Strategy::search).unwrap().unwrap();
        assert!(stored_answer(&file, EXAMPLES[0], "p").is_some());
        assert!(stored_answer(&file, EXAMPLES[0], "q").is_none());
        assert!(stored_answer(&file, EXAMPLES[1], "p").is_none());
        assert!(stored_answer(&file[..file.len() - 1], EXAMPLES[0], "p").is_none());
        assert!(stored_answer(b"not found", EXAMPLES[0], "p").is_none());
    }
}
