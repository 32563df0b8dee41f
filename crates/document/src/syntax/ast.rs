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
//! A name may contain `-`, so a minus between names needs blanks around it. Binding strength,
//! weakest first: quantifiers (as far right as possible), `imply` (right-associative), `or`, `and`,
//! `not`, comparison (not associative), `+ -`, `* /`, unary minus and aggregates. The body of an
//! aggregate, and its condition after `of`, bind as tightly as the operand of unary minus,
//! including any leading `not`: larger ones need parentheses.
//!
//! Keywords are case-insensitive and cannot be names. These forms are also accepted, but printed as
//! above: `&&` and `&`, `||` and `|`, `!`, `==`, `implies`, `->` and `=>`, `≠ ≤ ≥`; `=` for `:=` in
//! an effect, `:=` for `=` in an initial value; `name()` for `name`. No tree is deeper than
//! [`MAX_DEPTH`]. The words of aggregates are not keywords: they are names unless a variable
//! follows. So is `of`, except after the body of an aggregate. Functions are called by name, too; a
//! fact or condition of the same name takes precedence.

use crate::span::Span;
use crate::{Name, Param};

/// The maximum depth of a tree, so that code may recurse on trees.
pub const MAX_DEPTH: usize = 200;

/// A formula, number or term.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The form.
    pub kind: ExprKind,
    /// Its span in the text.
    pub span: Span,
}

/// The forms of an [`Expr`].
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A constant: `true` or `false`.
    Bool(bool),
    /// A decimal number.
    Number(f64),
    /// A variable: `?place`
    Variable(Name),
    /// A fact, a condition or, without arguments, an object; resolved by typing.
    Reference(Reference),
    /// Negation: `not a`
    Not(Box<Expr>),
    /// A conjunction: `a and b and c`; two or more parts, none of them an `And`.
    And(Vec<Expr>),
    /// A disjunction: `a or b or c`; two or more parts, none of them an `Or`.
    Or(Vec<Expr>),
    /// An implication: `a imply b`
    Imply(Box<Expr>, Box<Expr>),
    /// A comparison: `a < b`
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// An arithmetic operation: `a + b`
    Arithmetic(Operator, Box<Expr>, Box<Expr>),
    /// A unary minus: `-a`
    Negative(Box<Expr>),
    /// A quantified formula: `forall ?p: place. a`
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
    /// An aggregate: `sum ?u: unit. a of b`; a `count` has no `of`.
    Aggregate(Aggregate, Vec<Binder>, Box<Expr>, Option<Box<Expr>>),
    /// A part that could not be read; an error has been reported.
    Missing,
}

impl From<ExprKind> for Expr {
    /// Creates an expression that was not read: its span is empty.
    fn from(kind: ExprKind) -> Self {
        let span = Span::default();
        Self { kind, span }
    }
}

impl Expr {
    /// Creates a conjunction; `true` without parts.
    pub fn all(parts: Vec<Self>) -> Self {
        Self::chain(parts, true)
    }

    /// Creates a disjunction; `false` without parts.
    pub fn any(parts: Vec<Self>) -> Self {
        Self::chain(parts, false)
    }

    fn chain(parts: Vec<Self>, is_and: bool) -> Self {
        let mut flat = vec![];
        for part in parts {
            match part.kind {
                ExprKind::And(inner) if is_and => flat.extend(inner),
                ExprKind::Or(inner) if !is_and => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 | 1 => flat.pop().unwrap_or(ExprKind::Bool(is_and).into()),
            _ if is_and => ExprKind::And(flat).into(),
            _ => ExprKind::Or(flat).into(),
        }
    }
}

/// A name with optional arguments: `name` or `name(a, b)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The name.
    pub name: Name,
    /// The span of the name.
    pub name_span: Span,
    /// The arguments.
    pub args: Vec<Expr>,
    /// The span of the whole, including the arguments.
    pub span: Span,
}

impl Reference {
    /// Creates a call with these variables as arguments.
    pub fn to_params(name: &Name, params: &[Param]) -> Self {
        let variables = params
            .iter()
            .map(|param| ExprKind::Variable(param.name.clone()));
        Self::new(name.clone(), variables.map(Expr::from).collect())
    }

    /// Creates a reference that was not read: its spans are empty.
    pub fn new(name: Name, args: Vec<Expr>) -> Self {
        Self {
            name,
            name_span: Span::default(),
            args,
            span: Span::default(),
        }
    }
}

/// A binder of a quantifier or an aggregate: `?p: place`.
#[derive(Debug, Clone, PartialEq)]
pub struct Binder {
    /// The variable and its type.
    pub param: Param,
    /// The span of the variable.
    pub name_span: Span,
    /// The span of the type; empty, at the end of the name, if the type is omitted.
    pub type_span: Span,
}

impl From<Param> for Binder {
    /// Creates a binder that was not read: its spans are empty.
    fn from(param: Param) -> Self {
        Self {
            param,
            name_span: Span::default(),
            type_span: Span::default(),
        }
    }
}

/// The quantifiers `forall` and `exists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// Universal.
    Forall,
    /// Existential.
    Exists,
}

/// An operation that combines many objects into one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The number of objects for which a formula is true.
    Count,
    /// The sum of a number of each object.
    Sum,
    /// The minimum of a number of all objects.
    Min,
    /// The maximum of a number of all objects.
    Max,
}

/// A function of one or two numbers. A text writes it like a fact with arguments, and typing
/// resolves it: a fact or condition of that name takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The smaller of two numbers.
    Min,
    /// The larger of two numbers.
    Max,
    /// The absolute value.
    Abs,
    /// The square root.
    Sqrt,
    /// The largest integer that is not greater.
    Floor,
    /// The smallest integer that is not less.
    Ceil,
}

/// The comparisons of numbers; the first two also compare objects.
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

/// The arithmetic operators.
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
    /// The binders of `forall ?p: place, ...`; empty if there are none.
    pub forall: Vec<Binder>,
    /// The change.
    pub change: Change,
    /// The condition in `when a`, evaluated in the state before the effect.
    pub when: Option<Expr>,
    /// Its span in the text.
    pub span: Span,
}

/// The change that an effect makes to a fact.
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

/// The assignment operators of an effect.
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

/// The result of reading a text: always a tree, and the errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// The tree, with `Missing` parts where the text could not be read.
    pub value: T,
    /// The errors, in the order of the text.
    pub errors: Vec<SyntaxError>,
    /// If `true`, the text is blank. There is an error then, too; where a text is optional (a cost,
    /// an ordering), check this first.
    pub empty: bool,
}

/// The reason why a text, or a part of it, could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The span of the part.
    pub span: Span,
    /// A message that says what was expected and what was found.
    pub message: String,
}
