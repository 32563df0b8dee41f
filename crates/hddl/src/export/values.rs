//! The values of terms. Object facts are predicates whose last argument is the value, so a term
//! that contains one has several possible objects, each under a condition.

use std::collections::BTreeMap;

use super::formula::Lowering;
use super::simplify::{and, or};
use crate::syntax::ast::{Atom, Formula, Term};
use taskloom_document::sort::set_of;
use taskloom_document::{Fact, Kind, Name, ValueKind};
use taskloom_domain::lang::typed::Term as TypedTerm;

/// A term and the type of its value.
#[derive(Debug, Clone)]
pub struct Place {
    /// The term.
    pub term: Term,
    /// Its type.
    pub of: Name,
}

/// The possible values of a term, each with its condition. The conditions are mutually exclusive;
/// if none holds, the term is undefined.
pub type Values = Vec<(Formula, Place)>;

/// The values of variables.
pub type Bindings = BTreeMap<Name, Values>;

/// Returns the Cartesian product, in lexicographic order.
fn combinations(each: Vec<Values>) -> Vec<(Formula, Vec<Place>)> {
    let mut all = vec![(Formula::TRUE, vec![])];
    for values in each {
        let mut longer = vec![];
        for (guard, places) in &all {
            for (also, place) in &values {
                let guard = and([guard.clone(), also.clone()]);
                if !guard.is_false() {
                    let mut places: Vec<Place> = places.clone();
                    places.push(place.clone());
                    longer.push((guard, places));
                }
            }
        }
        all = longer;
    }
    all
}

impl<'m> Lowering<'m> {
    /// Returns the fact of this name.
    pub fn fact(&self, name: &Name) -> Option<&'m Fact> {
        self.input.document.facts.get(name).map(|fact| &**fact)
    }

    /// Returns the names of the objects of a type and its subtypes.
    pub fn names_of(&self, of: &Name) -> Vec<Name> {
        self.input.scene.objects_of(self.input.document, of)
    }

    /// Returns an object, and notes that the domain mentions it.
    pub fn object(&self, name: &Name) -> Place {
        self.mentioned.borrow_mut().insert(name.clone());
        Place {
            term: Term::Constant(self.names.of(Kind::Object, name)),
            of: self.input.scene.type_of(name).unwrap_or(name).clone(),
        }
    }

    /// Returns all objects of a type as values.
    pub fn objects_of(&self, of: &Name) -> Vec<Place> {
        let names = self.names_of(of);
        names.iter().map(|name| self.object(name)).collect()
    }

    /// Returns a fact as an atom.
    pub fn predicate(&self, fact: &Name, args: impl IntoIterator<Item = Place>) -> Atom {
        Atom {
            name: self.names.of(Kind::Fact, fact),
            args: args.into_iter().map(|place| place.term).collect(),
        }
    }

    /// Returns the possible values of a term.
    pub fn term(&self, term: &TypedTerm, bindings: &Bindings) -> Values {
        match term {
            TypedTerm::Variable(name) => bindings.get(name).cloned().unwrap_or_default(),
            TypedTerm::Object(name) => vec![(Formula::TRUE, self.object(name))],
            // There is no acting character, so it is undefined.
            TypedTerm::Me => vec![],
            TypedTerm::Fact(name, args) => {
                let Some(of) = self.value_type(name) else {
                    return vec![];
                };
                let mut values = vec![];
                let all = self.terms(args, bindings);
                let objects = self.objects_of(of);
                if !self.spend(all.len().saturating_mul(objects.len())) {
                    return vec![];
                }
                for (guard, args) in all {
                    for object in objects.iter().cloned() {
                        let args = args.iter().cloned().chain([object.clone()]);
                        let holds = Formula::Atom(self.predicate(name, args));
                        values.push((and([guard.clone(), holds]), object));
                    }
                }
                values
            }
        }
    }

    /// Returns the possible combinations of the arguments' values.
    pub fn terms(&self, terms: &[TypedTerm], bindings: &Bindings) -> Vec<(Formula, Vec<Place>)> {
        let each: Vec<Values> = terms.iter().map(|t| self.term(t, bindings)).collect();
        let count = each
            .iter()
            .try_fold(1usize, |count, values| count.checked_mul(values.len()));
        let count = count.unwrap_or(usize::MAX);
        if count > 1 && !self.spend(count) {
            return vec![];
        }
        combinations(each)
    }

    /// Returns a fact with arguments, under each condition.
    pub fn atoms(
        &self,
        fact: &Name,
        args: &[TypedTerm],
        bindings: &Bindings,
    ) -> Vec<(Formula, Atom)> {
        let atom = |(guard, args): (Formula, Vec<Place>)| (guard, self.predicate(fact, args));
        self.terms(args, bindings).into_iter().map(atom).collect()
    }

    /// Returns the condition under which two terms are the same object.
    pub fn same(&self, a: &Place, b: &Place) -> Formula {
        if a.term == b.term {
            return Formula::TRUE;
        }
        let document = self.input.document;
        let related = document.is_kind_of(&a.of, &b.of) || document.is_kind_of(&b.of, &a.of);
        let both_named = matches!((&a.term, &b.term), (Term::Constant(_), Term::Constant(_)));
        let constant_fits = |constant: &Place, variable: &Place| {
            !matches!(
                (&constant.term, &variable.term),
                (Term::Constant(_), Term::Variable(_))
            ) || document.is_kind_of(&constant.of, &variable.of)
        };
        if both_named || !related || !constant_fits(a, b) || !constant_fits(b, a) {
            return Formula::FALSE;
        }
        Formula::Equal(a.term.clone(), b.term.clone())
    }

    /// Returns the condition under which two terms have the same value.
    pub(super) fn same_value(&self, a: &TypedTerm, b: &TypedTerm, bindings: &Bindings) -> Formula {
        let mut parts = vec![];
        // The predicate of an object fact states directly whether a term is its value.
        let (fact, other) = match (a, b) {
            (TypedTerm::Fact(..), TypedTerm::Fact(..)) => (None, b),
            (TypedTerm::Fact(..), _) => (Some(a), b),
            (_, TypedTerm::Fact(..)) => (Some(b), a),
            _ => (None, b),
        };
        if let Some(TypedTerm::Fact(name, args)) = fact
            && let Some(of) = self.value_type(name)
            && let [(_, place)] = self.term(other, bindings).as_slice()
            && self.input.document.is_kind_of(&place.of, of)
        {
            for (guard, args) in self.terms(args, bindings) {
                let args = args.into_iter().chain([place.clone()]);
                let holds = Formula::Atom(self.predicate(name, args));
                parts.push(and([guard, holds]));
            }
            return or(parts);
        }
        for (when_a, a) in self.term(a, bindings) {
            for (when_b, b) in self.term(b, bindings) {
                let same = self.same(&a, &b);
                parts.push(and([when_a.clone(), when_b.clone(), same]));
            }
        }
        or(parts)
    }

    /// Returns `true` if an object fact has a value for all arguments in every state: it is set
    /// initially and nothing ever unsets it.
    pub fn always_has_value(&self, fact: &Name) -> bool {
        let Some(params) = self.fact(fact).map(|fact| &fact.params) else {
            return false;
        };
        let count = params.iter().try_fold(1usize, |count, param| {
            count.checked_mul(self.names_of(&param.of).len())
        });
        let initial = self.input.initial.iter();
        let set = set_of(initial.filter(|i| i.atom.fact == *fact).map(|i| &i.atom));
        count == Some(set.len())
    }

    /// Returns the kind of values of an atom's fact; `None` for the total cost.
    pub fn value_of(&self, atom: &Atom) -> Option<&'m ValueKind> {
        let mut facts = self.input.document.facts.iter();
        let fact = facts.find(|(name, _)| self.names.of(Kind::Fact, name) == atom.name);
        fact.map(|(_, fact)| &fact.value)
    }

    /// Returns the type of an object fact's values.
    pub fn value_type(&self, fact: &Name) -> Option<&'m Name> {
        match &self.fact(fact)?.value {
            ValueKind::Object(of) => Some(of),
            _ => None,
        }
    }
}
