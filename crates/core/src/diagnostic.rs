//! What is wrong with a document: where, why, and what would mend it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::document::{Edit, Field, RecordRef};

/// A range of bytes in one text of the document.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize,
)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The least range that holds both.
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// As a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How grave it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Part of the document means nothing until it is mended.
    Error,
    /// It means something, but hardly what was intended.
    Warning,
}

/// Where in the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The record.
    pub record: RecordRef,
    /// The place in it.
    pub field: Field,
    /// The part of that place's text, where the place is a text.
    pub span: Option<Span>,
}

/// A change that mends it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// What the designer reads on the button: `Change to 'box_open'`.
    pub label: String,
    /// The change.
    pub edit: Edit,
}

/// One finding about a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable word for the kind of finding: `unknown-name`.
    pub code: &'static str,
    /// Where it is.
    pub place: Place,
    /// What is wrong and why, in a sentence for the designer.
    pub message: String,
    /// Changes that mend it, the likeliest first.
    pub fixes: Vec<Fix>,
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
