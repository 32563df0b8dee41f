//! The domain of an edited document, of which only the edited parts are read again.

use std::sync::Arc;

use proptest::prelude::*;
use taskloom_document::{Document, Edit};
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::initial_state;

/// Checks that a domain that follows an edit has the same meaning as one of the whole document.
pub fn look(domain: &mut Domain, after: &Arc<Document>, edit: &Edit) -> Result<(), TestCaseError> {
    // Everything is read, so that the next version shares as much as possible.
    let all = |domain: &Domain| {
        let scenarios = domain.document().scenarios.keys();
        let scenarios: Vec<String> = scenarios
            .map(|name| {
                let problem = compile(domain, name);
                format!("{problem:?} {:?}", initial_state(domain, name))
            })
            .collect();
        (check(domain), domain.errors(None), scenarios)
    };
    *domain = domain.edited(after.clone());
    prop_assert_eq!(all(domain), all(&Domain::from(after.clone())), "{:?}", edit);
    Ok(())
}
