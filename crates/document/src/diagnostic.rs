//! Diagnostics: what is wrong in a document, where, why, and how to fix it.

use std::fmt;

use crate::edit::Edit;
use crate::record::{Field, RecordRef};

pub use crate::span::{Lines, Span};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Part of the document has no meaning until this is fixed.
    Error,
    /// The document has a meaning, but probably not the intended one.
    Warning,
}

/// A location in the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The record.
    pub record: RecordRef,
    /// The field of the record.
    pub field: Field,
    /// The span in that field's text, if the field is a text.
    pub span: Option<Span>,
}

/// A change that resolves a diagnostic.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// The label of the button: `Change to 'box_open'`.
    pub label: String,
    /// The change.
    pub edit: Edit,
}

/// A diagnostic of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// A stable identifier of the kind of diagnostic: `unknown-name`.
    pub code: &'static str,
    /// The location.
    pub place: Place,
    /// The problem and its reason, in a sentence for the designer.
    pub message: String,
    /// Changes that resolve it, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// Narrows the location to a part of its text.
    pub fn at(&mut self, span: Span) -> &mut Self {
        self.place.span = Some(span);
        self
    }

    /// Adds a fix that is less likely than those before.
    pub fn fix(&mut self, label: impl Into<String>, edit: Edit) -> &mut Self {
        self.fixes.push(Fix {
            label: label.into(),
            edit,
        });
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(
            f,
            "{severity}[{}] {}: {}",
            self.code, self.place.record, self.message
        )
    }
}
