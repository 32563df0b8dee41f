//! Checks of a document, one kind of check per file.
//!
//! A check reads the document and one record, and reports diagnostics. It never changes anything
//! and never stops at the first mistake. Records are checked independently, so an editor can
//! recheck only those that an edit touched.

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

use crate::Domain;
use findings::Findings;
use shared::Shared;
pub(crate) use shared::on_cycles;

/// Checks a document. The diagnostics are in the order of the file, and within a record by place.
pub fn check(document: &Document) -> Vec<Diagnostic> {
    let mut domain = Domain::new(document, &Stop::default());
    check_all(&mut domain, Domain::forget)
}

/// Checks a document, as [`check`] does, unless it is stopped.
///
/// # Errors
/// Returns [`Stopped`] if the stop was requested.
pub fn check_until(document: &Document, stop: &Stop) -> Result<Vec<Diagnostic>, Stopped> {
    let mut domain = Domain::new(document, stop);
    stop.unless_cancelled(check_all(&mut domain, Domain::forget))
}

/// Checks a domain and calls `done` after each record. The result is meaningless if the domain's
/// stop was requested.
pub(crate) fn check_all<'a>(
    domain: &mut Domain<'a>,
    done: fn(&mut Domain<'a>, &RecordRef),
) -> Vec<Diagnostic> {
    let shared = Shared::default();
    let records: Vec<RecordRef> = domain.document().records().collect();
    let mut found = vec![];
    for record in records {
        if domain.stop().after(1) {
            break;
        }
        found.extend(found_in(domain, &record, &shared));
        done(domain, &record);
    }
    found
}

/// Checks one record of a document. A record that doesn't exist has no diagnostics.
pub fn check_record(document: &Document, record: &RecordRef) -> Vec<Diagnostic> {
    let domain = Domain::new(document, &Stop::default());
    found_in(&domain, record, &Shared::default())
}

fn found_in(domain: &Domain, record: &RecordRef, shared: &Shared) -> Vec<Diagnostic> {
    let (document, name) = (domain.document(), &record.name);
    // A scenario has its own objects.
    let among_others = (record.kind == Kind::Scenario).then(|| domain.near().among_others());
    let near = among_others.as_ref().unwrap_or(domain.near());
    let mut findings = Findings::new(domain, near, record, shared);
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
            }
            if let Some(formula) = domain.condition(name) {
                texts::check_condition(&mut findings, formula);
            }
        }
        Kind::Action => {
            if let Some(action) = document.actions.get(name) {
                types::check_params(&mut findings, &action.params);
                if let Some(duration) = domain.duration(name) {
                    texts::check_duration(&mut findings, duration);
                }
            }
        }
        Kind::PrimitiveTask => {
            if let Some(task) = domain.primitive(name) {
                types::check_params(&mut findings, &task.record.params);
                texts::check_primitive(&mut findings, task);
            }
        }
        Kind::CompoundTask => {
            if let Some(task) = domain.compound(name) {
                types::check_params(&mut findings, &task.record.params);
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
                scenarios::check(&mut findings, scenario);
            }
        }
    }
    findings.sorted()
}
