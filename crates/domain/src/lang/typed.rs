//! Expressions with all names resolved: the input of the compiler, the validator and the exporters,
//! so that none of them needs to look up names.
//!
//! [`super::read_formula`] and the like create these from texts. Names are spelled as they are
//! declared. Arguments match their parameters in number and type, and every variable is bound by
//! the scope or by an enclosing quantifier.
//!
//! # Semantics
//! - A boolean fact is false unless set; a number fact is 0 unless set; an object fact is undefined
//!   unless set.
//! - `a = b` on objects is false if one side is undefined; `a != b` is `not a = b`, so true.
//! - A fact or condition with an undefined argument is false, or itself undefined.
//! - A number is undefined if it reads such a fact or isn't finite (a division by zero). A
//!   comparison with it is false, except `!=`, which is true: just like NaN in IEEE 754.
//! - Also undefined are a `min` or `max` over no objects, an aggregate over an object whose number
//!   is undefined, and the square root of a negative number.
//! - If an effect's number, object or argument is undefined, the effect can't be applied, and its
//!   task can't be executed.
//! - Quantifiers and aggregates range over the scenario's objects of a type or its subtypes.

use crate::ground::{Atom, Value};
use taskloom_document::diagnostic::Span;
use taskloom_document::{Document, Kind, Name, Param, ValueKind};

pub use super::ast::{Aggregate, Assignment, Comparison, Function, Operator, Quantifier};
use super::ast::{Binder, Expr, ExprKind, Reference};
use super::eval::Env;
use taskloom_document::syntax::print_expr;

/// An expression that is true or false.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// The form of the formula.
    pub kind: FormulaKind,
    /// The position in its text, so that a failing part can be shown.
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
    /// A comparison of numbers.
    Compare(Comparison, Number, Number),
    /// `a = b` on objects. `a != b` is a `Not` around it.
    Same(Term, Term),
    /// `not a`
    Not(Box<Formula>),
    /// Two or more conjuncts.
    And(Vec<Formula>),
    /// Two or more disjuncts.
    Or(Vec<Formula>),
    /// `a imply b`
    Imply(Box<Formula>, Box<Formula>),
    /// One or more variables, all distinct in the formula and its scope.
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
    /// `sum ?u: unit. a of b`, with variables as in a quantifier. A `count` adds 1 for each object
    /// that satisfies its formula.
    Aggregate(Aggregate, Vec<Param>, Box<Number>, Option<Box<Formula>>),
    /// `min(a, b)`, with as many numbers as the function takes.
    Function(Function, Vec<Number>),
    /// `time`: the current tick; in a plan, the tick at which a step would start.
    Time,
}

/// An expression that denotes an object.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// `?place`; the name without its question mark.
    Variable(Name),
    /// `?me`: the acting character.
    Me,
    /// An object of the domain or of the scope's scenario.
    Object(Name),
    /// An object fact.
    Fact(Name, Vec<Term>),
}

/// A change of a fact, for every object of `forall`.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Variables that range over all objects of their types.
    pub forall: Vec<Param>,
    /// The change.
    pub change: Change,
    /// Applies only if this holds in the state before.
    pub when: Option<Formula>,
    /// The position in its text.
    pub span: Span,
}

/// The change that an effect makes. Its numbers and terms refer to the state before.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A boolean fact becomes true.
    Set(Name, Vec<Term>),
    /// A boolean fact becomes false.
    Unset(Name, Vec<Term>),
    /// A number fact changes.
    Number(Assignment, Name, Vec<Term>, Number),
    /// An object fact changes.
    Object(Name, Vec<Term>, Term),
}

impl Change {
    /// Returns the fact that changes.
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
    /// The kind of record called.
    pub callee: Callee,
    /// The name of the record.
    pub name: Name,
    /// The arguments.
    pub args: Vec<Term>,
    /// The position in its text.
    pub span: Span,
}

/// A question that a game answers with objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Its name.
    pub name: Name,
    /// The arguments.
    pub args: Vec<Term>,
}

/// The kinds of records that can be called.
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
    /// Returns the kind of the records called.
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

/// Returns the canonical text of a formula: read again in the same scope, it gives the same
/// formula.
pub fn print_formula(formula: &Formula) -> String {
    let variable = |name: &Name| unplaced(ExprKind::Variable(name.clone()));
    print_expr(&formula_as_written(formula, &variable))
}

/// Returns the syntax tree of a formula with bound variables replaced by objects, without spans
/// inside.
pub(super) fn bound_as_written(formula: &Formula, env: &Env) -> Expr {
    formula_as_written(formula, &|name| {
        unplaced(match env.get(name) {
            Some(object) => ExprKind::Reference(reference(object, vec![])),
            None => ExprKind::Variable(name.clone()),
        })
    })
}

/// Returns the syntax tree of a formula for printing, without spans inside. `object` maps a
/// variable to itself or, if it is bound, to an object.
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

impl Number {
    /// Returns `true` if the number is an integer in every state in which it is defined.
    pub fn is_whole(&self, document: &Document) -> bool {
        let all = |numbers: &[Self]| numbers.iter().all(|number| number.is_whole(document));
        match self {
            Self::Constant(value) => value.fract() == 0.0,
            Self::Fact(fact, _) => is_whole_fact(document, fact),
            Self::Arithmetic(Operator::Divide, ..) | Self::Function(Function::Sqrt, _) => false,
            Self::Arithmetic(_, a, b) => a.is_whole(document) && b.is_whole(document),
            Self::Negative(of) | Self::Aggregate(_, _, of, _) => of.is_whole(document),
            Self::Function(Function::Floor | Function::Ceil, _) | Self::Time => true,
            Self::Function(Function::Min | Function::Max | Function::Abs, numbers) => all(numbers),
        }
    }
}

/// Returns `true` if a fact has integers only.
pub fn is_whole_fact(document: &Document, fact: &Name) -> bool {
    let fact = document.facts.get(fact);
    fact.is_some_and(|fact| matches!(fact.value, ValueKind::Number { integer: true, .. }))
}
