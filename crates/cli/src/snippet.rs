//! Diagnostics as compilers show them: what, where, and the line with a mark under it.

use std::fmt::Write;

use taskloom_core::diagnostic::{Severity, Span};

/// A text and where its lines start.
#[derive(Debug)]
pub struct Source {
    /// What the user called it.
    pub name: String,
    pub text: String,
    lines: Vec<usize>,
}

impl Source {
    pub fn new(name: &str, text: String) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            name: name.to_owned(),
            lines: std::iter::once(0).chain(after_breaks).collect(),
            text,
        }
    }

    /// The byte at a line and column, both from 1.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.lines.get(line.saturating_sub(1)).copied();
        let start = start.unwrap_or(self.text.len());
        (start + column.saturating_sub(1)).min(self.text.len())
    }

    /// A diagnostic with its line.
    pub fn show(&self, severity: Severity, message: &str, span: Span) -> String {
        self.show_about(severity, message, span, "")
    }

    /// A diagnostic with its line, and what stands there.
    pub fn show_about(&self, severity: Severity, message: &str, span: Span, about: &str) -> String {
        let mut start = span.range().start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let line = self.lines.partition_point(|first| *first <= start);
        let first = self.lines.get(line.saturating_sub(1)).copied();
        let first = first.unwrap_or_default();
        let text = self.text.get(first..).unwrap_or_default();
        let text = text.lines().next().unwrap_or_default();
        let before = self.text.get(first..start).unwrap_or_default();
        let marked = self.text.get(start..span.range().end).unwrap_or_default();
        let column = before.chars().count() + 1;
        let place = format!("{}:{line}:{column}: {about}", self.name);
        let place = place.trim_end_matches([':', ' ']);
        let number = line.to_string();
        framed(severity, message, place, &number, text, before, marked)
    }
}

/// A diagnostic about a text within a document, of which `place` tells.
pub fn show_text(
    severity: Severity,
    message: &str,
    place: &str,
    text: &str,
    span: Option<Span>,
) -> String {
    let range = span.map_or(0..text.len(), Span::range);
    let start = text.get(..range.start).map_or(0, str::len);
    let line_start = text
        .get(..start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1);
    let line = text.get(line_start..).unwrap_or_default();
    let line = line.lines().next().unwrap_or_default();
    let before = text.get(line_start..start).unwrap_or_default();
    let marked = text.get(start..range.end).unwrap_or_default();
    let place = format!("{place}, column {}", before.chars().count() + 1);
    framed(severity, message, &place, "", line, before, marked)
}

/// A diagnostic without a line to show.
pub fn show_message(severity: Severity, message: &str, place: &str) -> String {
    format!("{}: {message}\n  --> {place}\n", label(severity))
}

fn label(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn framed(
    severity: Severity,
    message: &str,
    place: &str,
    number: &str,
    line: &str,
    before: &str,
    marked: &str,
) -> String {
    let margin = " ".repeat(number.len());
    // Tabs stay, so that the mark stands under its text.
    let indent: String = before
        .chars()
        .map(|c| if c == '\t' { c } else { ' ' })
        .collect();
    let marked = marked.lines().next().unwrap_or_default().chars().count();
    let mark = "^".repeat(marked.max(1));
    let mut out = format!("{}: {message}\n", label(severity));
    let _ = writeln!(out, "{margin} --> {place}");
    let _ = writeln!(out, "{margin} |");
    let _ = writeln!(out, "{number} | {line}");
    let _ = writeln!(out, "{margin} | {indent}{mark}");
    out
}
