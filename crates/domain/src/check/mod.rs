//! What is wrong with a document: every check of it, one file each.
//!
//! A check reads the document and one record, and reports; it never changes
//! anything and never stops at the first mistake. Records are checked apart from
//! each other, so that an editor may check again only what an edit touched.

mod agents;
mod chart;
mod facts;
mod findings;
mod names;
mod scenarios;
mod shared;
mod texts;
mod types;
mod unknown;

#[cfg(test)]
mod fixture;

use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Kind, RecordRef};

use findings::Findings;
use shared::Shared;

/// Everything that is wrong with a document, record by record in the order of
/// the file, and within a record by place.
pub fn check(document: &Document) -> Vec<Diagnostic> {
    check_all(document, &Stop::default())
}

/// The same, unless it is stopped.
///
/// # Errors
/// Where the stop was heard.
pub fn check_until(document: &Document, stop: &Stop) -> Result<Vec<Diagnostic>, Stopped> {
    stop.unless_heard(check_all(document, stop))
}

/// What it gives means nothing where the stop was heard.
fn check_all(document: &Document, stop: &Stop) -> Vec<Diagnostic> {
    let document = &*document.without_muted();
    let shared = Shared::until(stop);
    let mut found = vec![];
    for record in document.records() {
        if stop.after(1) {
            break;
        }
        found.extend(found_in(document, &record, &shared));
    }
    found
}

/// What is wrong with one record of a document. A record that does not exist
/// has nothing wrong.
pub fn check_record(document: &Document, record: &RecordRef) -> Vec<Diagnostic> {
    found_in(&document.without_muted(), record, &Shared::default())
}

/// What is wrong with one record of a document that has no muted blocks.
fn found_in(document: &Document, record: &RecordRef, shared: &Shared) -> Vec<Diagnostic> {
    let mut findings = Findings::new(document, record, shared);
    let name = &record.name;
    match record.kind {
        Kind::Type => {
            if let Some(of) = document.types.get(name) {
                types::check_type(&mut findings, of);
            }
        }
        Kind::Object => {
            if let Some(object) = document.objects.get(name) {
                names::check_object(&mut findings);
                types::check_object(&mut findings, object);
            }
        }
        Kind::Fact => {
            if let Some(fact) = document.facts.get(name) {
                types::check_params(&mut findings, &fact.params);
                facts::check(&mut findings, fact);
            }
        }
        Kind::Condition => {
            if let Some(condition) = document.conditions.get(name) {
                types::check_params(&mut findings, &condition.params);
                texts::check_condition(&mut findings, condition);
            }
        }
        Kind::Action => {
            if let Some(action) = document.actions.get(name) {
                types::check_params(&mut findings, &action.params);
            }
        }
        Kind::PrimitiveTask => {
            if let Some(task) = document.primitive_tasks.get(name) {
                types::check_params(&mut findings, &task.params);
                texts::check_primitive(&mut findings, task);
            }
        }
        Kind::CompoundTask => {
            if let Some(task) = document.compound_tasks.get(name) {
                types::check_params(&mut findings, &task.params);
                texts::check_compound(&mut findings, task);
                chart::check(&mut findings, task);
            }
        }
        Kind::Goal => {
            if let Some(goal) = document.goals.get(name) {
                texts::check_goal(&mut findings, goal);
            }
        }
        Kind::Agent => {
            if let Some(agent) = document.agents.get(name) {
                agents::check(&mut findings, agent);
            }
        }
        Kind::Scenario => {
            if let Some(scenario) = document.scenarios.get(name) {
                // Each has objects of its own.
                shared.near.forget();
                scenarios::check(&mut findings, scenario);
            }
        }
    }
    findings.sorted()
}
