//! HDDL's types as a tree.
//!
//! In HDDL, a type may have several parents, a variable may range over `(either a b)`, and an
//! object may have two types. The document's types are a tree. So each type gets one parent, a
//! variable gets the smallest type of the tree that contains all its objects, and a guard if that
//! contains more: a static fact `is-truck(?x)`.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::syntax::ast::{Ident, Typed};
use taskloom_document::stop::Stop;

/// A set of types, by number.
pub type Set = FixedBitSet;

/// The range of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The types of the objects.
    pub set: Set,
    /// The variable has one of each of these type lists.
    pub within: Vec<Vec<usize>>,
    /// The variable has none of these types.
    pub without: Vec<usize>,
}

/// A guard on a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// It has one of these types.
    OneOf(Vec<usize>),
    /// It doesn't have this type.
    Not(usize),
}

/// The types of a domain. Number 0 is `object`.
#[derive(Debug)]
pub struct Types {
    /// Their names; generated ones can't occur in a file.
    pub names: Vec<Ident>,
    numbers: FxHashMap<Arc<str>, usize>,
    above: Vec<Vec<usize>>,
    /// The parent of each in the tree.
    pub parents: Vec<usize>,
    /// The subtypes of each, including itself, as declared.
    sets: Vec<Set>,
    /// The subtypes of each in the tree.
    trees: Vec<Set>,
    stop: Stop,
}

impl Types {
    /// Creates the types with `object` alone.
    pub fn new(stop: Stop) -> Self {
        let object = Ident::from("object");
        Self {
            numbers: FxHashMap::from_iter([(object.text().clone(), 0)]),
            names: vec![object],
            above: vec![vec![]],
            parents: vec![],
            sets: vec![],
            trees: vec![],
            stop,
        }
    }

    /// Returns the number of a type, which is added if it is new.
    pub fn add(&mut self, name: &Ident) -> usize {
        if let Some(number) = self.numbers.get(name.text()) {
            return *number;
        }
        let number = self.names.len();
        self.numbers.insert(name.text().clone(), number);
        self.names.push(name.clone());
        self.above.push(vec![]);
        number
    }

    /// Declares a type and its parents.
    pub fn declare(&mut self, declared: &Typed) {
        let number = self.add(&declared.name);
        for of in &declared.of {
            let parent = self.add(of);
            self.put_under(number, parent);
        }
    }

    fn put_under(&mut self, number: usize, parent: usize) {
        if let Some(above) = self.above.get_mut(number)
            && number != 0
            && parent != number
            && !above.contains(&parent)
        {
            above.push(parent);
        }
    }

    /// Returns the number of a known type.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Returns the number of types.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns a type for objects of several types: the one among them that is a subtype of all
    /// others, or else a new one. The types have to be settled before, and again after.
    pub fn joint(&mut self, several: &[usize]) -> usize {
        let is_least = |of: &&usize| several.iter().all(|other| self.is_kind_of(**of, *other));
        if let Some(least) = several.iter().find(is_least) {
            return *least;
        }
        let names: Vec<&str> = several
            .iter()
            .filter_map(|of| self.names.get(*of).map(Ident::as_str))
            .collect();
        // No file can contain a type of this name: it has a space.
        let key: Arc<str> = names.join(" ").into();
        let number = match self.numbers.get(&key) {
            Some(number) => return *number,
            None => self.names.len(),
        };
        self.numbers.insert(key, number);
        self.names.push(Ident::from(names.join("-")));
        self.above.push(several.to_vec());
        number
    }

    /// Computes parents and subtypes, once all types are declared.
    pub fn settle(&mut self) {
        let count = self.len();
        self.sets = vec![Set::default(); count];
        for number in 0..count {
            let mut above = vec![number];
            let mut seen = Set::default();
            while let Some(next) = above.pop() {
                if self.stop.after(1) {
                    break;
                }
                if seen.contains(next) {
                    continue;
                }
                seen.grow_and_insert(next);
                if let Some(set) = self.sets.get_mut(next) {
                    set.grow_and_insert(number);
                }
                above.extend(self.above.get(next).into_iter().flatten());
            }
            if let Some(all) = self.sets.first_mut() {
                all.grow_and_insert(number);
            }
        }
        self.parents = vec![0; count];
        for number in 1..count {
            let above = self.above.get(number).cloned().unwrap_or_default();
            if self.stop.after(above.len().saturating_mul(above.len())) {
                break;
            }
            let is_closest = |of: &usize| {
                let mut others = above.iter().filter(|other| *other != of);
                !others.any(|other| self.is_kind_of(*other, *of) && !self.is_kind_of(*of, *other))
            };
            let closest = above.iter().copied().filter(is_closest);
            let parent = closest.into_iter().find(|of| !self.is_above(number, *of));
            if let Some(own) = self.parents.get_mut(number) {
                *own = parent.unwrap_or(0);
            }
        }
        self.trees = vec![Set::default(); count];
        for number in 0..count {
            let mut at = number;
            loop {
                if let Some(tree) = self.trees.get_mut(at) {
                    tree.grow_and_insert(number);
                }
                if at == 0 || self.stop.after(1) {
                    break;
                }
                at = self.parent(at);
            }
        }
    }

    fn parent(&self, of: usize) -> usize {
        self.parents.get(of).copied().unwrap_or_default()
    }

    /// Returns `true` if a type is an ancestor of another in the tree.
    fn is_above(&self, above: usize, mut of: usize) -> bool {
        while of != 0 && !self.stop.after(1) {
            if of == above {
                return true;
            }
            of = self.parent(of);
        }
        false
    }

    /// Returns `true` if a type was declared to be a subtype of another.
    pub fn is_kind_of(&self, number: usize, of: usize) -> bool {
        self.sets.get(of).is_some_and(|set| set.contains(number))
    }

    /// Returns the subtypes of a type, as declared.
    pub fn kinds(&self, of: usize) -> Set {
        self.sets.get(of).cloned().unwrap_or_default()
    }

    fn union(&self, of: &[usize]) -> Set {
        let mut union = Set::default();
        for of in of {
            union.union_with(&self.kinds(*of));
        }
        union
    }

    /// Returns the range of all objects of one of some types; without types, of any type.
    pub fn range(&self, of: &[usize]) -> Range {
        if of.is_empty() || of.contains(&0) {
            return Range {
                set: self.kinds(0),
                within: vec![],
                without: vec![],
            };
        }
        Range {
            set: self.union(of),
            within: vec![of.to_vec()],
            without: vec![],
        }
    }

    /// Intersects a range with another.
    pub fn narrow(&self, range: &mut Range, by: &Range) {
        if range.set.is_subset(&by.set) {
            return;
        }
        range.set.intersect_with(&by.set);
        for within in &by.within {
            if !range.within.contains(within) {
                range.within.push(within.clone());
            }
        }
        for without in &by.without {
            if !range.without.contains(without) {
                range.without.push(*without);
            }
        }
    }

    /// Excludes some types from a range.
    pub fn exclude(&self, range: &mut Range, types: &[usize]) {
        range.set.difference_with(&self.union(types));
        for of in types {
            if !range.without.contains(of) {
                range.without.push(*of);
            }
        }
    }

    /// Returns the smallest type of the tree that contains all of these; `None` for no types.
    pub fn cover(&self, set: &Set) -> Option<usize> {
        let mut of = set.minimum()?;
        while of != 0
            && !self.stop.after(1 + self.len() / 64)
            && !self.trees.get(of).is_some_and(|tree| set.is_subset(tree))
        {
            of = self.parent(of);
        }
        Some(of)
    }

    /// Returns `true` if no object has both of two types of the tree.
    pub fn are_apart(&self, a: usize, b: usize) -> bool {
        !self.is_above(a, b) && !self.is_above(b, a) && a != 0 && b != 0
    }

    /// Returns the guards on a variable of a range, apart from its type in the tree.
    pub fn guards(&self, range: &Range, cover: usize) -> Vec<Guard> {
        let Some(tree) = self.trees.get(cover) else {
            return vec![];
        };
        let beyond = range
            .within
            .iter()
            .filter(|within| !tree.is_subset(&self.union(within)))
            .map(|within| Guard::OneOf(within.clone()));
        let without = range.without.iter().filter(|of| {
            let mut shared = self.kinds(**of);
            shared.intersect_with(tree);
            !shared.is_clear()
        });
        beyond.chain(without.map(|of| Guard::Not(*of))).collect()
    }
}
