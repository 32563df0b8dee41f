//! Variables in texts, found by their tokens, so that this also works in texts that do not parse.

use std::ops::Range;

use super::ast::Aggregate;
use super::lexer::{Token, TokenKind, lex};
use crate::span::Span;
use crate::{Name, Param};

/// A free variable of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeVariable {
    /// Its name.
    pub name: Name,
    /// The bytes of the name, without the question mark.
    pub range: Range<usize>,
    /// The variables of the enclosing quantifiers and aggregates.
    pub within: Vec<Name>,
}

impl FreeVariable {
    /// Returns its span, including the question mark.
    pub fn span(&self) -> Span {
        Span {
            start: self.range.start as u32 - 1,
            end: self.range.end as u32,
        }
    }
}

/// Returns the free variables of a text, in order. A variable of a quantifier is bound up to the
/// end of the enclosing parentheses, one of an aggregate up to the aggregate's end.
pub fn free_variables(text: &str) -> Vec<FreeVariable> {
    let mut found = vec![];
    let mut scopes = Scopes::new(text);
    for token in lex(text) {
        scopes.pass(&token);
        if token.kind != TokenKind::Variable || scopes.is_binding() {
            continue;
        }
        let range = token.span.start as usize + 1..token.span.end as usize;
        let name = text.get(range.clone()).and_then(|t| Name::new(t).ok());
        let Some(name) = name else { continue };
        if scopes.bound().all(|by| by.name != name) {
            found.push(FreeVariable {
                name,
                range,
                within: scopes.bound().map(|by| by.name.clone()).collect(),
            });
        }
    }
    found
}

/// The scope of one quantifier or aggregate.
#[derive(Debug)]
struct Scope {
    /// The number of enclosing open parentheses.
    depth: usize,
    /// None for a quantifier, whose scope extends to the end of the enclosing parentheses.
    aggregate: Option<Aggregate>,
    /// If `true`, the aggregate's `of` has been passed.
    passed_of: bool,
    params: Vec<Param>,
}

/// The variables in scope at the current position of a token stream.
#[derive(Debug)]
pub struct Scopes<'t> {
    text: &'t str,
    open: Vec<Scope>,
    depth: usize,
    /// If `true`, a list of binders may continue.
    binding: bool,
    before: TokenKind,
}

impl<'t> Scopes<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            open: vec![],
            depth: 0,
            binding: false,
            before: TokenKind::End,
        }
    }

    /// Reads the next token of the text.
    pub fn pass(&mut self, token: &Token) {
        if self.has_operand() && token.kind != TokenKind::Open {
            self.end_operand(token.kind == TokenKind::Of);
        }
        self.binding = match token.kind {
            TokenKind::Forall | TokenKind::Exists | TokenKind::Aggregate(_) => true,
            TokenKind::Variable | TokenKind::Colon | TokenKind::Comma => self.binding,
            TokenKind::Name => self.binding && self.before == TokenKind::Colon,
            _ => false,
        };
        let name = || {
            let text = self.text.get(token.span.range())?;
            Name::new(text.trim_start_matches('?')).ok()
        };
        let last = self.open.last_mut().map(|scope| &mut scope.params);
        match token.kind {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => {
                self.depth = self.depth.saturating_sub(1);
                let depth = self.depth;
                self.open.retain(|scope| scope.depth <= depth);
            }
            TokenKind::Forall | TokenKind::Exists => self.begin(None),
            TokenKind::Aggregate(aggregate) => self.begin(Some(aggregate)),
            TokenKind::Variable if self.binding => {
                if let (Some(params), Some(name)) = (last, name()) {
                    let of = Name::root();
                    params.push(Param { name, of });
                }
            }
            TokenKind::Name if self.binding => {
                let param = last.and_then(|params| params.last_mut());
                if let (Some(param), Some(of)) = (param, name()) {
                    param.of = of;
                }
            }
            _ => {}
        }
        self.before = token.kind;
    }

    fn begin(&mut self, aggregate: Option<Aggregate>) {
        self.open.push(Scope {
            depth: self.depth,
            aggregate,
            passed_of: false,
            params: vec![],
        });
    }

    /// Returns `true` if the last token may end an operand.
    fn has_operand(&self) -> bool {
        !self.binding && self.before.ends_operand()
    }

    /// Ends the aggregates whose last part was the operand just read. An `of` belongs to the
    /// innermost aggregate without one.
    fn end_operand(&mut self, of: bool) {
        while let Some(scope) = self.open.last_mut() {
            if scope.depth < self.depth || scope.aggregate.is_none() {
                return;
            }
            if of && !scope.passed_of {
                scope.passed_of = true;
                return;
            }
            self.open.pop();
        }
    }

    /// Returns `true` if the last token is part of a list of binders.
    pub fn is_binding(&self) -> bool {
        self.binding
    }

    /// Iterates over the bound variables, the innermost last.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = &Param> {
        self.open.iter().flat_map(|scope| &scope.params)
    }

    /// Returns the innermost aggregate, if no quantifier is inside it.
    pub fn aggregate(&self) -> Option<Aggregate> {
        self.open.last()?.aggregate
    }

    /// Returns `true` if an aggregate may end here.
    pub fn may_end_aggregate(&self) -> bool {
        let last = self.open.last();
        let ends = last.is_some_and(|s| s.aggregate.is_some() && s.depth == self.depth);
        ends && self.has_operand()
    }

    /// Returns `true` if an `of` may follow.
    pub fn may_have_of(&self) -> bool {
        let around = self.open.iter().rev();
        let mut ending = around.take_while(|s| s.aggregate.is_some() && s.depth == self.depth);
        let without = ending.find(|scope| !scope.passed_of);
        self.has_operand() && without.is_some_and(|s| s.aggregate != Some(Aggregate::Count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantified_variables_are_not_free_in_their_scope() {
        let free = |text: &str| -> Vec<String> {
            let all = free_variables(text).into_iter();
            all.map(|v| format!("{}/{}", v.name, v.within.len()))
                .collect()
        };
        assert_eq!(free("at(?a) and ?b = ?a"), ["a/0", "b/0", "a/0"]);
        assert_eq!(
            free("(exists ?p: place, ?q: place. near(?p, ?x)) or ?p = x"),
            ["x/2", "p/0"]
        );
        assert_eq!(free("at(?a and ((? ?b"), ["a/0", "b/0"]);
        assert_eq!(
            free("sum ?p: place. d(?p, ?x) of not at(?p) + at(?p) and count ?q. (at(?q)) > ?q"),
            ["x/1", "p/0", "q/0"]
        );
        assert_eq!(
            free("max ?p. max ?q. (?a) of ?b of ?c < sum ?p. exists ?q. ?d = 1 and ?p and ?q"),
            ["a/2", "b/2", "c/1", "d/2"]
        );
    }
}
