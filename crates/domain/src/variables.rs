//! The free variables of typed expressions.

use std::collections::BTreeSet;

use crate::lang::typed::{Formula, FormulaKind, Number, Term};
use taskloom_document::{Name, Param};

/// Adds the free variables of a formula.
pub fn in_formula(formula: &Formula, used: &mut BTreeSet<Name>) {
    match &formula.kind {
        FormulaKind::Constant(_) => {}
        FormulaKind::Fact(_, args) | FormulaKind::Condition(_, args) => in_terms(args, used),
        FormulaKind::Compare(_, a, b) => {
            in_number(a, used);
            in_number(b, used);
        }
        FormulaKind::Same(a, b) => {
            in_term(a, used);
            in_term(b, used);
        }
        FormulaKind::Not(part) => in_formula(part, used),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter().for_each(|part| in_formula(part, used));
        }
        FormulaKind::Imply(a, b) => {
            in_formula(a, used);
            in_formula(b, used);
        }
        FormulaKind::Quantified(_, params, body) => {
            let mut inside = BTreeSet::new();
            in_formula(body, &mut inside);
            bound(params, inside, used);
        }
    }
}

/// Adds the variables used inside a binder, without those that it binds.
fn bound(params: &[Param], mut inside: BTreeSet<Name>, used: &mut BTreeSet<Name>) {
    inside.retain(|name| params.iter().all(|param| param.name != *name));
    used.extend(inside);
}

/// Adds the free variables of a number.
pub fn in_number(number: &Number, used: &mut BTreeSet<Name>) {
    match number {
        Number::Constant(_) => {}
        Number::Fact(_, args) => in_terms(args, used),
        Number::Arithmetic(_, a, b) => {
            in_number(a, used);
            in_number(b, used);
        }
        Number::Negative(inner) => in_number(inner, used),
        Number::Time => {}
        Number::Aggregate(_, params, value, of) => {
            let mut inside = BTreeSet::new();
            in_number(value, &mut inside);
            if let Some(of) = of {
                in_formula(of, &mut inside);
            }
            bound(params, inside, used);
        }
        Number::Function(_, numbers) => numbers.iter().for_each(|n| in_number(n, used)),
    }
}

/// Adds the variables of arguments.
pub fn in_terms(terms: &[Term], used: &mut BTreeSet<Name>) {
    terms.iter().for_each(|term| in_term(term, used));
}

fn in_term(term: &Term, used: &mut BTreeSet<Name>) {
    match term {
        Term::Variable(name) => {
            used.insert(name.clone());
        }
        Term::Me | Term::Object(_) => {}
        Term::Fact(_, args) => in_terms(args, used),
    }
}
