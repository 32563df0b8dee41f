//! Variables in texts, found by their tokens, so that a text that does not parse
//! has them like any other.

use std::ops::Range;

use super::lexer::{TokenKind, lex};
use crate::Name;
use crate::diagnostic::Span;

/// A free variable of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeVariable {
    /// Its name.
    pub name: Name,
    /// The bytes of the name, without the question mark.
    pub range: Range<usize>,
    /// The variables of the quantifiers around it.
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
/// up to the end of the parentheses around it.
pub fn free_variables(text: &str) -> Vec<FreeVariable> {
    let mut found = vec![];
    let mut depth = 0usize;
    let mut bound: Vec<(usize, Name)> = vec![];
    // Where a list of binders may go on after this token.
    let mut binding = false;
    let mut before = TokenKind::End;
    for token in lex(text) {
        binding = match token.kind {
            TokenKind::Forall | TokenKind::Exists => true,
            TokenKind::Variable | TokenKind::Colon | TokenKind::Comma => binding,
            TokenKind::Name => binding && before == TokenKind::Colon,
            _ => false,
        };
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                bound.retain(|(at, _)| *at <= depth);
            }
            TokenKind::Variable => {
                let range = token.span.start as usize + 1..token.span.end as usize;
                let name = text.get(range.clone()).and_then(|t| Name::new(t).ok());
                let Some(name) = name else { continue };
                if binding {
                    bound.push((depth, name));
                } else if !bound.iter().any(|(_, by)| *by == name) {
                    let within = bound.iter().map(|(_, by)| by.clone()).collect();
                    found.push(FreeVariable {
                        name,
                        range,
                        within,
                    });
                }
            }
            _ => {}
        }
        before = token.kind;
    }
    found
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
    }
}
