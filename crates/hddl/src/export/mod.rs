//! A domain and the problem of one scenario in HDDL or PDDL, for other planners.
//!
//! The form is the one that most hierarchical planners read: named conditions are inlined,
//! quantifiers are expanded over the existing objects, a task with conditional effects becomes one
//! action per case, an object fact is a predicate whose last argument is the value, and a flowchart
//! becomes one method per resolution; PDDL has no methods. Features that HDDL can't express are
//! lost: the order of alternatives and of bindings, integrity rules, completion conditions,
//! durations.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::ast::{Domain, Ident, Problem, Signature, Typed};
use crate::syntax::{write_domain, write_problem};
use taskloom_document::diagnostic::{Diagnostic, Place as Location, Severity};
use taskloom_document::kebab;
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Kind, Name, Param, RecordRef, ValueKind};

mod actions;
mod cases;
mod costs;
mod effects;
mod formula;
mod full;
mod input;
mod methods;
mod names;
mod numbers;
mod pddl;
mod problem;
mod requirements;
mod simplify;
mod unify;
mod values;
mod wholes;

use costs::costs;
use formula::Lowering;
use input::{Input, played};
use names::Names;
use pddl::classical;
pub use pddl::export_pddl;
use requirements::{numbers_warning, requirements};
use unify::Kinds;
use wholes::wholes_warning;

/// Returns a location in a record, to begin a sentence with.
fn location_of(record: &RecordRef, field: &Field) -> String {
    let part = match field {
        Field::Precondition(number) => format!("precondition {} of ", number + 1),
        Field::Effect(number) => format!("effect {} of ", number + 1),
        Field::BlockText(block) => format!("block {block} of "),
        Field::Task(number) => format!("task {} of ", number + 1),
        Field::Goal => "the goal of ".to_owned(),
        Field::Method => "the method of ".to_owned(),
        _ => String::new(),
    };
    format!("{part}{} '{}'", record.kind.label(), record.name)
}

/// Returns the error for too many formulas, effects or methods.
fn too_large(record: &RecordRef, field: &Field) -> String {
    format!(
        "{} is too large once quantifiers, conditions and cases are expanded over all \
         objects: export to 'full-hddl', which keeps them, or use fewer objects",
        location_of(record, field)
    )
}

/// A document as planning files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The domain's file.
    pub domain: String,
    /// The problem's file, for a scenario.
    pub problem: Option<String>,
    /// Features that HDDL can't express, one sentence each.
    pub warnings: Vec<String>,
}

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
        return classical(input, vec![warning.to_owned()], stop);
    }
    lowered(&input, Form::Hddl, vec![], stop)
}

/// The output language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Tasks and methods, for hierarchical planners.
    Hddl,
    /// Only actions, for classical planners.
    Pddl,
}

/// Writes the subset that most planners support, in addition to these warnings.
fn lowered(
    input: &Input,
    form: Form,
    mut warnings: Vec<String>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let mut names = Names::default();
    for kind in [
        Kind::PrimitiveTask,
        Kind::CompoundTask,
        Kind::Fact,
        Kind::Type,
    ] {
        for name in input.document.names(kind) {
            names.give(kind, name);
        }
    }
    for (name, _) in input.scene.objects() {
        names.give(Kind::Object, name);
    }
    let lowering = Lowering::new(input, &names, stop);
    let mut more = names.clone();
    let (has_costs, warning) = costs(input, form);
    warnings.extend(warning);
    warnings.extend(wholes_warning(input, form));
    let mut writer = Writer {
        lowering: &lowering,
        form,
        costs: has_costs,
        more: &mut more,
        kinds: Kinds::new(&[]),
        warnings,
        errors: vec![],
    };
    writer.kinds = Kinds::new(&writer.types());
    let mut domain = writer.domain();
    let problem = input.scenario.map(|name| writer.problem(name, &domain));
    let required = requirements(&domain, problem.as_ref(), form);
    if let Some(warning) = numbers_warning(&domain, problem.as_ref(), form) {
        domain.comment.push(warning.clone());
        writer.warnings.push(warning);
    }
    domain.requirements = required.into_iter().map(Ident::from).collect();
    if let Some((record, field, lacks)) = lowering.unsayable() {
        let part = location_of(&record, &field);
        let language = form.name();
        let message = format!("{part} can't be exported: {language} can't express {lacks}");
        writer.errors.insert(0, trouble(record, field, message));
    }
    if lowering.is_too_large() {
        let otherwise = || (RecordRef::new(Kind::Type, Name::root()), Field::Whole);
        let (record, field) = lowering.too_large_at().unwrap_or_else(otherwise);
        let message = too_large(&record, &field);
        writer.errors.insert(0, trouble(record, field, message));
    }
    if !writer.errors.is_empty() {
        return Err(writer.errors);
    }
    let warnings = writer.warnings;
    Ok(written(&domain, problem.as_ref(), warnings, stop))
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
        return Err(vec![trouble(at, Field::Goal, message)]);
    }
    let read = full::full(&input, stop)
        .map_err(|(record, field, message)| vec![trouble(record, field, message)]);
    let (mut domain, problem) = read?;
    let required = requirements(&domain, problem.as_ref(), Form::Hddl);
    domain.requirements = required.into_iter().map(Ident::from).collect();
    Ok(written(&domain, problem.as_ref(), vec![], stop))
}

fn written(
    domain: &Domain,
    problem: Option<&Problem>,
    warnings: Vec<String>,
    stop: &Stop,
) -> Written {
    Written {
        domain: write_domain(domain, stop),
        problem: problem.map(|problem| write_problem(problem, stop)),
        warnings,
    }
}

fn trouble(record: RecordRef, field: Field, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "export",
        place: Location {
            record,
            field,
            span: None,
        },
        message,
        fixes: vec![],
    }
}

struct Writer<'m> {
    lowering: &'m Lowering<'m>,
    form: Form,
    /// `true` if steps have costs.
    costs: bool,
    /// The names of unnamed items: methods and cases of actions.
    more: &'m mut Names,
    kinds: Kinds,
    warnings: Vec<String>,
    errors: Vec<Diagnostic>,
}

impl Writer<'_> {
    fn error(&mut self, record: RecordRef, field: Field, message: String) {
        self.errors.push(trouble(record, field, message));
    }

    fn name(&self, kind: Kind, name: &Name) -> Ident {
        self.lowering.names.of(kind, name)
    }

    fn of(&self, of: &Name) -> Ident {
        if *of == "object" {
            "object".into()
        } else {
            self.name(Kind::Type, of)
        }
    }

    fn typed(&self, param: &Param) -> Typed {
        Typed {
            name: param.name.as_str().into(),
            of: vec![self.of(&param.of)],
        }
    }

    fn signature(&self, kind: Kind, name: &Name, params: &[Param]) -> Signature {
        Signature {
            name: self.name(kind, name),
            params: params.iter().map(|p| self.typed(p)).collect(),
        }
    }

    fn domain(&mut self) -> Domain {
        let input = self.lowering.input;
        let document = input.document;
        let mut domain = Domain {
            name: self
                .more
                .unique(&kebab(&document.info.title, "domain"))
                .into(),
            comment: vec![
                document
                    .info
                    .title
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                String::new(),
            ],
            types: self.types(),
            ..Domain::default()
        };
        let said = self.form.said().iter();
        domain.comment.extend(said.map(|line| (*line).to_owned()));
        domain
            .comment
            .extend(self.lowering.names.changed().iter().cloned());
        domain.comment.extend(self.warnings.iter().cloned());
        for (name, fact) in &document.facts {
            let mut signature = self.signature(Kind::Fact, name, &fact.params);
            match &fact.value {
                ValueKind::Number { .. } => domain.functions.push(signature),
                ValueKind::Boolean => domain.predicates.push(signature),
                ValueKind::Object(of) => {
                    let taken = BTreeSet::from_iter(fact.params.iter().map(|p| &p.name));
                    let name = free_variable("value", |n| taken.iter().any(|t| **t == *n));
                    let of = vec![self.of(of)];
                    let name = name.into();
                    signature.params.push(Typed { name, of });
                    domain.predicates.push(signature);
                }
            }
        }
        if self.costs {
            domain.functions.push(Signature {
                name: "total-cost".into(),
                params: vec![],
            });
        }
        for (name, compound) in &input.compounds {
            let task = self.signature(Kind::CompoundTask, name, &compound.record.params);
            domain.tasks.push(task);
            let methods = self.methods(name, compound);
            domain.methods.extend(methods);
        }
        for (name, primitive) in &input.primitives {
            self.actions(name, primitive, &mut domain);
        }
        let mentioned = self.lowering.mentioned();
        for (name, of) in input.scene.objects() {
            if self.lowering.stop.after(1) {
                break;
            }
            if document.objects.contains_key(name) || mentioned.contains(name) {
                domain.constants.push(Typed {
                    name: self.name(Kind::Object, name),
                    of: vec![self.of(of)],
                });
            }
        }
        domain
    }

    /// Returns the types, parents first.
    fn types(&self) -> Vec<Typed> {
        let types = &self.lowering.input.document.types;
        // Each round goes over all types in order; a type whose parent comes later is written in a
        // later round.
        let mut rounds: BTreeMap<&Name, usize> = BTreeMap::new();
        for name in types.keys() {
            let mut open = vec![];
            let mut next = Some(name);
            let mut above = None;
            while let Some(name) = next {
                above = rounds.get(name).map(|round| (name, *round));
                if above.is_some() || open.len() > types.len() || self.lowering.stop.after(1) {
                    break;
                }
                open.push(name);
                let parent = types.get(name).map(|of| &of.parent);
                next = parent.filter(|parent| **parent != "object");
            }
            for name in open.into_iter().rev() {
                let round = above.map_or(0, |(above, round)| round + usize::from(above > name));
                rounds.insert(name, round);
                above = Some((name, round));
            }
        }
        let mut ordered: Vec<(usize, &Name)> = rounds.into_iter().map(|(n, r)| (r, n)).collect();
        ordered.sort();
        let typed = |name: &Name| {
            Some(Typed {
                name: self.name(Kind::Type, name),
                of: vec![self.of(&types.get(name)?.parent)],
            })
        };
        ordered
            .into_iter()
            .filter_map(|(_, name)| typed(name))
            .collect()
    }
}

fn free_variable(preferred: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = preferred.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{preferred}_{number}");
        number += 1;
    }
    name
}
