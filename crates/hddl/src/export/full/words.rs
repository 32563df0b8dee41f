//! Formulas, numbers and changes in their original form.

use super::{AGGREGATE, CONDITION, FUNCTION, Full, Lacks, NOBODY, OBJECT_FACT, TIME};
use crate::syntax::ast::{Atom, Change, Comparison, Formula, Ident, Number, Term};
use taskloom_document::{Kind, Name};
use taskloom_domain::lang::typed::{
    self, Assignment, Comparison as Written, FormulaKind, Quantifier,
};

fn term(full: &Full, term: &typed::Term) -> Result<Term, Lacks> {
    match term {
        typed::Term::Variable(name) => Ok(Term::Variable(Ident::from(name.as_str()))),
        typed::Term::Object(name) => Ok(Term::Constant(full.name(Kind::Object, name))),
        typed::Term::Me => Err(NOBODY),
        typed::Term::Fact(..) => Err(OBJECT_FACT),
    }
}

pub(super) fn terms(full: &Full, all: &[typed::Term]) -> Result<Vec<Term>, Lacks> {
    all.iter().map(|one| term(full, one)).collect()
}

fn atom(full: &Full, name: &Name, args: &[typed::Term]) -> Result<Atom, Lacks> {
    Ok(Atom {
        name: full.name(Kind::Fact, name),
        args: terms(full, args)?,
    })
}

pub(super) fn formula(full: &Full, read: &typed::Formula) -> Result<Formula, Lacks> {
    let all = |parts: &[typed::Formula]| -> Result<Vec<Formula>, Lacks> {
        parts.iter().map(|part| formula(full, part)).collect()
    };
    Ok(match &read.kind {
        FormulaKind::Constant(true) => Formula::TRUE,
        FormulaKind::Constant(false) => Formula::FALSE,
        FormulaKind::Fact(name, args) => Formula::Atom(atom(full, name, args)?),
        FormulaKind::Condition(..) => return Err(CONDITION),
        FormulaKind::Compare(comparison, a, b) => {
            let (a, b) = (number(full, a)?, number(full, b)?);
            let comparison = match comparison {
                Written::Equal => Comparison::Equal,
                Written::Less => Comparison::Less,
                Written::LessOrEqual => Comparison::LessOrEqual,
                Written::Greater => Comparison::Greater,
                Written::GreaterOrEqual => Comparison::GreaterOrEqual,
                Written::NotEqual => {
                    let equal = Formula::Compare(Comparison::Equal, a, b);
                    return Ok(Formula::Not(Box::new(equal)));
                }
            };
            Formula::Compare(comparison, a, b)
        }
        FormulaKind::Same(a, b) => Formula::Equal(term(full, a)?, term(full, b)?),
        FormulaKind::Not(part) => Formula::Not(Box::new(formula(full, part)?)),
        FormulaKind::And(parts) => Formula::And(all(parts)?),
        FormulaKind::Or(parts) => Formula::Or(all(parts)?),
        FormulaKind::Imply(a, b) => {
            Formula::Imply(Box::new(formula(full, a)?), Box::new(formula(full, b)?))
        }
        FormulaKind::Quantified(quantifier, params, body) => {
            let params = params.iter().map(|p| full.typed(p)).collect();
            let body = Box::new(formula(full, body)?);
            match quantifier {
                Quantifier::Forall => Formula::Forall(params, body),
                Quantifier::Exists => Formula::Exists(params, body),
            }
        }
    })
}

pub(super) fn number(full: &Full, read: &typed::Number) -> Result<Number, Lacks> {
    Ok(match read {
        typed::Number::Constant(value) => Number::Constant(*value),
        typed::Number::Fact(name, args) => Number::Function(atom(full, name, args)?),
        typed::Number::Negative(a) => Number::Negative(Box::new(number(full, a)?)),
        typed::Number::Arithmetic(operator, a, b) => {
            let (a, b) = (number(full, a)?, number(full, b)?);
            Number::Arithmetic(operator.sign(), Box::new(a), Box::new(b))
        }
        typed::Number::Aggregate(..) => return Err(AGGREGATE),
        typed::Number::Function(..) => return Err(FUNCTION),
        typed::Number::Time => return Err(TIME),
    })
}

pub(super) fn change(full: &Full, read: &typed::Change) -> Result<Change, Lacks> {
    Ok(match read {
        typed::Change::Set(name, args) => Change::Add(atom(full, name, args)?),
        typed::Change::Unset(name, args) => Change::Delete(atom(full, name, args)?),
        typed::Change::Number(assignment, name, args, by) => {
            let (atom, by) = (atom(full, name, args)?, number(full, by)?);
            match assignment {
                Assignment::Assign => Change::Assign(atom, by),
                Assignment::Increase => Change::Increase(atom, by),
                Assignment::Decrease => Change::Decrease(atom, by),
            }
        }
        typed::Change::Object(..) => return Err(OBJECT_FACT),
    })
}
