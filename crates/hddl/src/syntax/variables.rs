//! Free variables of formulas and effects, and renaming without capture.

use rustc_hash::FxHashSet;

use super::ast::{Atom, Change, Effect, Formula, Ident, Number, Term, Typed};

/// Calls back with each free variable of a formula.
pub fn mentions<'f>(formula: &'f Formula, inner: &mut Vec<&'f str>, found: &mut dyn FnMut(&str)) {
    match formula {
        Formula::Atom(atom) => in_atom(atom, inner, found),
        Formula::Equal(a, b) => {
            in_term(a, inner, found);
            in_term(b, inner, found);
        }
        Formula::OfType(a, _) => in_term(a, inner, found),
        Formula::Compare(_, a, b) => {
            in_number(a, inner, found);
            in_number(b, inner, found);
        }
        Formula::Not(part) => mentions(part, inner, found),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                mentions(part, inner, found);
            }
        }
        Formula::Imply(a, b) => {
            mentions(a, inner, found);
            mentions(b, inner, found);
        }
        Formula::Forall(variables, body) | Formula::Exists(variables, body) => {
            let outer = inner.len();
            inner.extend(variables.iter().map(|v| v.name.as_str()));
            mentions(body, inner, found);
            inner.truncate(outer);
        }
    }
}

fn in_term(term: &Term, inner: &[&str], found: &mut dyn FnMut(&str)) {
    if let Term::Variable(name) = term
        && !inner.contains(&name.as_str())
    {
        found(name);
    }
}

fn in_atom(atom: &Atom, inner: &[&str], found: &mut dyn FnMut(&str)) {
    for arg in &atom.args {
        in_term(arg, inner, found);
    }
}

fn in_number(value: &Number, inner: &[&str], found: &mut dyn FnMut(&str)) {
    match value {
        Number::Constant(_) => {}
        Number::Function(atom) => in_atom(atom, inner, found),
        Number::Arithmetic(_, a, b) => {
            in_number(a, inner, found);
            in_number(b, inner, found);
        }
        Number::Negative(a) => in_number(a, inner, found),
    }
}

/// Returns the free variables of a formula.
pub fn free(formula: &Formula) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    mentions(formula, &mut vec![], &mut |name| {
        names.insert(name.to_owned());
    });
    names
}

/// Renames the quantified variables of an effect that have one of these names, so that the effect
/// can be moved to where the names have another meaning.
pub fn rename_quantified(effect: &mut Effect, names: &FxHashSet<String>) {
    for at in 0..effect.forall.len() {
        let Some(old) = effect.forall.get(at).map(|typed| typed.name.clone()) else {
            return;
        };
        if !names.contains(old.as_str()) {
            continue;
        }
        let used = used(effect);
        let is_free = |name: &String| !names.contains(name) && !used.contains(name);
        let mut numbered = (2u64..).map(|number| format!("{old}-{number}"));
        let Some(new) = numbered.find(is_free) else {
            return;
        };
        let renaming = Renaming {
            old: &old,
            new: &new,
        };
        // An inner variable of the same name hides this one.
        let inner = effect.forall.iter().skip(at + 1);
        let is_hidden = inner.into_iter().any(|typed| typed.name == old);
        if let Some(typed) = effect.forall.get_mut(at) {
            renaming.ident(&mut typed.name);
        }
        if !is_hidden {
            renaming.formula(&mut effect.when);
            renaming.change(&mut effect.change);
        }
    }
}

/// Returns all variables that an effect mentions or quantifies, free or not.
fn used(effect: &Effect) -> FxHashSet<String> {
    fn quantified(formula: &Formula, names: &mut FxHashSet<String>) {
        match formula {
            Formula::Forall(variables, body) | Formula::Exists(variables, body) => {
                names.extend(variables.iter().map(|typed| typed.name.to_string()));
                quantified(body, names);
            }
            Formula::Not(part) => quantified(part, names),
            Formula::And(parts) | Formula::Or(parts) => {
                for part in parts {
                    quantified(part, names);
                }
            }
            Formula::Imply(a, b) => {
                quantified(a, names);
                quantified(b, names);
            }
            Formula::Atom(_) | Formula::Equal(..) | Formula::OfType(..) | Formula::Compare(..) => {}
        }
    }
    let mut names = free(&effect.when);
    quantified(&effect.when, &mut names);
    names.extend(effect.forall.iter().map(|typed| typed.name.to_string()));
    let mut add = |name: &str| {
        names.insert(name.to_owned());
    };
    in_atom(effect.change.target(), &[], &mut add);
    match &effect.change {
        Change::Add(_) | Change::Delete(_) => {}
        Change::Assign(_, by) | Change::Increase(_, by) | Change::Decrease(_, by) => {
            in_number(by, &[], &mut add);
        }
    }
    names
}

/// Replaces the free occurrences of a variable by a name that the renamed tree doesn't use.
struct Renaming<'n> {
    old: &'n Ident,
    new: &'n str,
}

impl Renaming<'_> {
    fn ident(&self, name: &mut Ident) {
        if *name == *self.old {
            *name = Ident::new(self.new.into(), name.span);
        }
    }

    fn term(&self, term: &mut Term) {
        if let Term::Variable(name) = term {
            self.ident(name);
        }
    }

    fn atom(&self, atom: &mut Atom) {
        for arg in &mut atom.args {
            self.term(arg);
        }
    }

    fn number(&self, number: &mut Number) {
        match number {
            Number::Constant(_) => {}
            Number::Function(atom) => self.atom(atom),
            Number::Arithmetic(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Number::Negative(a) => self.number(a),
        }
    }

    fn change(&self, change: &mut Change) {
        match change {
            Change::Add(atom) | Change::Delete(atom) => self.atom(atom),
            Change::Assign(atom, by) | Change::Increase(atom, by) | Change::Decrease(atom, by) => {
                self.atom(atom);
                self.number(by);
            }
        }
    }

    fn formula(&self, formula: &mut Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Equal(a, b) => {
                self.term(a);
                self.term(b);
            }
            Formula::OfType(a, _) => self.term(a),
            Formula::Compare(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Formula::Not(part) => self.formula(part),
            Formula::And(parts) | Formula::Or(parts) => {
                for part in parts {
                    self.formula(part);
                }
            }
            Formula::Imply(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            Formula::Forall(variables, body) | Formula::Exists(variables, body) => {
                let is_hidden = |typed: &Typed| typed.name == *self.old;
                if !variables.iter().any(is_hidden) {
                    self.formula(body);
                }
            }
        }
    }
}
