//! Variables in texts, found by their tokens, so that a text that does not parse
//! has them like any other.

use std::ops::Range;

use super::ast::Aggregate;
use super::lexer::{Token, TokenKind, lex};
use crate::diagnostic::Span;
use crate::{Name, Param};

/// A free variable of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeVariable {
    /// Its name.
    pub name: Name,
    /// The bytes of the name, without the question mark.
    pub range: Range<usize>,
    /// The variables of the quantifiers and aggregates around it.
    pub within: Vec<Name>,
}

impl FreeVariable {
    /// Where it stands, with its question mark.
    pub fn span(&self) -> Span {
        Span {
            start: self.range.start as u32 - 1,
            end: self.range.end as u32,
        }
    }
}

/// The free variables of a text, in order. What a quantifier binds is not free
/// up to the end of the parentheses around it, and what an aggregate binds up to
/// its own end.
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

/// The variables of one quantifier or aggregate.
#[derive(Debug)]
struct Scope {
    /// How many parentheses are open around it.
    depth: usize,
    /// None of a quantifier, which reaches to the end of these parentheses.
    aggregate: Option<Aggregate>,
    /// Whether the aggregate's `of` is passed.
    passed_of: bool,
    params: Vec<Param>,
}

/// The variables that are bound where one has read up to, token by token.
#[derive(Debug)]
pub struct Scopes<'t> {
    text: &'t str,
    open: Vec<Scope>,
    depth: usize,
    /// Whether a list of binders may go on.
    binding: bool,
    before: TokenKind,
}

impl<'t> Scopes<'t> {
    /// At the beginning of a text.
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

    /// Whether the last token may end an operand.
    fn has_operand(&self) -> bool {
        !self.binding && self.before.ends_operand()
    }

    /// Ends the aggregates of which an operand was the last part. An `of` belongs to
    /// the innermost that has none.
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

    /// Whether the last token stands in a list of binders.
    pub fn is_binding(&self) -> bool {
        self.binding
    }

    /// The variables that are bound, the innermost last.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = &Param> {
        self.open.iter().flat_map(|scope| &scope.params)
    }

    /// The innermost aggregate, where no quantifier is within it.
    pub fn aggregate(&self) -> Option<Aggregate> {
        self.open.last()?.aggregate
    }

    /// Whether an aggregate may end here.
    pub fn may_end_aggregate(&self) -> bool {
        let last = self.open.last();
        let ends = last.is_some_and(|s| s.aggregate.is_some() && s.depth == self.depth);
        ends && self.has_operand()
    }

    /// Whether an `of` may follow.
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
    fn what_a_quantifier_binds_is_not_free_within_its_parentheses() {
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
