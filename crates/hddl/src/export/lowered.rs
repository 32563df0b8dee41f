//! The subset of HDDL and PDDL that most planners support.

use super::costs::costs;
use super::errors::{export_error, location_of, too_large};
use super::form::Form;
use super::formula::Lowering;
use super::input::Input;
use super::integers::integers_warning;
use super::names::Names;
use super::requirements::{numbers_warning, requirements};
use super::unify::Kinds;
use super::writer::Writer;
use super::written::{Written, written};
use crate::syntax::ast::Ident;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Kind, Name, RecordRef};

/// Writes the subset that most planners support, in addition to these warnings.
pub fn lowered(
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
    warnings.extend(integers_warning(input, form));
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
    if let Some((record, field, lacks)) = lowering.unsupported() {
        let part = location_of(&record, &field);
        let language = form.name();
        let message = format!("{part} can't be exported: {language} can't express {lacks}");
        writer
            .errors
            .insert(0, export_error(record, field, message));
    }
    if lowering.is_too_large() {
        let otherwise = || (RecordRef::new(Kind::Type, Name::root()), Field::Whole);
        let (record, field) = lowering.too_large_at().unwrap_or_else(otherwise);
        let message = too_large(&record, &field);
        writer
            .errors
            .insert(0, export_error(record, field, message));
    }
    if !writer.errors.is_empty() {
        return Err(writer.errors);
    }
    let warnings = writer.warnings;
    Ok(written(&domain, problem.as_ref(), warnings, stop))
}
