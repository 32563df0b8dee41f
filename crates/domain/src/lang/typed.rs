//! Expressions whose every name is resolved: what compiler, validator and
//! exporters work on, so that none of them looks a name up by itself.
//!
//! [`super::read_formula`] and its like make these from texts. Names are spelled
//! as they are declared. Arguments fit their parameters in number and type, and
//! every variable is bound by the scope or by a quantifier around it.
//!
//! # What they mean
//! - A boolean fact is false unless set; a number fact is 0 unless set; an object
//!   fact has no value unless set.
//! - `a = b` on objects is false where one side has no value; `a != b` is
//!   `not a = b`, so true.
//! - A fact or condition with an argument that has no value is false, or has no
//!   value itself.
//! - A number has no value where it reads such a fact or is not finite (a
//!   division by zero). A comparison with it is false, `!=` alone is true: just
//!   what IEEE 754 says of NaN.
//! - So has a `min` or `max` over no object, and an aggregate over an object whose
//!   number has none; the root of a negative number.
//! - Where an effect's number, object or an argument has no value, the effect
//!   cannot be applied, and its task not be done.
//! - Quantifiers and aggregates range over the scenario's objects of a type or of a kind of it.

use crate::ground::{Atom, Value};
use taskloom_document::diagnostic::Span;
use taskloom_document::{Kind, Name, Param};

pub use super::ast::{Aggregate, Assignment, Comparison, Function, Operator, Quantifier};
use super::ast::{Binder, Expr, ExprKind, Reference};
use super::eval::Env;
use taskloom_document::syntax::print_expr;

/// Something that holds or does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Where it stands in its text, so that a failing part can be shown.
    pub span: Span,
}

/// The forms of a [`Formula`].
#[derive(Debug, Clone, PartialEq)]
pub enum FormulaKind {
    /// `true` or `false`.
    Constant(bool),
    /// A boolean fact.
    Fact(Name, Vec<Term>),
    /// A named condition.
    Condition(Name, Vec<Term>),
    /// Numbers compared.
    Compare(Comparison, Number, Number),
    /// `a = b` on objects. `a != b` is a `Not` around it.
    Same(Term, Term),
    /// `not a`
    Not(Box<Formula>),
    /// Two or more.
    And(Vec<Formula>),
    /// Two or more.
    Or(Vec<Formula>),
    /// `a imply b`
    Imply(Box<Formula>, Box<Formula>),
    /// One variable or more, and no two alike in a formula and its scope.
    Quantified(Quantifier, Vec<Param>, Box<Formula>),
}

/// A numeric expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// A finite number.
    Constant(f64),
    /// A number fact.
    Fact(Name, Vec<Term>),
    /// `a + b`
    Arithmetic(Operator, Box<Number>, Box<Number>),
    /// `-a`
    Negative(Box<Number>),
    /// `sum ?u: unit. a of b`, variables as in a quantifier. A `count` adds up 1 for
    /// each object for which its formula holds.
    Aggregate(Aggregate, Vec<Param>, Box<Number>, Option<Box<Formula>>),
    /// `min(a, b)`, with as many numbers as it takes.
    Function(Function, Vec<Number>),
    /// `time`: the tick; in a plan, the tick at which a step would start.
    Time,
}

/// What stands for an object.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// `?place`; the name without its question mark.
    Variable(Name),
    /// `?me`: the character that plays.
    Me,
    /// An object of the domain or of the scope's scenario.
    Object(Name),
    /// An object fact.
    Fact(Name, Vec<Term>),
}

/// A change of facts, or of one fact for every object of `forall`.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Variables that range over all objects of their types.
    pub forall: Vec<Param>,
    /// What changes.
    pub change: Change,
    /// Only where this holds in the state before.
    pub when: Option<Formula>,
    /// Where it stands in its text.
    pub span: Span,
}

/// What an effect does. Its numbers and terms are of the state before.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A boolean fact becomes true.
    Set(Name, Vec<Term>),
    /// A boolean fact becomes false.
    Unset(Name, Vec<Term>),
    /// A number fact changes.
    Number(Assignment, Name, Vec<Term>, Number),
    /// An object fact gets another value.
    Object(Name, Vec<Term>, Term),
}

impl Change {
    /// The fact that changes.
    pub fn fact(&self) -> &Name {
        match self {
            Self::Set(fact, _)
            | Self::Unset(fact, _)
            | Self::Number(_, fact, ..)
            | Self::Object(fact, ..) => fact,
        }
    }
}

/// A call of a task or an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What kind of record it calls.
    pub callee: Callee,
    /// The record.
    pub name: Name,
    /// The arguments.
    pub args: Vec<Term>,
    /// Where it stands in its text.
    pub span: Span,
}

/// What can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A primitive task.
    PrimitiveTask,
    /// A compound task.
    CompoundTask,
    /// An action.
    Action,
}

impl Callee {
    /// The kind of the records that are called.
    pub fn kind(self) -> Kind {
        match self {
            Self::PrimitiveTask => Kind::PrimitiveTask,
            Self::CompoundTask => Kind::CompoundTask,
            Self::Action => Kind::Action,
        }
    }
}

/// An initial value of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Initial {
    /// The ground fact.
    pub atom: Atom,
    /// Its value.
    pub value: Value,
}

/// The canonical text of a formula: read again in the same scope, it gives the
/// same formula.
pub fn print_formula(formula: &Formula) -> String {
    let variable = |name: &Name| unplaced(ExprKind::Variable(name.clone()));
    print_expr(&formula_as_written(formula, &variable))
}

/// A formula as it would have been written with objects for the variables that
/// stand for one; without spans inside.
pub(super) fn bound_as_written(formula: &Formula, env: &Env) -> Expr {
    formula_as_written(formula, &|name| {
        unplaced(match env.get(name) {
            Some(object) => ExprKind::Reference(reference(object, vec![])),
            None => ExprKind::Variable(name.clone()),
        })
    })
}

/// A tree as it would have been written, for printing; without spans inside.
/// `object` says what stands for a variable: itself or, where known, an object.
fn formula_as_written(formula: &Formula, object: &dyn Fn(&Name) -> Expr) -> Expr {
    let again = |formula: &Formula| formula_as_written(formula, object);
    let terms = |args: &[Term]| args.iter().map(|a| term_as_written(a, object)).collect();
    let kind = match &formula.kind {
        FormulaKind::Constant(value) => ExprKind::Bool(*value),
        FormulaKind::Fact(name, args) | FormulaKind::Condition(name, args) => {
            ExprKind::Reference(reference(name, terms(args)))
        }
        FormulaKind::Compare(comparison, a, b) => {
            let (a, b) = (number_as_written(a, object), number_as_written(b, object));
            ExprKind::Compare(*comparison, Box::new(a), Box::new(b))
        }
        FormulaKind::Same(a, b) => {
            let (a, b) = (term_as_written(a, object), term_as_written(b, object));
            ExprKind::Compare(Comparison::Equal, Box::new(a), Box::new(b))
        }
        FormulaKind::Not(inner) => match (&inner.kind, again(inner)) {
            (FormulaKind::Same(..), written) => match written.kind {
                ExprKind::Compare(_, a, b) => ExprKind::Compare(Comparison::NotEqual, a, b),
                other => other,
            },
            (_, written) => ExprKind::Not(Box::new(written)),
        },
        FormulaKind::And(parts) => ExprKind::And(parts.iter().map(again).collect()),
        FormulaKind::Or(parts) => ExprKind::Or(parts.iter().map(again).collect()),
        FormulaKind::Imply(a, b) => ExprKind::Imply(Box::new(again(a)), Box::new(again(b))),
        FormulaKind::Quantified(quantifier, params, body) => {
            ExprKind::Quantified(*quantifier, binders(params), Box::new(again(body)))
        }
    };
    unplaced(kind)
}

fn number_as_written(number: &Number, object: &dyn Fn(&Name) -> Expr) -> Expr {
    let again = |number: &Number| Box::new(number_as_written(number, object));
    unplaced(match number {
        Number::Constant(value) if *value < 0.0 => {
            ExprKind::Negative(Box::new(unplaced(ExprKind::Number(-value))))
        }
        Number::Constant(value) => ExprKind::Number(*value),
        Number::Fact(name, args) => {
            let args = args.iter().map(|a| term_as_written(a, object)).collect();
            ExprKind::Reference(reference(name, args))
        }
        Number::Arithmetic(operator, a, b) => ExprKind::Arithmetic(*operator, again(a), again(b)),
        Number::Negative(a) => ExprKind::Negative(again(a)),
        Number::Aggregate(aggregate, params, value, of) => {
            let of = of.as_ref();
            let of = of.map(|of| Box::new(formula_as_written(of, object)));
            let (body, of) = match (aggregate, of) {
                (Aggregate::Count, Some(counted)) => (counted, None),
                (_, of) => (again(value), of),
            };
            ExprKind::Aggregate(*aggregate, binders(params), body, of)
        }
        Number::Function(function, numbers) => {
            let args = numbers.iter().map(|a| *again(a)).collect();
            ExprKind::Reference(reference(&function.name(), args))
        }
        Number::Time => ExprKind::Reference(reference(&Name::time(), vec![])),
    })
}

fn binders(params: &[Param]) -> Vec<Binder> {
    let unplaced = |param: &Param| Binder {
        param: param.clone(),
        name_span: Span::default(),
        type_span: Span::default(),
    };
    params.iter().map(unplaced).collect()
}

fn term_as_written(term: &Term, object: &dyn Fn(&Name) -> Expr) -> Expr {
    match term {
        Term::Variable(name) => object(name),
        Term::Me => unplaced(ExprKind::Variable(Name::me())),
        Term::Object(name) => unplaced(ExprKind::Reference(reference(name, vec![]))),
        Term::Fact(name, args) => {
            let args = args.iter().map(|a| term_as_written(a, object)).collect();
            unplaced(ExprKind::Reference(reference(name, args)))
        }
    }
}

fn unplaced(kind: ExprKind) -> Expr {
    let span = Span::default();
    Expr { kind, span }
}

fn reference(name: &Name, args: Vec<Expr>) -> Reference {
    Reference {
        name: name.clone(),
        name_span: Span::default(),
        args,
        span: Span::default(),
    }
}
