//! What the checks of one record have found so far.

use crate::diagnostic::{Diagnostic, Fix, Place, Severity, Span};
use crate::document::{Document, Edit, Field, RecordRef};

/// The record being checked, and what was found.
pub(super) struct Findings<'a> {
    /// The document that the record is part of.
    pub document: &'a Document,
    /// The record.
    pub record: &'a RecordRef,
    found: Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    pub fn new(document: &'a Document, record: &'a RecordRef) -> Self {
        Self {
            document,
            record,
            found: vec![],
        }
    }

    /// Reports that a part of the record means nothing.
    pub fn error(&mut self, code: &'static str, field: Field, message: String) -> &mut Diagnostic {
        self.report(Severity::Error, code, field, message)
    }

    /// Reports that a part of the record hardly means what was intended.
    pub fn warning(
        &mut self,
        code: &'static str,
        field: Field,
        message: String,
    ) -> &mut Diagnostic {
        self.report(Severity::Warning, code, field, message)
    }

    pub fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        field: Field,
        message: String,
    ) -> &mut Diagnostic {
        let at = self.found.len();
        self.found.push(Diagnostic {
            severity,
            code,
            place: Place {
                record: self.record.clone(),
                field,
                span: None,
            },
            message,
            fixes: vec![],
        });
        &mut self.found[at]
    }

    /// What was found, by place.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        crate::order::sort_by(&mut self.found, |a, b| {
            (&a.place, a.severity, a.code, &a.message)
                .cmp(&(&b.place, b.severity, b.code, &b.message))
        });
        self.found
    }
}

impl Diagnostic {
    /// Narrows the place to a part of its text.
    pub(super) fn at(&mut self, span: Span) -> &mut Self {
        self.place.span = Some(span);
        self
    }

    /// Adds a change that mends it, less likely than those before.
    pub(super) fn fix(&mut self, label: impl Into<String>, edit: Edit) -> &mut Self {
        self.fixes.push(Fix {
            label: label.into(),
            edit,
        });
        self
    }
}
