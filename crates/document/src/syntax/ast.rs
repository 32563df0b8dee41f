//! The syntax trees of the expression language.
//!
//! ```text
//! formula  has(key) and not locked(?door) and ammo >= 3
//!          exists ?p: place, ?q: place. near(?p, ?q) or ?p = ?q
//!          a imply b      place_of(guard) = gate      at(box) != at(shed)
//! number   2 * distance(?from, ?to) + 1
//! effect   has(ball)   not box_locked   ammo -= 1   ammo += 2   place_of(me) := ?to
//!          forall ?p: place. not at(?p) when ?p != ?to
//! call     walk-to(box)   get-ball
//! initial  at(box)   not at(box)   ammo = 3   place_of(guard) = gate
//! ```
//!
//! A name may hold `-`, so a minus between names stands between blanks.
//! Binding strength, weakest first: quantifiers (as far right as possible),
//! `imply` (right-associative), `or`, `and`, `not`, comparison (not associative),
//! `+ -`, `* /`, unary minus.
//!
//! Keywords are read in any case and cannot be names. Read as well, and printed
//! in the form above: `&&` and `&`, `||` and `|`, `!`, `==`, `implies`, `->` and
//! `=>`, `≠ ≤ ≥`; `=` for `:=` in an effect, `:=` for `=` in an initial value;
//! `name()` for `name`. No tree is deeper than [`MAX_DEPTH`].

use crate::diagnostic::Span;
use crate::{Name, Param};

/// The greatest depth of a tree, so that code may recurse on trees.
pub const MAX_DEPTH: usize = 200;

/// A formula, number or term.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands in its text.
    pub span: Span,
}

/// The forms of an [`Expr`].
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `true` or `false`.
    Bool(bool),
    /// A decimal number.
    Number(f64),
    /// `?place`
    Variable(Name),
    /// A fact, a condition or, without arguments, an object: typing tells which.
    Reference(Reference),
    /// `not a`
    Not(Box<Expr>),
    /// `a and b and c`; two or more, none of them an `And`.
    And(Vec<Expr>),
    /// `a or b or c`; two or more, none of them an `Or`.
    Or(Vec<Expr>),
    /// `a imply b`
    Imply(Box<Expr>, Box<Expr>),
    /// `a < b`
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `a + b`
    Arithmetic(Operator, Box<Expr>, Box<Expr>),
    /// `-a`
    Negative(Box<Expr>),
    /// `forall ?p: place. a`
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
    /// A part that could not be read; an error has been reported.
    Missing,
}

/// `name` or `name(a, b)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// What it names.
    pub name: Name,
    /// Where the name stands.
    pub name_span: Span,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Where the whole stands, arguments included.
    pub span: Span,
}

/// `?p: place` behind a quantifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Binder {
    /// The variable and its type.
    pub param: Param,
    /// Where the variable stands.
    pub name_span: Span,
    /// Where the type stands; empty, at the end of the name, where it is left out.
    pub type_span: Span,
}

/// `forall` and `exists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// For every object.
    Forall,
    /// For at least one object.
    Exists,
}

/// Comparisons of numbers; the first two of objects as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// Arithmetic on numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// An effect, or one change in a scenario's event.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectExpr {
    /// `forall ?p: place, ...`; empty where there is none.
    pub forall: Vec<Binder>,
    /// What changes.
    pub change: Change,
    /// `when a`: only where this holds in the state before.
    pub when: Option<Expr>,
    /// Where it stands in its text.
    pub span: Span,
}

/// What an effect does to a fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// `has(ball)`
    Set(Reference),
    /// `not has(ball)`
    Unset(Reference),
    /// `ammo := 3`, `ammo += 1`, `place_of(me) := ?to`
    Assign(Assignment, Reference, Expr),
    /// A part that could not be read; an error has been reported.
    Missing,
}

/// How an effect changes a number or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// `:=`
    Assign,
    /// `+=`
    Increase,
    /// `-=`
    Decrease,
}

/// An initial value of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Initial {
    /// `at(box)`
    True(Reference),
    /// `not at(box)`
    False(Reference),
    /// `ammo = 3`, `place_of(guard) = gate`
    Value(Reference, Expr),
    /// A part that could not be read; an error has been reported.
    Missing,
}

/// What reading a text gives: always a tree, and what was wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// The tree, with `Missing` parts where something could not be read.
    pub value: T,
    /// What was wrong, in the order of the text.
    pub errors: Vec<SyntaxError>,
    /// Whether the text is blank. There is an error then, too; where a text may
    /// be left out (a cost, an ordering), ask this first.
    pub empty: bool,
}

/// Why a text, or a part of it, could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The part.
    pub span: Span,
    /// What was expected and what was found, in a sentence.
    pub message: String,
}
