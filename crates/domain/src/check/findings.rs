//! The diagnostics of the record being checked.

use crate::Domain;
use crate::lang::Near;
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Field, RecordRef};

use super::shared::Shared;

/// The record being checked, and its diagnostics so far.
pub(super) struct Findings<'a> {
    /// The domain that the record belongs to.
    pub domain: &'a Domain,
    /// The domain's document.
    pub document: &'a Document,
    /// The record.
    pub record: &'a RecordRef,
    /// Results shared by the checks of all records.
    pub shared: &'a Shared,
    /// The index of similar names, for suggestions.
    pub near: &'a Near,
    found: Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    pub fn new(
        domain: &'a Domain,
        near: &'a Near,
        record: &'a RecordRef,
        shared: &'a Shared,
    ) -> Self {
        Self {
            domain,
            document: domain.document(),
            record,
            shared,
            near,
            found: vec![],
        }
    }

    /// Reports an error: a part of the record has no meaning.
    pub fn error(&mut self, code: &'static str, field: Field, message: String) -> &mut Diagnostic {
        self.report(Severity::Error, code, field, message)
    }

    /// Reports a warning: a part of the record probably doesn't mean what was intended.
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

    /// Returns the diagnostics, sorted by place.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.compact_sort_by(|a, b| {
            (&a.place, a.severity, a.code, &a.message)
                .cmp(&(&b.place, b.severity, b.code, &b.message))
        });
        self.found
    }
}
