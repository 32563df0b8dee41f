//! What is wrong with a document: where, why, and what would mend it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Edit, Field, RecordRef};

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

/// Where the lines of a text start and its letters are, so that a place in it is found without counting from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The first byte of each line.
    starts: Vec<usize>,
    /// How many letters come before each [`STRIDE`]th byte.
    letters: Vec<usize>,
}

/// From so many bytes on, letters are counted by parts.
const STRIDE: usize = 1024;

impl Lines {
    /// The lines of a text: O(its length).
    pub fn of(text: &str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut letters = vec![0];
        for part in text.as_bytes().chunks(STRIDE) {
            letters.push(letters.last().unwrap_or(&0) + letters_in(part));
        }
        Self {
            starts: std::iter::once(0).chain(after_breaks).collect(),
            letters,
        }
    }

    /// The first byte of a line, from 1; that of the last one where there are fewer.
    pub fn start(&self, line: usize) -> usize {
        let at = line.clamp(1, self.starts.len());
        self.starts.get(at - 1).copied().unwrap_or_default()
    }

    /// The line and the column of a byte of this text, both from 1, in letters; of its end where it is shorter.
    pub fn position(&self, text: &str, at: usize) -> (usize, usize) {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start <= at);
        let before = |at| {
            let part = at / STRIDE;
            let rest = text.as_bytes().get(part * STRIDE..at).unwrap_or_default();
            self.letters.get(part).copied().unwrap_or_default() + letters_in(rest)
        };
        (line, before(at) - before(self.start(line)) + 1)
    }
}

/// How many characters start in a part of a text in UTF-8.
fn letters_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| **b & 0xc0 != 0x80).count()
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

impl Diagnostic {
    /// Narrows the place to a part of its text.
    pub fn at(&mut self, span: Span) -> &mut Self {
        self.place.span = Some(span);
        self
    }

    /// Adds a change that mends it, less likely than those before.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_those_that_counting_gives() {
        let short = "eins\n\nzwei drei vier\r\n€ und ü\n";
        let long = format!(
            "{short}{}\n{}",
            "aé𝄞".repeat(3 * STRIDE),
            "x\n".repeat(2 * STRIDE)
        );
        for text in ["", "\n", short, &long] {
            let lines = Lines::of(text);
            let (mut line, mut column) = (1, 1);
            for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
                assert_eq!(lines.position(text, at), (line, column), "byte {at}");
                assert!(text[lines.start(line)..at].chars().count() == column - 1);
                (line, column) = if c == '\n' {
                    (line + 1, 1)
                } else {
                    (line, column + 1)
                };
            }
            assert_eq!(
                lines.position(text, usize::MAX),
                lines.position(text, text.len())
            );
        }
    }
}
