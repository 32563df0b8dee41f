//! Walks through the words and lists of a file, and reports unexpected ones.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::SyntaxError;
use super::tokens::{Token, TokenKind};
use crate::syntax::ast::{Ident, Typed};
use taskloom_document::diagnostic::Span;
use taskloom_document::stop::Stop;

/// The maximum number of errors reported.
const MAX_ERRORS: usize = 500;

/// The unread part of a list.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    at: usize,
    end: usize,
    /// The list's span, including its parentheses.
    pub span: Span,
}

impl Cursor {
    /// Returns `true` if nothing is left.
    pub fn is_empty(&self) -> bool {
        self.at >= self.end
    }
}

/// A word or a list.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    /// Its span.
    Word(Span),
    /// Its contents.
    List(Cursor),
}

impl Item {
    /// Returns its span.
    pub fn span(&self) -> Span {
        match self {
            Self::Word(span) => *span,
            Self::List(list) => list.span,
        }
    }
}

/// Returns the span of a word without its leading dash.
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
    /// The errors so far.
    pub errors: Vec<SyntaxError>,
}

impl<'a> Words<'a> {
    /// Creates a reader of these tokens of a text.
    pub fn new(text: &'a str, tokens: Vec<Token>, errors: Vec<SyntaxError>, stop: Stop) -> Self {
        Self {
            text,
            tokens,
            stop,
            known: FxHashMap::default(),
            errors,
        }
    }

    /// Returns a cursor over the whole file.
    pub fn all(&self) -> Cursor {
        Cursor {
            at: 0,
            end: self.tokens.len(),
            span: Span::new(self.text.len(), self.text.len()),
        }
    }

    /// Adds an error.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            let message = message.into();
            self.errors.push(SyntaxError { span, message });
        }
    }

    /// Returns the text of a span, for messages.
    pub fn shown(&self, span: Span) -> String {
        let text = self.text.get(span.range()).unwrap_or_default();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(40) {
            Some((end, _)) => format!("'{}...'", line.get(..end).unwrap_or_default()),
            None if line.is_empty() => "the end of the file".to_owned(),
            None => format!("'{line}'"),
        }
    }

    /// Returns the word at a span, verbatim.
    pub fn text(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Reads the next word or list. If stopped, every list appears to have ended.
    pub fn next(&self, list: &mut Cursor) -> Option<Item> {
        let item = self.peek(list);
        list.at = match item {
            Some(Item::Word(_)) => list.at + 1,
            Some(Item::List(inner)) => inner.end + 1,
            None => list.end,
        };
        item
    }

    /// Returns the next word or list without consuming it.
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

    /// Returns `true` if the next item is this word, ignoring case.
    pub fn is_next(&self, list: &Cursor, word: &str) -> bool {
        matches!(self.peek(list), Some(Item::Word(span)) if self.is(span, word))
    }

    /// Returns `true` if a word is this one, ignoring case.
    pub fn is(&self, span: Span, word: &str) -> bool {
        self.text(span).eq_ignore_ascii_case(word)
    }

    /// Reads the next item if it is a word.
    pub fn next_word(&self, list: &mut Cursor) -> Option<Span> {
        match self.peek(list)? {
            Item::Word(span) => {
                list.at += 1;
                Some(span)
            }
            Item::List(_) => None,
        }
    }

    /// Reports an unsupported part of the language if a word begins one, and returns `true`.
    pub fn is_unsupported(&mut self, span: Span, list: &Cursor) -> bool {
        // When one of these is a predicate's name, its arguments are words.
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

    /// Reports that the next item isn't the expected one.
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

    /// Reports an error if a list hasn't ended.
    pub fn expect_end(&mut self, list: &Cursor, of: &str) {
        if !list.is_empty() {
            self.expected(list, &format!("the end of {of}"));
        }
    }

    /// Reads the next item as a name.
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

    /// Reads the next item as a list.
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

    /// Returns a word as a name: in lower case, without a variable's question mark.
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

    /// Reads a typed list: `?a ?b - place ?c`. `variables` is `true` if its names are variables.
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
            // Names begin with letters: a word that begins with a dash is the dash and a type.
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

    /// Reads the type after a `-`, with or without a space; none if it is omitted.
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

    /// Reads the type after the `-`: a type, or `(either a b)`.
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
