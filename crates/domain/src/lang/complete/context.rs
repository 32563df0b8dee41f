//! Derives from the tokens before the caret what is expected there.

use taskloom_document::{Name, Param, ValueKind};

use super::super::typing::Scope;
use taskloom_document::syntax::ast::{Aggregate, Function};
use taskloom_document::syntax::{Scopes, TextRole, Token, TokenKind};

/// The kind of text expected at the caret.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expected {
    Nothing,
    Keywords(&'static [&'static str]),
    /// The `of` of an aggregate, or one of these words.
    Of(&'static [&'static str]),
    Type,
    Formula,
    Number,
    /// An object of this type, if it is known.
    Object(Option<Name>),
    NumberOrObject,
    /// A fact, or one of the words that may precede it.
    Fact(&'static [&'static str]),
    BooleanFact,
    Task,
    Action,
}

/// The context of the caret.
pub(super) struct Context {
    pub(super) expected: Expected,
    /// The variables of the enclosing quantifiers and aggregates.
    pub(super) bound: Vec<Param>,
}

/// A parenthesis that is open at the caret.
struct Frame {
    /// The name before it, or `None` if it only groups.
    callee: Option<Name>,
    /// The number of arguments before the caret.
    arg: usize,
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    role: TextRole,
    scope: &'a Scope<'a>,
    frames: Vec<Frame>,
    scopes: Scopes<'a>,
    /// `true` if the last token follows an aggregate.
    after_aggregate: bool,
    after_when: bool,
}

impl Context {
    pub(super) fn new(text: &str, tokens: &[Token], role: TextRole, scope: &Scope) -> Self {
        let mut reader = Reader {
            text,
            tokens,
            role,
            scope,
            frames: vec![],
            scopes: Scopes::new(text),
            after_aggregate: false,
            after_when: false,
        };
        for at in 0..tokens.len() {
            reader.pass(at);
        }
        Self {
            expected: reader.expected(),
            bound: reader.scopes.bound().cloned().collect(),
        }
    }
}

impl Reader<'_> {
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn kind_before(&self, at: usize) -> Option<TokenKind> {
        self.kind(at.checked_sub(1)?)
    }

    fn name(&self, at: usize) -> Option<Name> {
        let text = self.text.get(self.tokens.get(at)?.span.range())?;
        Name::new(text.strip_prefix('?').unwrap_or(text)).ok()
    }

    fn pass(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at) else {
            return;
        };
        self.after_aggregate = self.scopes.may_end_aggregate();
        self.scopes.pass(token);
        match token.kind {
            TokenKind::Open => {
                let called = self.kind_before(at) == Some(TokenKind::Name);
                let callee = at.checked_sub(1).filter(|_| called);
                self.frames.push(Frame {
                    callee: callee.and_then(|at| self.name(at)),
                    arg: 0,
                });
            }
            TokenKind::Close => drop(self.frames.pop()),
            TokenKind::Comma if !self.scopes.is_binding() => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.arg += 1;
                }
            }
            TokenKind::When => self.after_when = true,
            _ => {}
        }
    }

    fn expected(&self) -> Expected {
        let mut at = self.tokens.len();
        // A grouping parenthesis expects what is expected before it.
        while self.kind_before(at) == Some(TokenKind::Open) {
            let called = at.checked_sub(2).and_then(|i| self.kind(i)) == Some(TokenKind::Name);
            if called {
                break;
            }
            at -= 1;
        }
        let Some(before) = self.kind_before(at) else {
            return self.at_start();
        };
        if self.scopes.is_binding() {
            return match before {
                TokenKind::Colon => Expected::Type,
                _ => Expected::Nothing,
            };
        }
        match before {
            TokenKind::Open | TokenKind::Comma => self.argument(),
            TokenKind::Compare(comparison) if comparison.of_different().is_some() => {
                self.like_operand_before(at - 1)
            }
            TokenKind::Assign | TokenKind::Increase | TokenKind::Decrease => {
                self.like_operand_before(at - 1)
            }
            TokenKind::Dot if self.is_of_numbers() => Expected::Number,
            TokenKind::Dot if self.scopes.aggregate().is_some() => Expected::Formula,
            TokenKind::Not if self.scopes.aggregate().is_some() => Expected::Formula,
            TokenKind::Of => Expected::Formula,
            TokenKind::Compare(_)
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Slash => Expected::Number,
            TokenKind::And | TokenKind::Or | TokenKind::Imply | TokenKind::When => {
                Expected::Formula
            }
            TokenKind::Not | TokenKind::Dot => match self.role {
                TextRole::Effect | TextRole::Initial if !self.after_when => match before {
                    TokenKind::Not => Expected::BooleanFact,
                    _ => Expected::Fact(&["not"]),
                },
                _ => Expected::Formula,
            },
            TokenKind::Name
            | TokenKind::Variable
            | TokenKind::Number
            | TokenKind::Close
            | TokenKind::True
            | TokenKind::False => self.after_operand(),
            TokenKind::Colon
            | TokenKind::Forall
            | TokenKind::Exists
            | TokenKind::Aggregate(_)
            | TokenKind::Unknown
            | TokenKind::End => Expected::Nothing,
        }
    }

    fn at_start(&self) -> Expected {
        match self.role {
            TextRole::Formula => Expected::Formula,
            TextRole::Number => Expected::Number,
            TextRole::Object => Expected::Object(None),
            TextRole::Effect => Expected::Fact(&["not", "forall"]),
            TextRole::Initial => Expected::Fact(&["not"]),
            TextRole::TaskCall => Expected::Task,
            TextRole::ActionCall => Expected::Action,
            TextRole::Query => Expected::Nothing,
        }
    }

    /// Returns `true` if an aggregate whose variables have just been bound ranges over numbers.
    fn is_of_numbers(&self) -> bool {
        match self.scopes.aggregate() {
            Some(Aggregate::Sum | Aggregate::Min | Aggregate::Max) => true,
            Some(Aggregate::Count) | None => false,
        }
    }

    fn after_operand(&self) -> Expected {
        match self.after_whole_operand() {
            Expected::Keywords(words) if self.scopes.may_have_of() => Expected::Of(words),
            Expected::Nothing if self.scopes.may_have_of() => Expected::Of(&[]),
            other => other,
        }
    }

    fn after_whole_operand(&self) -> Expected {
        let in_call = self.frames.last().is_some_and(|f| f.callee.is_some());
        if in_call {
            return Expected::Nothing;
        }
        match self.role {
            TextRole::Formula => Expected::Keywords(&["and", "or", "imply"]),
            TextRole::Effect if self.after_when => Expected::Keywords(&["and", "or", "imply"]),
            TextRole::Effect => Expected::Keywords(&["when"]),
            TextRole::Number
            | TextRole::Object
            | TextRole::TaskCall
            | TextRole::ActionCall
            | TextRole::Query
            | TextRole::Initial => Expected::Nothing,
        }
    }

    /// Returns what the parameter at the caret expects.
    fn argument(&self) -> Expected {
        let Some(Frame {
            callee: Some(callee),
            arg,
            ..
        }) = self.frames.last()
        else {
            return Expected::Nothing;
        };
        if let Some(function) = self.function(callee) {
            return match *arg < function.arity() {
                true => Expected::Number,
                false => Expected::Nothing,
            };
        }
        let document = self.scope.document;
        let outermost = self.frames.len() == 1;
        let params = match self.role {
            TextRole::TaskCall if outermost => {
                let primitive = document.primitive_tasks.get(callee).map(|t| &t.params);
                primitive.or_else(|| document.compound_tasks.get(callee).map(|t| &t.params))
            }
            TextRole::ActionCall if outermost => document.actions.get(callee).map(|a| &a.params),
            TextRole::Query if outermost => return Expected::Object(None),
            _ => {
                let fact = document.facts.get(callee).map(|f| &f.params);
                fact.or_else(|| document.conditions.get(callee).map(|c| &c.params))
            }
        };
        match params.map(|params| params.get(*arg)) {
            Some(Some(param)) => Expected::Object(Some(param.of.clone())),
            Some(None) => Expected::Nothing,
            None => Expected::Object(None),
        }
    }

    /// Returns what can be compared with, or assigned to, the operand before a token.
    fn like_operand_before(&self, at: usize) -> Expected {
        let Some(last) = at.checked_sub(1) else {
            return Expected::NumberOrObject;
        };
        if self.after_aggregate {
            return Expected::Number;
        }
        let name = match self.kind(last) {
            Some(TokenKind::Number) => return Expected::Number,
            Some(TokenKind::Variable) => {
                let variable = self.name(last);
                let all = self.scope.variables.iter().chain(self.scopes.bound());
                let param = all
                    .rev()
                    .find(|param| Some(&param.name) == variable.as_ref());
                return Expected::Object(param.map(|param| param.of.clone()));
            }
            Some(TokenKind::Name) => self.name(last),
            Some(TokenKind::Close) => self.callee_closed_at(last),
            _ => None,
        };
        let Some(name) = name else {
            return Expected::NumberOrObject;
        };
        let fact = self.scope.document.facts.get(&name);
        match fact.map(|fact| &fact.value) {
            Some(ValueKind::Number { .. }) => Expected::Number,
            Some(ValueKind::Object(of)) => Expected::Object(Some(of.clone())),
            Some(ValueKind::Boolean) => Expected::Keywords(&["true", "false"]),
            None => match self.scope.object(&name) {
                Some((_, object)) => Expected::Object(Some(object.of.clone())),
                None if self.function(&name).is_some() => Expected::Number,
                None => Expected::NumberOrObject,
            },
        }
    }

    /// Returns the function that a name calls in a formula or a number.
    fn function(&self, name: &Name) -> Option<Function> {
        match self.role {
            TextRole::TaskCall | TextRole::ActionCall | TextRole::Query | TextRole::Object => None,
            TextRole::Formula | TextRole::Number | TextRole::Effect | TextRole::Initial => {
                self.scope.function(name)
            }
        }
    }

    /// Returns the name before the parenthesis that a `)` closes.
    fn callee_closed_at(&self, close: usize) -> Option<Name> {
        let mut nesting = 0usize;
        let open = (0..=close).rev().find(|at| {
            match self.kind(*at) {
                Some(TokenKind::Close) => nesting += 1,
                Some(TokenKind::Open) => nesting = nesting.saturating_sub(1),
                _ => {}
            }
            nesting == 0
        })?;
        let callee = open.checked_sub(1)?;
        match self.kind(callee) {
            Some(TokenKind::Name) => self.name(callee),
            _ => None,
        }
    }
}
