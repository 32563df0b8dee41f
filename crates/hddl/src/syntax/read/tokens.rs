//! Splits text into words and matching parentheses.
//!
//! A missing or extra parenthesis is repaired where a section begins: sections occur directly in
//! `(define ...)` and nowhere else, so one mistake causes one error and costs one section.

use super::SyntaxError;
use taskloom_document::diagnostic::Span;
use taskloom_document::stop::Stop;

/// The maximum nesting depth of lists.
const MAX_DEPTH: usize = 120;

/// The beginning of a comment of several lines.
const BLOCK: &[u8] = b"#|";

/// The sections of a domain or problem.
const SECTIONS: &[&str] = &[
    ":action",
    ":constants",
    ":derived",
    ":domain",
    ":durative-action",
    ":functions",
    ":goal",
    ":htn",
    ":init",
    ":method",
    ":metric",
    ":objects",
    ":predicates",
    ":requirements",
    ":task",
    ":types",
];

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`; the index of its `)` among the tokens.
    Open(u32),
    /// `)`
    Close,
    /// Anything else.
    Word,
}

/// A word or parenthesis of a text.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its span.
    pub span: Span,
}

/// Returns the tokens of a text. Every [`TokenKind::Open`] has its [`TokenKind::Close`] after it,
/// properly nested, whatever the text. If stopped, they are those of a part of the text.
pub fn tokens(text: &str, errors: &mut Vec<SyntaxError>, stop: &Stop) -> Vec<Token> {
    let mut reader = Reader {
        text,
        tokens: Vec::with_capacity(text.len() / 5),
        open: vec![],
        errors,
        skipping: 0,
    };
    let bytes = text.as_bytes();
    let mut at = text.len() - super::without_mark(text).len();
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = match byte {
            b'(' => {
                reader.open(Span::new(at, at + 1), rest);
                1
            }
            b')' => {
                reader.close(Span::new(at, at + 1), rest);
                1
            }
            b';' => length(rest, |b| matches!(b, b'\n' | b'\r')),
            b'#' if rest.starts_with(BLOCK) => {
                let length = block_comment(rest);
                if length.is_none() {
                    let message = "expected '|#' for this '#|' before the end of the file";
                    reader.error(Span::new(at, at + BLOCK.len()), message.to_owned());
                }
                length.unwrap_or(rest.len())
            }
            b if b.is_ascii_whitespace() => 1,
            _ => {
                // A question mark begins a variable, even without a space before it.
                let ends =
                    |b: u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b';' | b'?');
                let mut length = 1 + length(rest.get(1..).unwrap_or_default(), ends);
                let word = rest.get(..length).unwrap_or_default();
                if word.contains(&b'#') {
                    let mut marks = word.windows(BLOCK.len());
                    length = marks.position(|w| w == BLOCK).unwrap_or(length);
                }
                reader.word(Span::new(at, at + length));
                length
            }
        };
        at += length.max(1);
        if stop.after(1) {
            break;
        }
    }
    reader.end(text.len());
    reader.tokens
}

/// Returns the number of bytes before one that ends them.
fn length(bytes: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    let end = bytes.iter().position(|b| ends(*b));
    end.unwrap_or(bytes.len())
}

/// Returns the number of bytes of the comment `#| ... |#` that a text begins with, and which may
/// contain others, as in Lisp; `None` if it doesn't end.
fn block_comment(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    loop {
        match bytes.get(at..at + 2)? {
            b"#|" => depth += 1,
            b"|#" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The indices of the open parentheses.
    open: Vec<usize>,
    errors: &'a mut Vec<SyntaxError>,
    /// The number of lists nested beyond the limit.
    skipping: usize,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: String) {
        self.errors.push(SyntaxError { span, message });
    }

    /// Reports a `)` without a `(`. Adjacent ones are one error: a damaged file may have millions.
    fn unmatched(&mut self, span: Span) {
        const MESSAGE: &str = "unmatched ')'";
        let text = self.text;
        let is_blank = |from: u32, to: u32| {
            let between = text.get(from as usize..to as usize);
            between.is_some_and(|between| between.trim().is_empty())
        };
        match self.errors.last_mut() {
            Some(last) if last.message == MESSAGE && is_blank(last.span.end, span.start) => {
                last.span.end = span.end;
            }
            _ => self.error(span, MESSAGE.to_owned()),
        }
    }

    /// Returns the section that begins at the parenthesis at the start.
    fn section(rest: &[u8]) -> Option<&'static str> {
        let mut word = rest.get(1..)?;
        while let [first, more @ ..] = word
            && first.is_ascii_whitespace()
        {
            word = more;
        }
        if word.first() != Some(&b':') {
            return None;
        }
        let ends = |b: u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b';');
        let word = word.get(..length(word, ends))?;
        let is = |section: &&&str| section.as_bytes().eq_ignore_ascii_case(word);
        SECTIONS.iter().find(is).copied()
    }

    fn open(&mut self, span: Span, rest: &[u8]) {
        if let Some(section) = Self::section(rest) {
            self.skipping = 0;
            if self.open.len() > 1 {
                let last = self.open.last().copied().unwrap_or_default();
                let unclosed = self.tokens.get(last).map(|t| t.span).unwrap_or_default();
                let message =
                    format!("expected ')' for this '(' before the section '{section}' begins");
                self.error(unclosed, message);
                while self.open.len() > 1 {
                    self.closed(Span::new(span.start as usize, span.start as usize));
                }
            }
        }
        if self.skipping > 0 || self.open.len() >= MAX_DEPTH {
            if self.skipping == 0 {
                let message = format!("lists are nested more than {MAX_DEPTH} deep here");
                self.error(span, message);
            }
            self.skipping += 1;
            return;
        }
        self.open.push(self.tokens.len());
        self.tokens.push(Token {
            kind: TokenKind::Open(0),
            span,
        });
    }

    fn close(&mut self, span: Span, rest: &[u8]) {
        if self.skipping > 0 {
            self.skipping -= 1;
            return;
        }
        if self.open.is_empty() {
            self.unmatched(span);
            return;
        }
        // If a section follows, a parenthesis that would end the definition is one too many.
        if self.open.len() == 1 {
            let blanks = length(rest.get(1..).unwrap_or_default(), |b| {
                !b.is_ascii_whitespace()
            });
            let next = rest.get(1 + blanks..).unwrap_or_default();
            if next.first() == Some(&b'(') && Self::section(next).is_some() {
                self.unmatched(span);
                return;
            }
        }
        self.closed(span);
    }

    fn closed(&mut self, span: Span) {
        let close = self.tokens.len() as u32;
        if let Some(open) = self.open.pop()
            && let Some(token) = self.tokens.get_mut(open)
        {
            token.kind = TokenKind::Open(close);
            self.tokens.push(Token {
                kind: TokenKind::Close,
                span,
            });
        }
    }

    fn word(&mut self, span: Span) {
        if self.skipping == 0 {
            self.tokens.push(Token {
                kind: TokenKind::Word,
                span,
            });
        }
    }

    fn end(&mut self, end: usize) {
        if let Some(open) = self.open.last() {
            let span = self.tokens.get(*open).map(|t| t.span).unwrap_or_default();
            let line = self.text.get(span.range()).unwrap_or_default();
            let message = format!("expected ')' for this '{line}' before the end of the file");
            self.error(span, message);
        }
        while !self.open.is_empty() {
            self.closed(Span::new(end, end));
        }
    }
}
