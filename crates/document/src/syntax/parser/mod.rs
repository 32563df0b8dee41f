//! The parser: precedence climbing with error recovery, so that a half-written text gives a tree
//! and all its errors at once.

use crate::Name;
use crate::span::Span;

use super::ast::{
    Assignment, Change, Comparison, EffectExpr, Expr, Initial, Parsed, Reference, SyntaxError,
};
use super::lexer::{Token, TokenKind, lex};

mod expr;

#[cfg(test)]
mod tests;

/// The number of errors after which parsing stops.
const MAX_ERRORS: usize = 20;

/// Parses a formula, a number or a term.
pub fn parse_expr(text: &str) -> Parsed<Expr> {
    let mut parser = Parser::new(text);
    let mut deep = parser.binding(0, "a formula or a number");
    while parser.skip_rest("'and', 'or' or the end", expr::starts_operand) {
        // Parses what follows as if an 'and' had been forgotten.
        deep = parser.and(deep);
    }
    parser.finish(deep.expr)
}

/// Parses an effect, or a change made by an event.
pub fn parse_effect(text: &str) -> Parsed<EffectExpr> {
    let mut parser = Parser::new(text);
    let forall = match parser.peek() {
        TokenKind::Forall => {
            parser.bump();
            parser.binders("a formula")
        }
        _ => vec![],
    };
    let change = parser.change();
    let is_when = |kind| kind == TokenKind::When;
    let mut when = None;
    if is_when(parser.peek()) || parser.skip_rest("'when' or the end", is_when) {
        parser.bump();
        when = Some(parser.expr("a formula"));
    }
    parser.skip_rest("'and', 'or' or the end", |_| false);
    let effect = EffectExpr {
        forall,
        change,
        when,
        span: parser.whole(),
    };
    parser.finish(effect)
}

/// Parses a call of a task or an action; `None` if there is no name.
pub fn parse_call(text: &str) -> Parsed<Option<Reference>> {
    let mut parser = Parser::new(text);
    let call = parser.reference("a name");
    parser.skip_rest("the end", |_| false);
    parser.finish(call)
}

/// Parses an initial value of a scenario.
pub fn parse_initial(text: &str) -> Parsed<Initial> {
    let mut parser = Parser::new(text);
    let negated = parser.eat(TokenKind::Not);
    let reference = parser.reference("a fact");
    let assigns = match parser.peek() {
        TokenKind::Assign => true,
        kind => kind == TokenKind::Compare(Comparison::Equal),
    };
    let initial = match reference {
        Some(fact) if assigns && !negated => {
            parser.bump();
            Initial::Value(fact, parser.expr("a number or an object"))
        }
        Some(fact) if negated => Initial::False(fact),
        Some(fact) => Initial::True(fact),
        None => Initial::Missing,
    };
    let expected = match initial {
        Initial::True(_) => "'=' or the end",
        _ => "the end",
    };
    parser.skip_rest(expected, |_| false);
    parser.finish(initial)
}

/// A cursor over the tokens of a text, with the errors so far.
struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// The number of expressions that enclose the cursor.
    depth: usize,
    errors: Vec<SyntaxError>,
    /// If `true`, the rest of the text is skipped, without further errors.
    stopped: bool,
    empty: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let tokens = lex(text);
        let mut parser = Self {
            text,
            empty: tokens.is_empty(),
            tokens,
            at: 0,
            depth: 0,
            errors: vec![],
            stopped: false,
        };
        if parser.empty {
            parser.error(Span::new(0, text.len()), "the text is empty".into());
        }
        parser
    }

    fn finish<T>(self, value: T) -> Parsed<T> {
        Parsed {
            value,
            errors: self.errors,
            empty: self.empty,
        }
    }

    /// Returns the token at the cursor; at the end, an empty one after the last.
    fn token(&self) -> Token {
        self.tokens.get(self.at).copied().unwrap_or_else(|| {
            let end = self.tokens.last().map_or(0, |t| t.span.end);
            Token {
                kind: TokenKind::End,
                span: Span { start: end, end },
            }
        })
    }

    fn peek(&self) -> TokenKind {
        self.token().kind
    }

    /// Returns the span of the token before the cursor; an empty one at the beginning.
    fn previous(&self) -> Span {
        let token = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        token.map_or_else(Span::default, |t| t.span)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        self.at += 1;
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns the span of the text without surrounding whitespace.
    fn whole(&self) -> Span {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    /// Reports an error. Of several errors at the same span only the first is kept, since it says
    /// the most; a blank text has a single error.
    fn error(&mut self, span: Span, message: String) {
        let blank = self.empty && !self.errors.is_empty();
        let repeated = self.errors.last().is_some_and(|e| e.span == span);
        if blank || repeated || self.stopped {
            return;
        }
        self.errors.push(SyntaxError { span, message });
        if self.errors.len() >= MAX_ERRORS {
            self.stop();
        }
    }

    /// Skips to the end of the text, and reports no more errors.
    fn stop(&mut self) {
        self.stopped = true;
        self.at = self.tokens.len();
    }

    /// Reports that something else was expected at the cursor.
    fn expected(&mut self, what: &str) {
        let token = self.token();
        let before = match self.at {
            0 => String::new(),
            _ => format!(" after '{}'", self.slice(self.previous())),
        };
        let found = match token.kind {
            TokenKind::End => "the end".to_owned(),
            _ => format!("'{}'", self.slice(token.span)),
        };
        let message = format!("expected {what}{before}, found {found}");
        self.error(token.span, message);
    }

    /// Expects the end of the text: otherwise reports an error and skips to a token that `fits`.
    /// Returns `true` if there is one.
    fn skip_rest(&mut self, expected: &str, fits: impl Fn(TokenKind) -> bool) -> bool {
        let token = self.token();
        match token.kind {
            TokenKind::End => return false,
            TokenKind::Close => self.error(token.span, "unmatched ')'".into()),
            TokenKind::When => self.error(
                token.span,
                "'when' belongs in an effect, once, after the change".into(),
            ),
            _ => self.expected(expected),
        }
        while self.peek() != TokenKind::End && !fits(self.peek()) {
            self.bump();
        }
        self.peek() != TokenKind::End
    }

    /// Parses a name.
    fn name(&mut self) -> Option<(Name, Span)> {
        let token = self.token();
        let name = match token.kind {
            TokenKind::Name => Name::new(self.slice(token.span)).ok()?,
            _ => return None,
        };
        self.bump();
        Some((name, token.span))
    }

    /// Parses `name` or `name(a, b)`.
    fn reference(&mut self, what: &str) -> Option<Reference> {
        let Some((name, name_span)) = self.name() else {
            self.expected(what);
            return None;
        };
        let args = match self.peek() {
            TokenKind::Open => self.args(),
            _ => vec![],
        };
        Some(Reference {
            name,
            name_span,
            args,
            span: name_span.to(self.previous()),
        })
    }

    fn change(&mut self) -> Change {
        if self.eat(TokenKind::Not) {
            let fact = self.reference("a fact");
            return fact.map_or(Change::Missing, Change::Unset);
        }
        let Some(fact) = self.reference("a fact") else {
            return Change::Missing;
        };
        let assignment = match self.peek() {
            TokenKind::Assign | TokenKind::Compare(Comparison::Equal) => Assignment::Assign,
            TokenKind::Increase => Assignment::Increase,
            TokenKind::Decrease => Assignment::Decrease,
            TokenKind::And => {
                let span = self.token().span;
                let message = "an effect makes one change: write the next one as a separate effect";
                self.error(span, message.into());
                return Change::Set(fact);
            }
            TokenKind::End | TokenKind::When => return Change::Set(fact),
            _ => {
                self.expected("':=', '+=', '-=', 'when' or the end");
                return Change::Set(fact);
            }
        };
        self.bump();
        let value = self.expr(match assignment {
            Assignment::Assign => "a number or an object",
            _ => "a number",
        });
        Change::Assign(assignment, fact, value)
    }
}
