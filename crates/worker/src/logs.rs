//! Reading logs of runs and games.

use serde::{Deserialize, Serialize};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{LogFile, Run, ScenarioRun, Verdict, check_expectations};

use crate::message::TextFile;

/// A logged run of one of the document's scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoggedRun {
    /// The scenario.
    pub scenario: Name,
    /// The record of the run.
    pub run: Run,
    /// The verdicts on the scenario's expectations, in their order.
    pub verdicts: Vec<Verdict>,
    /// `true` if the log was written for this very version of the document.
    pub is_of_this_version: bool,
    /// The title of the document that it was written for.
    pub title: String,
    /// The names of actors that aren't in the scenario's cast, and so not in the record.
    pub others: Vec<String>,
}

/// Returns `true` if a text is a log rather than a document.
pub fn is_log(file: &TextFile) -> bool {
    let first = file.text.lines().next().unwrap_or_default();
    file.name.to_ascii_lowercase().ends_with(".jsonl") || first.contains("\"entry\":\"start\"")
}

/// Returns the run in a log, for a document; or the reason why it can't be read or isn't of one of the
/// document's scenarios. Runs in the worker.
pub fn read_log(document: &str, log: &TextFile) -> Result<LoggedRun, String> {
    let document = Document::from_json(document).map_err(|error| error.to_string())?;
    let hash = document.hash();
    let domain = Domain::from(&document);
    let log = LogFile::read(log.text.as_bytes());
    let log = log.map_err(|error| format!("In {error}."))?;
    let is_of_this_version = log.start.document == hash;
    let found = log.run_in(&domain);
    let ScenarioRun {
        scenario,
        run,
        others,
    } = found.map_err(|error| match is_of_this_version {
        true => format!("In {error}."),
        false => format!(
            "In {error}. The log was written for another document or version: '{}'.",
            log.start.title
        ),
    })?;
    let first = run.plans.iter().find(|planning| planning.character == 0);
    let verdicts = first.map_or_else(Vec::new, |planning| {
        let outcome = planning.outcome.as_ref().map_err(String::as_str);
        check_expectations(&domain, &scenario, outcome, Some(&run))
    });
    Ok(LoggedRun {
        scenario,
        run,
        verdicts,
        is_of_this_version,
        title: log.start.title,
        others,
    })
}
