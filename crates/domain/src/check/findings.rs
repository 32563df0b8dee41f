//! What the checks of one record have found so far.

use crate::Domain;
use crate::lang::Near;
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::{Document, Field, RecordRef};

use super::shared::Shared;

/// The record being checked, and what was found.
pub(super) struct Findings<'a> {
    /// The domain that the record is part of,
    pub domain: &'a Domain<'a>,
    /// and its document.
    pub document: &'a Document,
    /// The record.
    pub record: &'a RecordRef,
    /// What the checks of all records share.
    pub shared: &'a Shared,
    /// Looks for names that may have been meant.
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
        self.found.sort_by(|a, b| {
            (&a.place, a.severity, a.code, &a.message)
                .cmp(&(&b.place, b.severity, b.code, &b.message))
        });
        self.found
    }
}
