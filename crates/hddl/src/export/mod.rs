//! A domain and the problem of one scenario in HDDL or PDDL, for other planners.
//!
//! The form is the one that most hierarchical planners read: named conditions are inlined,
//! quantifiers are expanded over the existing objects, a task with conditional effects becomes one
//! action per case, an object fact is a predicate whose last argument is the value, and a flowchart
//! becomes one method per resolution; PDDL has no methods. Features that HDDL can't express are
//! lost: the order of alternatives and of bindings, integrity rules, completion conditions,
//! durations, claims and cooldowns.

use crate::syntax::ast::Ident;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Kind, Name, RecordRef};

mod actions;
mod cases;
mod costs;
mod domain;
mod effects;
mod errors;
mod form;
mod formula;
mod full;
mod input;
mod integers;
mod lowered;
mod methods;
mod names;
mod numbers;
mod pddl;
mod problem;
mod requirements;
mod simplify;
mod unify;
mod values;
mod writer;
mod written;

use errors::export_error;
use form::Form;
use input::{Input, played, queries_warnings};
use lowered::lowered;
use pddl::classical;
pub use pddl::export_pddl;
use requirements::requirements;
pub use written::Written;
use written::written;

/// Writes `domain.hddl` and, for a scenario, `problem.hddl`. A scenario with a goal and no tasks
/// becomes a classical problem, written as in PDDL.
///
/// # Errors
/// Errors in the document, and features that HDDL can't express.
pub fn export(
    domain: &taskloom_domain::Domain,
    scenario: Option<&Name>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let (domain, scene) = played(domain, scenario)?;
    let input = Input::new(&domain, scenario, &scene);
    if input.tasks.is_empty() && (input.goal.is_some() || scene.actor(0).has_goals()) {
        let warning = "the scenario has a goal but no tasks: it is exported as a classical planning \
                       problem, without ':htn'";
        let written = classical(input, vec![warning.to_owned()], stop);
        return written.map_err(|errors| domain.drawn(errors));
    }
    lowered(&input, Form::Hddl, queries_warnings(input.document), stop)
        .map_err(|errors| domain.drawn(errors))
}

/// Writes `domain.hddl` and `problem.hddl` in full HDDL, for documents that it can express; see
/// [`full`].
pub fn export_full(
    domain: &taskloom_domain::Domain,
    scenario: Option<&Name>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let (domain, scene) = played(domain, scenario)?;
    let input = Input::new(&domain, scenario, &scene);
    if let Some(name) = scenario
        && input.tasks.is_empty()
        && input.goal.is_none()
        && scene.actor(0).has_goals()
    {
        let at = RecordRef::new(Kind::Scenario, name.clone());
        let message = format!(
            "'{name}' is planned for its agent's goals, which full HDDL can't express: \
             export to 'hddl' or 'pddl'"
        );
        return Err(vec![export_error(at, Field::Goal, message)]);
    }
    let read = full::full(&input, stop)
        .map_err(|(record, field, message)| vec![export_error(record, field, message)]);
    let (mut domain, problem) = read.map_err(|errors| domain.drawn(errors))?;
    let required = requirements(&domain, problem.as_ref(), Form::Hddl);
    domain.requirements = required.into_iter().map(Ident::from).collect();
    let warnings = queries_warnings(input.document);
    Ok(written(&domain, problem.as_ref(), warnings, stop))
}
