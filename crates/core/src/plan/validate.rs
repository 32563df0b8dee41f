//! Checks a plan against the document, with nothing of the compiler or the search.

use std::fmt;

use super::{Atom, Plan, Value, World};
use crate::document::{Document, Name};

/// The first thing wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// What is wrong, in a sentence.
    pub message: String,
    /// The step that it concerns, where it concerns one.
    pub step: Option<usize>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {}: {}", step + 1, self.message),
            None => f.write_str(&self.message),
        }
    }
}
impl std::error::Error for Invalid {}

/// Replays a plan of a scenario against the document.
pub fn validate(_document: &Document, _scenario: &Name, _plan: &Plan) -> Result<(), Invalid> {
    Err(Invalid {
        message: "the validator is not there yet".to_owned(),
        step: None,
    })
}

/// The state in which a scenario starts, by ground fact: all that have another
/// value than the default, and of facts with few ground instances every one.
pub fn initial_state(document: &Document, scenario: &Name) -> Vec<(Atom, Value)> {
    match document.scenarios.get(scenario) {
        Some(record) => World::initial(document, record).listing(),
        None => vec![],
    }
}
