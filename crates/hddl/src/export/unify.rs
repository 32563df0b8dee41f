//! Method variables that only an equation binds. Plan verifiers determine variables from tasks and
//! facts: a variable that occurs only in an equation is unbound there.

use std::collections::BTreeMap;

use super::simplify::{and, not, or};
use crate::syntax::ast::{Formula, Ident, Method, Number, Term, Typed};
use taskloom_document::sort::map_of;

/// The subtype relation, by names in the file.
#[derive(Debug)]
pub struct Kinds(BTreeMap<Ident, Ident>);

impl Kinds {
    /// Creates the relation of types with one parent each.
    pub fn new(types: &[Typed]) -> Self {
        let parents = types.iter().filter_map(|typed| {
            let of = typed.of.first()?;
            Some((typed.name.clone(), of.clone()))
        });
        Self(map_of(parents))
    }

    fn is_kind_of(&self, own: &Ident, of: &Ident) -> bool {
        if *of == *"object" {
            return true;
        }
        let mut at = Some(own);
        for _ in 0..=self.0.len() {
            match at {
                Some(own) if own == of => return true,
                Some(own) => at = self.0.get(own),
                None => return false,
            }
        }
        false
    }

    /// Returns the narrower of two types, if one is a subtype of the other.
    fn narrower<'t>(&self, a: &'t [Ident], b: &'t [Ident]) -> Option<&'t [Ident]> {
        let ([own], [other]) = (a, b) else {
            return None;
        };
        if self.is_kind_of(own, other) {
            Some(a)
        } else {
            self.is_kind_of(other, own).then_some(b)
        }
    }
}

/// Returns the conjuncts of a precondition.
fn parts(precondition: &mut Formula) -> Vec<Formula> {
    match std::mem::replace(precondition, Formula::TRUE) {
        Formula::And(parts) => parts,
        other => vec![other],
    }
}

/// Merges two variables that an equation declares equal, with the narrower of their types, and
/// replaces variables that equal an object by it.
pub fn unify(method: &mut Method, kinds: &Kinds) {
    while let Some((part, kept, dropped, of)) = equation(method, kinds) {
        let mut needs = parts(&mut method.precondition);
        needs.remove(part);
        method.precondition = and(needs);
        let Some(gone) = method.signature.params.get(dropped).map(|p| p.name.clone()) else {
            return;
        };
        let term = match kept {
            Kept::Object(object) => object,
            Kept::Variable(kept) => {
                let Some(param) = method.signature.params.get_mut(kept) else {
                    return;
                };
                param.of = of;
                Term::Variable(param.name.clone())
            }
        };
        method.signature.params.remove(dropped);
        substitute(method, &gone, &term);
    }
}

enum Kept {
    /// The parameter with this number.
    Variable(usize),
    Object(Term),
}

/// Returns an equation that makes a variable redundant: its position, the term to keep, the
/// variable to remove, and the type of the term to keep.
fn equation(method: &Method, kinds: &Kinds) -> Option<(usize, Kept, usize, Vec<Ident>)> {
    let needs = match &method.precondition {
        Formula::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let params = &method.signature.params;
    let number = |term: &Term| match term {
        Term::Variable(name) => params.iter().position(|p| p.name == *name),
        Term::Constant(_) => None,
    };
    let own = method.task.args.len();
    needs.iter().enumerate().find_map(|(part, need)| {
        let Formula::Equal(a, b) = need else {
            return None;
        };
        match (number(a), number(b)) {
            (Some(a), Some(b)) if a.max(b) >= own => {
                let (kept, dropped) = (a.min(b), a.max(b));
                let of = kinds.narrower(&params.get(kept)?.of, &params.get(dropped)?.of)?;
                Some((part, Kept::Variable(kept), dropped, of.to_vec()))
            }
            // An equation with an object occurs here only if the type fits.
            (Some(a), None) if a >= own => Some((part, Kept::Object(b.clone()), a, vec![])),
            (None, Some(b)) if b >= own => Some((part, Kept::Object(a.clone()), b, vec![])),
            _ => None,
        }
    })
}

/// Gives a parameter of the task the narrower type of a variable that an equation binds to it, if
/// the method doesn't mention the parameter otherwise: so importing the method gives the same
/// method again.
pub fn narrow(method: &mut Method, kinds: &Kinds) {
    let own = method.task.args.len();
    for param in 0..own {
        let Some(wide) = method.signature.params.get(param).cloned() else {
            return;
        };
        let mut needs = parts(&mut method.precondition);
        let is_wide = |term: &Term| *term == Term::Variable(wide.name.clone());
        let equal = needs.iter().enumerate().find_map(|(at, need)| {
            let other = match need {
                Formula::Equal(a, b) if is_wide(a) => b,
                Formula::Equal(a, b) if is_wide(b) => a,
                _ => return None,
            };
            let params = method.signature.params.iter().enumerate().skip(own);
            let mut params = params.map(|(number, param)| (number, param.clone()));
            let found = params.find(|(_, p)| *other == Term::Variable(p.name.clone()))?;
            let is_narrower =
                found.1.of != wide.of && kinds.narrower(&found.1.of, &wide.of) == Some(&found.1.of);
            is_narrower.then_some((at, found))
        });
        let Some((at, (number, narrow))) = equal else {
            method.precondition = Formula::And(needs);
            continue;
        };
        let equation = needs.remove(at);
        let tasks = method.network.tasks.iter().flat_map(|task| &task.args);
        let is_used =
            needs.iter().any(|need| mentions(need, &wide.name)) || tasks.into_iter().any(is_wide);
        if is_used {
            needs.insert(at, equation);
            method.precondition = Formula::And(needs);
            continue;
        }
        method.precondition = Formula::And(needs);
        method.signature.params.remove(number);
        if let Some(param) = method.signature.params.get_mut(param) {
            *param = narrow.clone();
        }
        if let Some(arg) = method.task.args.get_mut(param) {
            *arg = Term::Variable(narrow.name);
        }
    }
}

/// Writes out the remaining condition on variables that occur in no subtask and in no positive
/// fact: that an object exists for each. `objects` returns those of a type; `None` if there are too
/// many to write.
pub fn write_out(method: &mut Method, objects: impl Fn(&Ident) -> Option<Vec<Term>>) {
    let own = method.task.args.len();
    for number in (own..method.signature.params.len()).rev() {
        let Some(param) = method.signature.params.get(number).cloned() else {
            return;
        };
        let is_it = |term: &Term| *term == Term::Variable(param.name.clone());
        let tasks = method.network.tasks.iter().flat_map(|task| &task.args);
        let needs = parts(&mut method.precondition);
        let tells = |need: &Formula| matches!(need, Formula::Atom(a) if a.args.iter().any(is_it));
        if tasks.into_iter().any(is_it) || needs.iter().any(tells) {
            method.precondition = and(needs);
            continue;
        }
        let Some(objects) = param.of.first().and_then(&objects) else {
            method.precondition = Formula::FALSE;
            return;
        };
        let (about, mut others): (Vec<Formula>, Vec<Formula>) = needs
            .into_iter()
            .partition(|need| mentions(need, &param.name));
        let about = and(about);
        others.push(or(objects
            .iter()
            .map(|object| with(&about, &param.name, object))));
        method.precondition = and(others);
        method.signature.params.remove(number);
    }
}

fn substitute(method: &mut Method, gone: &Ident, term: &Term) {
    for task in &mut method.network.tasks {
        for arg in &mut task.args {
            *arg = replaced(arg, gone, term);
        }
    }
    method.precondition = with(&method.precondition, gone, term);
}

fn replaced(own: &Term, gone: &Ident, term: &Term) -> Term {
    match own {
        Term::Variable(name) if name == gone => term.clone(),
        other => other.clone(),
    }
}

/// Returns a formula with a variable replaced by a term.
fn with(formula: &Formula, gone: &Ident, term: &Term) -> Formula {
    let same = |own: &Term| replaced(own, gone, term);
    let inner = |part: &Formula| with(part, gone, term);
    match formula {
        Formula::Atom(atom) => {
            let mut atom = atom.clone();
            atom.args = atom.args.iter().map(same).collect();
            Formula::Atom(atom)
        }
        Formula::Equal(a, b) => match (same(a), same(b)) {
            (a, b) if a == b => Formula::TRUE,
            (Term::Constant(_), Term::Constant(_)) => Formula::FALSE,
            (a, b) => Formula::Equal(a, b),
        },
        Formula::OfType(own, types) => Formula::OfType(same(own), types.clone()),
        Formula::Compare(comparison, a, b) => {
            let (a, b) = (number(a, gone, term), number(b, gone, term));
            Formula::Compare(*comparison, a, b)
        }
        Formula::Not(part) => not(inner(part)),
        Formula::And(parts) => and(parts.iter().map(inner)),
        Formula::Or(parts) => or(parts.iter().map(inner)),
        Formula::Imply(a, b) => Formula::Imply(Box::new(inner(a)), Box::new(inner(b))),
        Formula::Forall(variables, _) | Formula::Exists(variables, _)
            if variables.iter().any(|v| v.name == *gone) =>
        {
            formula.clone()
        }
        Formula::Forall(variables, part) => {
            Formula::Forall(variables.clone(), Box::new(inner(part)))
        }
        Formula::Exists(variables, part) => {
            Formula::Exists(variables.clone(), Box::new(inner(part)))
        }
    }
}

fn number(own: &Number, gone: &Ident, term: &Term) -> Number {
    match own {
        Number::Constant(_) => own.clone(),
        Number::Function(atom) => {
            let mut atom = atom.clone();
            atom.args = atom
                .args
                .iter()
                .map(|arg| replaced(arg, gone, term))
                .collect();
            Number::Function(atom)
        }
        Number::Arithmetic(sign, a, b) => Number::Arithmetic(
            *sign,
            Box::new(number(a, gone, term)),
            Box::new(number(b, gone, term)),
        ),
        Number::Negative(a) => Number::Negative(Box::new(number(a, gone, term))),
    }
}

/// Returns `true` if a formula mentions a variable.
fn mentions(formula: &Formula, name: &Ident) -> bool {
    // A formula that changes under substitution mentions the variable.
    let other = Term::Constant(Ident::from("?"));
    with(formula, name, &other) != with(formula, name, &Term::Variable(name.clone()))
}
