//! Checks of a document, one kind of check per file.
//!
//! A check reads the domain and one record, and reports diagnostics. It never changes anything
//! and never stops at the first mistake. Records are checked independently, so an editor can
//! recheck only those that an edit touched.

mod agents;
mod chart;
mod commitment;
mod contest;
mod crowds;
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
use taskloom_document::stop::Stopped;
use taskloom_document::{Kind, RecordRef};

use crate::Domain;
use findings::Findings;
use shared::Shared;
pub(crate) use shared::on_cycles;

/// Checks a domain. The diagnostics are in the order of the file, and within a record by place.
/// The result is meaningless if the domain's stop was triggered.
pub fn check(domain: &Domain) -> Vec<Diagnostic> {
    let shared = Shared::default();
    let records = domain.document().records();
    let records = records.take_while(|_| !domain.stop().after(1));
    records
        .flat_map(|record| found_in(domain, &record, &shared))
        .collect()
}

/// Checks a domain, as [`check`] does, unless its stop is triggered.
///
/// # Errors
/// Returns [`Stopped`] if the stop was triggered.
pub fn check_cancellable(domain: &Domain) -> Result<Vec<Diagnostic>, Stopped> {
    domain.stop().unless_cancelled(check(domain))
}

/// Checks one record of a domain. A record that doesn't exist has no diagnostics.
pub fn check_record(domain: &Domain, record: &RecordRef) -> Vec<Diagnostic> {
    found_in(domain, record, &Shared::default())
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
                commitment::check_primitive(&mut findings, &task.record);
                contest::check(&mut findings, task);
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
            if let Some(goal) = domain.goal(name) {
                texts::check_goal(&mut findings, goal);
            }
        }
        Kind::Agent => {
            if let Some(agent) = domain.agent(name) {
                agents::check(&mut findings, agent);
            }
        }
        Kind::Scenario => {
            if let Some(scene) = domain.scene(name) {
                scenarios::check(&mut findings, scene);
            }
        }
    }
    findings.sorted()
}
