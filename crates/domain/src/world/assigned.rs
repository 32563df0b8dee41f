//! Values of ground facts, by fact.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::ground::{Atom, Value};
use taskloom_document::Name;

/// The arguments of a ground fact. Up to two of them, as most facts have, are stored in the map itself: each actor has
/// maps of its own, so a lookup mostly waits for memory.
type Args = SmallVec<[Name; 2]>;

/// The values of one fact, by its arguments.
type OfFact = FxHashMap<Args, Value>;

/// The removal of objects from several worlds. Worlds that share values share them afterwards, too.
#[derive(Debug, Default)]
pub struct Removal {
    objects: FxHashSet<Name>,
    /// The results, by the addresses of the values before.
    done: FxHashMap<usize, Removed>,
}

/// The result of a removal of objects from the values of a fact.
#[derive(Debug, Clone)]
struct Removed {
    /// The values before, which are kept so that no others get their address.
    _before: Arc<OfFact>,
    after: Arc<OfFact>,
    /// The arguments for which the value is one of the objects.
    referring: Arc<[Args]>,
}

impl Removal {
    /// Creates the removal of these objects.
    pub fn of(objects: impl IntoIterator<Item = Name>) -> Self {
        Self {
            objects: objects.into_iter().collect(),
            done: FxHashMap::default(),
        }
    }

    /// Returns `true` if it removes exactly these objects.
    pub fn is_of(&self, objects: &[Name]) -> bool {
        let distinct: FxHashSet<&Name> = objects.iter().collect();
        distinct.len() == self.objects.len()
            && distinct.iter().all(|one| self.objects.contains(*one))
    }

    /// Returns `true` if a value is one of the objects.
    pub fn is_about(&self, value: &Value) -> bool {
        matches!(value, Value::Object(Some(object)) if self.objects.contains(object))
    }

    /// Returns the removal from the values of a fact.
    fn applied_to(&mut self, of_fact: &Arc<OfFact>) -> Removed {
        let address = Arc::as_ptr(of_fact) as usize;
        if let Some(done) = self.done.get(&address) {
            return done.clone();
        }
        let is_about = |args: &[Name]| args.iter().any(|arg| self.objects.contains(arg));
        let referring = of_fact.iter();
        let referring = referring.filter(|(args, value)| self.is_about(value) && !is_about(args));
        let referring = referring.map(|(args, _)| args.clone()).collect();
        let mut after = of_fact.clone();
        if of_fact.keys().any(|args| is_about(args)) {
            Arc::make_mut(&mut after).retain(|args, _| !is_about(args));
        }
        let removed = Removed {
            _before: of_fact.clone(),
            after,
            referring,
        };
        // Nobody else asks for values that aren't shared.
        if Arc::strong_count(of_fact) > 2 {
            self.done.insert(address, removed.clone());
        }
        removed
    }
}

/// Values of ground facts. A copy shares the values of each fact until one of them changes.
#[derive(Debug, Clone, Default)]
pub struct Assigned(FxHashMap<Name, Arc<OfFact>>);

impl Assigned {
    /// Returns the value of a ground fact, if it has one.
    pub fn get(&self, atom: &Atom) -> Option<&Value> {
        self.0.get(&atom.fact)?.get(&atom.args[..])
    }

    /// Returns `true` if a ground fact has a value.
    pub fn contains(&self, atom: &Atom) -> bool {
        self.get(atom).is_some()
    }

    /// Sets the value of a ground fact.
    pub fn insert(&mut self, atom: &Atom, value: Value) {
        let of_fact = match self.0.get_mut(&atom.fact) {
            Some(of_fact) => Arc::make_mut(of_fact),
            None => Arc::make_mut(self.0.entry(atom.fact.clone()).or_default()),
        };
        match of_fact.get_mut(&atom.args[..]) {
            Some(known) => *known = value,
            None => _ = of_fact.insert(atom.args.iter().cloned().collect(), value),
        }
    }

    /// Removes the value of a ground fact.
    pub fn remove(&mut self, atom: &Atom) {
        if let Some(of_fact) = self.0.get_mut(&atom.fact)
            && of_fact.contains_key(&atom.args[..])
        {
            Arc::make_mut(of_fact).remove(&atom.args[..]);
        }
    }

    /// Removes the values about objects of the facts that may be about them. Returns the other ground facts
    /// that have one of the objects as their value.
    pub fn remove_objects(
        &mut self,
        removal: &mut Removal,
        may_be_about: &dyn Fn(&Name) -> bool,
    ) -> Vec<Atom> {
        let mut referring = vec![];
        for (fact, of_fact) in self.0.iter_mut().filter(|(fact, _)| may_be_about(fact)) {
            let removed = removal.applied_to(of_fact);
            referring.extend(removed.referring.iter().map(|args| Atom {
                fact: fact.clone(),
                args: args.to_vec(),
            }));
            *of_fact = removed.after.clone();
        }
        referring
    }

    /// Returns all values, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Atom, Value)> {
        self.0.iter().flat_map(|(fact, of_fact)| {
            of_fact.iter().map(|(args, value)| {
                let atom = Atom {
                    fact: fact.clone(),
                    args: args.to_vec(),
                };
                (atom, value.clone())
            })
        })
    }

    /// Returns the arguments of a fact's ground instances, in no particular order.
    pub fn args_of(&self, fact: &Name) -> impl Iterator<Item = &[Name]> {
        let of_fact = self.0.get(fact).into_iter();
        of_fact.flat_map(|of_fact| of_fact.keys().map(|args| &**args))
    }

    /// Returns the facts that have values which aren't shared with another version.
    pub fn facts_that_differ<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Name> {
        let differing = self.0.iter().filter(|(fact, of_fact)| {
            let there = other.0.get(*fact);
            there.is_none_or(|there| !Arc::ptr_eq(of_fact, there))
        });
        let missing = other.0.keys().filter(|fact| !self.0.contains_key(*fact));
        differing.map(|(fact, _)| fact).chain(missing)
    }

    /// Calls a function with the arguments of each ground instance of a fact whose values here and in another
    /// version differ, and with the value here if both have one.
    pub fn each_difference(
        &self,
        other: &Self,
        fact: &Name,
        visit: &mut dyn FnMut(&[Name], Option<&Value>),
    ) {
        let (here, there) = (self.0.get(fact), other.0.get(fact));
        if here.zip(there).is_some_and(|(a, b)| Arc::ptr_eq(a, b)) {
            return;
        }
        let (here, there) = (here.map(|one| &**one), there.map(|one| &**one));
        for (args, value) in here.into_iter().flatten() {
            let other = there.and_then(|there| there.get(&args[..]));
            if other != Some(value) {
                visit(args, other.map(|_| value));
            }
        }
        for args in there.into_iter().flat_map(|there| there.keys()) {
            if here.is_none_or(|here| !here.contains_key(&args[..])) {
                visit(args, None);
            }
        }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.0.values().map(|of_fact| of_fact.len()).sum()
    }

    /// Returns `true` if there is no value.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|of_fact| of_fact.is_empty())
    }
}

impl FromIterator<(Atom, Value)> for Assigned {
    fn from_iter<T: IntoIterator<Item = (Atom, Value)>>(values: T) -> Self {
        let mut assigned = Self::default();
        for (atom, value) in values {
            assigned.insert(&atom, value);
        }
        assigned
    }
}
