//! Walking through the words and lists of a file, and saying what was expected
//! where something else stands.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::SyntaxError;
use super::tokens::{Token, TokenKind};
use crate::syntax::ast::{Ident, Typed};
use taskloom_document::diagnostic::Span;
use taskloom_document::stop::Stop;

/// So many errors are told.
const MOST_ERRORS: usize = 500;

/// A part of a list that is still to be read.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    at: usize,
    end: usize,
    /// The list that it is in, its parentheses included.
    pub span: Span,
}

impl Cursor {
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.at >= self.end
    }
}

/// A word or a list.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    /// Its place.
    Word(Span),
    /// Its contents.
    List(Cursor),
}

impl Item {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Word(span) => *span,
            Self::List(list) => list.span,
        }
    }
}

/// A word without the dash that it begins with.
fn behind_dash(span: Span) -> Span {
    Span {
        start: span.start + 1,
        end: span.end,
    }
}

/// The words and lists of a text.
pub struct Words<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    known: FxHashMap<Box<str>, Arc<str>>,
    stop: Stop,
    /// What was wrong so far.
    pub errors: Vec<SyntaxError>,
}

impl<'a> Words<'a> {
    /// Walks through these tokens of a text.
    pub fn new(text: &'a str, tokens: Vec<Token>, errors: Vec<SyntaxError>, stop: Stop) -> Self {
        Self {
            text,
            tokens,
            stop,
            known: FxHashMap::default(),
            errors,
        }
    }

    /// All of the file.
    pub fn all(&self) -> Cursor {
        Cursor {
            at: 0,
            end: self.tokens.len(),
            span: Span::new(self.text.len(), self.text.len()),
        }
    }

    /// Notes a mistake.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        if self.errors.len() < MOST_ERRORS {
            let message = message.into();
            self.errors.push(SyntaxError { span, message });
        }
    }

    /// What stands at a place, for messages.
    pub fn shown(&self, span: Span) -> String {
        let text = self.text.get(span.range()).unwrap_or_default();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(40) {
            Some((end, _)) => format!("'{}...'", line.get(..end).unwrap_or_default()),
            None if line.is_empty() => "the end of the file".to_owned(),
            None => format!("'{line}'"),
        }
    }

    /// The word at a place, as it is written.
    pub fn text(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The next word or list. Where the stop was heard, nothing is left of any list.
    pub fn next(&self, list: &mut Cursor) -> Option<Item> {
        let item = self.peek(list);
        list.at = match item {
            Some(Item::Word(_)) => list.at + 1,
            Some(Item::List(inner)) => inner.end + 1,
            None => list.end,
        };
        item
    }

    /// The next word or list, which stays the next one.
    pub fn peek(&self, list: &Cursor) -> Option<Item> {
        if list.is_empty() || self.stop.after(1) {
            return None;
        }
        let token = self.tokens.get(list.at)?;
        Some(match token.kind {
            TokenKind::Word | TokenKind::Close => Item::Word(token.span),
            TokenKind::Open(close) => {
                let end = close as usize;
                let last = self.tokens.get(end).map_or(token.span, |t| t.span);
                Item::List(Cursor {
                    at: list.at + 1,
                    end,
                    span: token.span.to(last),
                })
            }
        })
    }

    /// Whether the next item is this word, in any case.
    pub fn is_next(&self, list: &Cursor, word: &str) -> bool {
        matches!(self.peek(list), Some(Item::Word(span)) if self.is(span, word))
    }

    /// Whether a word is this one, in any case.
    pub fn is(&self, span: Span, word: &str) -> bool {
        self.text(span).eq_ignore_ascii_case(word)
    }

    /// The next item where it is a word.
    pub fn next_word(&self, list: &mut Cursor) -> Option<Span> {
        match self.peek(list)? {
            Item::Word(span) => {
                list.at += 1;
                Some(span)
            }
            Item::List(_) => None,
        }
    }

    /// Says that a part of the language is not read, where a word is one that begins it.
    pub fn is_unsupported(&mut self, span: Span, list: &Cursor) -> bool {
        // As the name of a predicate each of them has words for its arguments.
        let mut arguments = *list;
        let mut has_list = false;
        while let Some(item) = self.next(&mut arguments) {
            has_list |= matches!(item, Item::List(_));
        }
        let what = match self.text(span).to_ascii_lowercase().as_str() {
            "preference" => "preferences are",
            "always" | "sometime" | "within" | "at-most-once" | "sometime-after"
            | "sometime-before" | "always-within" | "hold-during" | "hold-after"
            | "hold-before" | "hold-between" => "trajectory constraints are",
            "at" | "over" => "timed conditions, effects and initial facts are",
            "oneof" | "unknown" | "probabilistic" | "observe" => "uncertain facts and effects are",
            "scale-up" | "scale-down" => "'scale-up' and 'scale-down' are",
            _ => return false,
        };
        if has_list {
            self.error(span, format!("{what} not supported"));
        }
        has_list
    }

    /// Says that something else was expected than what stands next.
    pub fn expected(&mut self, list: &Cursor, what: &str) {
        let (span, found) = match self.peek(list) {
            Some(item) => (item.span(), self.shown(item.span())),
            None => {
                let end = list.span.end;
                let close = Span {
                    start: end.saturating_sub(1).max(list.span.start),
                    end,
                };
                (close, self.shown(close))
            }
        };
        self.error(span, format!("expected {what}, found {found}"));
    }

    /// Says that a list should have ended, where it has not.
    pub fn expect_end(&mut self, list: &Cursor, of: &str) {
        if !list.is_empty() {
            self.expected(list, &format!("the end of {of}"));
        }
    }

    /// The next item as a name.
    pub fn name(&mut self, list: &mut Cursor, what: &str) -> Option<Ident> {
        match self.peek(list) {
            Some(Item::Word(span)) if !self.text(span).starts_with(['?', ':']) => {
                list.at += 1;
                Some(self.ident(span))
            }
            _ => {
                self.expected(list, what);
                None
            }
        }
    }

    /// The next item as a list.
    pub fn list(&mut self, list: &mut Cursor, what: &str) -> Option<Cursor> {
        match self.peek(list) {
            Some(Item::List(inner)) => {
                list.at = inner.end + 1;
                Some(inner)
            }
            _ => {
                self.expected(list, what);
                None
            }
        }
    }

    /// A word as a name: in small letters, without the mark of a variable.
    pub fn ident(&mut self, span: Span) -> Ident {
        let text = self.text(span);
        let text = text.strip_prefix('?').unwrap_or(text);
        let small: std::borrow::Cow<str> = match text.bytes().any(|b| b.is_ascii_uppercase()) {
            true => text.to_ascii_lowercase().into(),
            false => text.into(),
        };
        if let Some(known) = self.known.get(&*small) {
            return Ident::new(known.clone(), span);
        }
        let shared: Arc<str> = small.as_ref().into();
        self.known.insert(small.into(), shared.clone());
        Ident::new(shared, span)
    }

    /// A typed list: `?a ?b - place ?c`. `variables`: whether its names are.
    pub fn typed(&mut self, mut list: Cursor, variables: bool) -> Vec<Typed> {
        let what = match variables {
            true => "a variable such as '?x'",
            false => "a name",
        };
        let mut read: Vec<Typed> = vec![];
        let mut untyped = 0;
        while let Some(item) = self.next(&mut list) {
            let Item::Word(span) = item else {
                let found = self.shown(item.span());
                self.error(item.span(), format!("expected {what}, found {found}"));
                continue;
            };
            let text = self.text(span);
            // Names begin with letters: what begins with a dash is the dash and a type.
            if let Some(joined) = text.strip_prefix('-') {
                if untyped == read.len() {
                    self.error(span, format!("expected {what} before '-'"));
                }
                let of = if joined.is_empty() {
                    self.one_of(&mut list)
                } else {
                    vec![self.ident(behind_dash(span))]
                };
                for typed in read.iter_mut().skip(untyped) {
                    typed.of = of.clone();
                }
                untyped = read.len();
                continue;
            }
            if text.starts_with('?') != variables || text.starts_with(':') || text == "?" {
                self.error(span, format!("expected {what}, found '{text}'"));
                continue;
            }
            read.push(Typed {
                name: self.ident(span),
                of: vec![],
            });
        }
        read
    }

    /// What stands behind a `-`, with or without a blank, or where it is left out.
    pub fn kind_of(&mut self, list: &mut Cursor) -> Vec<Ident> {
        match self.peek(list) {
            Some(Item::Word(span)) if self.text(span) == "-" => {
                self.next(list);
                self.one_of(list)
            }
            Some(Item::Word(span)) if self.text(span).starts_with('-') => {
                self.next(list);
                vec![self.ident(behind_dash(span))]
            }
            _ => self.one_of(list),
        }
    }

    /// What stands behind the `-`: a type, or `(either a b)`.
    pub fn one_of(&mut self, list: &mut Cursor) -> Vec<Ident> {
        match self.peek(list) {
            Some(Item::List(mut inner)) => {
                list.at = inner.end + 1;
                if !self.is_next(&inner, "either") {
                    self.expected(&inner, "'either'");
                    return vec![];
                }
                self.next(&mut inner);
                let mut types = vec![];
                while !inner.is_empty() {
                    match self.name(&mut inner, "a type") {
                        Some(of) => types.push(of),
                        None => {
                            self.next(&mut inner);
                        }
                    }
                }
                types
            }
            _ => self.name(list, "a type").into_iter().collect(),
        }
    }
}
