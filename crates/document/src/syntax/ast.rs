//! The syntax trees of the expression language.
//!
//! ```text
//! formula  has(key) and not locked(?door) and ammo >= 3
//!          exists ?p: place, ?q: place. near(?p, ?q) or ?p = ?q
//!          a imply b      place_of(guard) = gate      at(box) != at(shed)
//! number   2 * distance(?from, ?to) + 1
//!          count ?u: unit. idle(?u)      sum ?u: unit, ?v: unit. distance(?u, ?v)
//!          min ?u: unit. hp(?u) of idle(?u)      max ?u: unit. (hp(?u) + 1)
//!          min(a, b)   max(a, b)   abs(a)   sqrt(a)   floor(a)   ceil(a)
//! effect   has(ball)   not box_locked   ammo -= 1   ammo += 2   place_of(me) := ?to
//!          forall ?p: place. not at(?p) when ?p != ?to
//! call     walk-to(box)   get-ball
//! initial  at(box)   not at(box)   ammo = 3   place_of(guard) = gate
//! ```
//!
//! A name may hold `-`, so a minus between names stands between blanks.
//! Binding strength, weakest first: quantifiers (as far right as possible),
//! `imply` (right-associative), `or`, `and`, `not`, comparison (not associative),
//! `+ -`, `* /`, unary minus and aggregates. What an aggregate goes over, and its
//! condition behind `of`, bind as tightly as what unary minus stands before, a
//! `not` before them included: larger ones stand in parentheses.
//!
//! Keywords are read in any case and cannot be names. Read as well, and printed
//! in the form above: `&&` and `&`, `||` and `|`, `!`, `==`, `implies`, `->` and
//! `=>`, `≠ ≤ ≥`; `=` for `:=` in an effect, `:=` for `=` in an initial value;
//! `name()` for `name`. No tree is deeper than [`MAX_DEPTH`]. The words of aggregates
//! are no keywords: they are names, unless a variable follows, and so is `of`,
//! except behind what an aggregate goes over. Functions are called by names, too,
//! and give way to a fact or condition that is called so.

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
    /// `sum ?u: unit. a of b`; a `count` has no `of`.
    Aggregate(Aggregate, Vec<Binder>, Box<Expr>, Option<Box<Expr>>),
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

/// `?p: place` behind a quantifier or an aggregate.
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

/// What makes one number of many objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// How many objects there are for which a formula holds.
    Count,
    /// A number of each object, added up.
    Sum,
    /// The least number of any object.
    Min,
    /// The greatest number of any object.
    Max,
}

/// What makes one number of one or two. A text writes it as it does a fact with
/// arguments, and typing tells which it is: a fact or condition of that name wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The lesser of two.
    Min,
    /// The greater of two.
    Max,
    /// Without its sign.
    Abs,
    /// The square root.
    Sqrt,
    /// The next whole number that is not greater.
    Floor,
    /// The next whole number that is not less.
    Ceil,
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
