//! Collects the mistakes in the texts of a domain as diagnostics with their places.

use crate::elaborate::{ExecutionRules, Primitive, TypedText};
use crate::lang::Mistake;
use crate::lang::typed::Formula;
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::{Field, RecordRef};

/// A collection of diagnostics.
#[derive(Default)]
pub(crate) struct DiagnosticSink(pub Vec<Diagnostic>);

impl DiagnosticSink {
    pub fn add<T>(&mut self, record: &RecordRef, field: Field, text: &TypedText<T>) {
        self.0
            .extend(text.mistakes.iter().map(|mistake| Diagnostic {
                severity: mistake.severity,
                code: mistake.code,
                place: Place {
                    record: record.clone(),
                    field: field.clone(),
                    span: Some(mistake.span),
                },
                message: mistake.message.clone(),
                fixes: vec![],
            }));
        let is_error = |mistake: &Mistake| mistake.severity == Severity::Error;
        if text.value.is_none() && !text.mistakes.iter().any(is_error) {
            self.error(record, field, "invalid expression");
        }
    }

    pub fn error(&mut self, record: &RecordRef, field: Field, message: &str) {
        self.0.push(Diagnostic {
            severity: Severity::Error,
            code: "export",
            place: Place {
                record: record.clone(),
                field,
                span: None,
            },
            message: message.to_owned(),
            fixes: vec![],
        });
    }

    pub fn list(
        &mut self,
        record: &RecordRef,
        field: fn(usize) -> Field,
        texts: &[TypedText<Formula>],
    ) {
        for (number, text) in texts.iter().enumerate() {
            self.add(record, field(number), text);
        }
    }

    pub fn primitive(&mut self, record: &RecordRef, primitive: &Primitive, rules: &ExecutionRules) {
        for (number, (_, effect)) in primitive.effects.iter().enumerate() {
            self.add(record, Field::Effect(number), effect);
        }
        if let Some(action) = &rules.action {
            self.add(record, Field::Action, action);
        }
        if let Some(cost) = &primitive.cost {
            self.add(record, Field::Cost, cost);
        }
        self.list(record, Field::Precondition, &primitive.preconditions);
        self.list(record, Field::Integrity, &rules.integrity);
        self.list(record, Field::Completion, &rules.completion);
    }
}
