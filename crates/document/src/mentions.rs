//! Names in texts, found by their tokens, so that renaming also works in texts that do not parse.

use std::ops::Range;

use crate::syntax::ast::{Comparison, Function};
use crate::syntax::{Scopes, TextRole, Token, TokenKind, lex};

use super::record::{Kind, RecordRef, RecordView};
use super::{Document, Name, Scenario};

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The name.
    pub name: Name,
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The kinds of thing that may be named in this position.
    pub position: Position,
}

/// The syntactic position of a name, from the adjacent tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// After the colon of a quantifier's or an aggregate's variable.
    Type,
    /// The task of a call.
    Task,
    /// The action of a call.
    Action,
    /// A fact or condition, or else an object.
    Formula,
    /// An object, or else a fact: an argument, or an operand of `=`.
    Term,
    /// A fact or condition followed by arguments, or else this function.
    Called(Function),
    /// An argument in a call of this name: a number if it is the function, or else a term.
    Argument(Function),
}

/// The referent of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A record of the document.
    Record(RecordRef),
    /// An object of the scenario only, or an actor of one of its crowds.
    OwnObject(Name),
}

/// Returns all names in a text, except reserved words and variables.
pub(super) fn mentions(text: &str, role: TextRole) -> Vec<Mention> {
    let tokens = lex(text);
    let kind_at = |index: Option<usize>| {
        let token = index.and_then(|index| tokens.get(index));
        token.map_or(TokenKind::End, |token| token.kind)
    };
    let mut found = vec![];
    // One entry per open parenthesis: the position of its arguments, or none if it is not a call.
    let mut arguments: Vec<Option<Position>> = vec![];
    let mut scopes = Scopes::new(text);
    // If `true`, the body of an aggregate, or its condition, begins.
    let mut begins = false;
    for (index, token) in tokens.iter().enumerate() {
        scopes.pass(token);
        let before = kind_at(index.checked_sub(1));
        let after = kind_at(Some(index + 1));
        let within = arguments.last().copied().flatten();
        match token.kind {
            TokenKind::Open => {
                let callee = index.checked_sub(1).and_then(|index| tokens.get(index));
                let callee = callee.filter(|callee| callee.kind == TokenKind::Name);
                arguments.push(match callee {
                    Some(callee) => Some(match function(text, callee) {
                        Some(function) => Position::Argument(function),
                        None => Position::Term,
                    }),
                    None => within,
                });
            }
            TokenKind::Close => drop(arguments.pop()),
            TokenKind::Name => {
                let before_colon = kind_at(index.checked_sub(2));
                let is_type = before == TokenKind::Colon && before_colon == TokenKind::Variable;
                let position = match role {
                    _ if is_type => Position::Type,
                    TextRole::TaskCall if index == 0 => Position::Task,
                    TextRole::ActionCall if index == 0 => Position::Action,
                    // The game knows what is asked; no record has its name.
                    TextRole::Query if index == 0 => continue,
                    _ if after == TokenKind::Open => match function(text, token) {
                        Some(function) => Position::Called(function),
                        None => Position::Formula,
                    },
                    TextRole::TaskCall | TextRole::ActionCall | TextRole::Query => Position::Term,
                    TextRole::Object if index == 0 => Position::Term,
                    TextRole::Initial if index == 0 => Position::Formula,
                    // Only the whole aggregate is compared.
                    _ if begins => Position::Formula,
                    _ => match within {
                        Some(argument) => argument,
                        None if is_equality_operand(before, after) => Position::Term,
                        None => Position::Formula,
                    },
                };
                found.extend(mention(text, token, position));
            }
            _ => {}
        }
        begins = match token.kind {
            TokenKind::Dot => scopes.aggregate().is_some(),
            TokenKind::Of => true,
            TokenKind::Not => begins,
            _ => false,
        };
    }
    found
}

/// Returns the function that a name calls, unless there is a fact or condition of that name.
fn function(text: &str, token: &Token) -> Option<Function> {
    let name = Name::new(text.get(token.span.range())?).ok()?;
    Function::named(&name)
}

fn mention(text: &str, token: &Token, position: Position) -> Option<Mention> {
    let range = token.span.range();
    let name = Name::new(text.get(range.clone())?).ok()?;
    Some(Mention {
        name,
        range,
        position,
    })
}

/// Returns `true` if one adjacent token is an equality and the other is not arithmetic.
fn is_equality_operand(before: TokenKind, after: TokenKind) -> bool {
    let equals = |kind| {
        matches!(
            kind,
            TokenKind::Compare(Comparison::Equal | Comparison::NotEqual)
        )
    };
    let arithmetic = |kind| {
        matches!(
            kind,
            TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash
        )
    };
    let asked = equals(before) || equals(after) || before == TokenKind::Assign;
    asked && !arithmetic(before) && !arithmetic(after)
}

impl RecordView<'_> {
    /// Returns the scenario whose own objects are in scope in this record's texts.
    pub(super) fn own_objects(&self) -> Option<&Scenario> {
        match self {
            Self::Scenario(scenario) => Some(scenario),
            _ => None,
        }
    }
}

impl Document {
    /// Returns the referent of a name in a position; none if it is unknown. `scenario` is the one
    /// whose text contains the name.
    pub(super) fn meaning(
        &self,
        scenario: Option<&Scenario>,
        name: &Name,
        position: Position,
    ) -> Option<Meaning> {
        let named = |kind: Kind| Some(Meaning::Record(self.named(kind, name)?));
        let object = || match scenario.and_then(|s| s.objects.get_key_value(name)) {
            Some((own, _)) => Some(Meaning::OwnObject(own.clone())),
            None => match scenario {
                Some(s) if self.is_in_crowd(s, name) => Some(Meaning::OwnObject(name.clone())),
                _ => named(Kind::Object),
            },
        };
        let is_function = |function: Function| self.named(Kind::Fact, &function.name()).is_none();
        match position {
            Position::Called(_) => named(Kind::Fact),
            Position::Argument(function) if is_function(function) => {
                self.meaning(scenario, name, Position::Formula)
            }
            Position::Argument(_) => self.meaning(scenario, name, Position::Term),
            Position::Type => named(Kind::Type),
            Position::Task => named(Kind::CompoundTask),
            Position::Action => named(Kind::Action),
            Position::Formula => named(Kind::Fact).or_else(object),
            Position::Term => object().or_else(|| named(Kind::Fact)),
        }
    }
}
