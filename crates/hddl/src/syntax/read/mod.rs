//! Reads HDDL and PDDL domains and problems, and reports every error with its location.
//!
//! [`tokens`] matches the parentheses, so that an error in one list affects no other; the rest
//! reads list by list, drops unreadable parts, reports them and continues. Case is ignored: names
//! become lower case.

use std::borrow::Cow;

use super::ast::{Domain, Problem};
use taskloom_document::conflict;
use taskloom_document::diagnostic::Span;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::{Stop, Stopped};

mod cursor;
mod effect;
mod formula;
mod network;
mod sections;
mod tokens;

use cursor::{Item, Words};
pub use formula::decimal;

/// An error in a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The part.
    pub span: Span,
    /// The expected and the actual text, in a sentence.
    pub message: String,
}

/// The contents of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Read {
    /// Its domain, if it has one.
    pub domain: Option<Domain>,
    /// Its problem, if it has one.
    pub problem: Option<Problem>,
    /// The errors, in text order. The parts with errors are omitted.
    pub errors: Vec<SyntaxError>,
}

/// A position in a text as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The first line is 1.
    pub line: usize,
    /// The first character of a line is 1.
    pub column: usize,
}

/// Returns a text without the byte order mark that some editors add.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns a text with the line ends of old systems, a carriage return alone, as line feeds. Every
/// byte stays in its place.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let is_lone = |at: usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    let mut returns = text.match_indices('\r').map(|(at, _)| at);
    if !returns.any(is_lone) {
        return text.into();
    }
    let mut chars = text.chars().peekable();
    let mut feeds = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        feeds.push(match c {
            '\r' if chars.peek() != Some(&'\n') => '\n',
            other => other,
        });
    }
    feeds.into()
}

/// Returns the line and column of a byte of a text; past the end, those of the end.
pub fn position(text: &str, offset: usize) -> Position {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // A carriage return is alone, or with the line feed after it.
    let before = match text.get(end..).is_some_and(|rest| rest.starts_with('\n')) {
        true => Cow::Borrowed(text.get(..end).unwrap_or_default()),
        false => with_line_feeds(text.get(..end).unwrap_or_default()),
    };
    let before = without_mark(&before);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.bytes().filter(|b| *b == b'\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
    }
}

/// Reads a file with a domain, a problem or both.
pub fn read(text: &str) -> Read {
    read_all(text, &Stop::default())
}

/// Like [`read`], but can be stopped.
///
/// # Errors
/// If it was stopped.
pub fn read_cancellable(text: &str, stop: &Stop) -> Result<Read, Stopped> {
    stop.unless_cancelled(read_all(text, stop))
}

/// Returns a meaningless result if stopped.
fn read_all(text: &str, stop: &Stop) -> Read {
    let mut errors = vec![];
    let tokens = tokens::tokens(text, &mut errors, stop);
    let mut words = Words::new(text, tokens, errors, stop.clone());
    let mut read = Read::default();
    let mut file = words.all();
    if file.is_empty() {
        words.error(
            Span::default(),
            "expected '(define (domain ...' or '(define (problem ...', found nothing",
        );
    }
    while let Some(item) = words.next(&mut file) {
        match item {
            Item::Word(span) => {
                let found = words.shown(span);
                words.error(span, format!("expected '(define ...', found {found}"));
            }
            Item::List(list) => words.definition(list, &mut read),
        }
    }
    read.errors = words.errors;
    if !read.errors.is_empty()
        && let Some((span, message)) = conflict(text)
    {
        // All other errors may be parts of the conflict.
        read.errors = vec![SyntaxError { span, message }];
    }
    read.errors.compact_sort_by_key(|error| error.span.start);
    read
}
