//! Reads HDDL and PDDL: domains and problems, with every mistake at its place.
//!
//! [`tokens`] matches the parentheses, so that what is wrong in one list spoils
//! no other; the rest reads list by list, drops what it cannot read, says why and
//! goes on. Case does not count: names come out in small letters.

use super::ast::{Domain, Problem};
use taskloom_document::diagnostic::Span;
use taskloom_document::stop::{Stop, Stopped};

mod cursor;
mod effect;
mod formula;
mod network;
mod sections;
mod tokens;

use cursor::{Item, Words};

/// Why a part of a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The part.
    pub span: Span,
    /// What was expected and what stands there, in a sentence.
    pub message: String,
}

/// What a file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Read {
    /// Its domain, where it has one.
    pub domain: Option<Domain>,
    /// Its problem, where it has one.
    pub problem: Option<Problem>,
    /// What was wrong, in the order of the text. Those parts are left out.
    pub errors: Vec<SyntaxError>,
}

/// A place in a text as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The first line is 1.
    pub line: usize,
    /// The first character of a line is 1.
    pub column: usize,
}

/// A text without the byte order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The line and column of a byte of a text; of its end where it is shorter.
pub fn position(text: &str, offset: usize) -> Position {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = without_mark(text.get(..end).unwrap_or_default());
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.bytes().filter(|b| *b == b'\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
    }
}

/// Reads a file that holds a domain, a problem or one of each.
pub fn read(text: &str) -> Read {
    read_all(text, &Stop::default())
}

/// The same, unless it is stopped.
///
/// # Errors
/// Where the stop was heard.
pub fn read_until(text: &str, stop: &Stop) -> Result<Read, Stopped> {
    stop.unless_heard(read_all(text, stop))
}

/// What it gives means nothing where the stop was heard.
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
    read.errors.sort_by_key(|error| error.span.start);
    read
}
