//! HDDL's types as the document's tree.
//!
//! In HDDL a type may be a kind of several others, a variable may range over
//! `(either a b)`, and an object may be of two types. The document's types are a
//! tree. So each type gets one parent, a variable the least type of the tree that
//! holds all its objects, and where that holds more, a guard: a static fact
//! `is-truck(?x)`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::syntax::ast::{Ident, Typed};
use taskloom_document::stop::Stop;

/// A set of types, by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Set(Vec<u64>);

impl Set {
    /// Puts a number in.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (number % 64);
        }
    }

    /// Whether a number is in.
    pub fn contains(&self, number: usize) -> bool {
        let word = self.0.get(number / 64).copied().unwrap_or_default();
        word >> (number % 64) & 1 == 1
    }

    fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or_default()
    }

    /// Whether all of these are among the others.
    pub fn is_subset(&self, others: &Self) -> bool {
        let mut words = self.0.iter().enumerate();
        words.all(|(at, word)| word & !others.word(at) == 0)
    }

    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn keep(&mut self, others: &Self) {
        for (at, word) in self.0.iter_mut().enumerate() {
            *word &= others.word(at);
        }
    }

    fn drop(&mut self, others: &Self) {
        for (at, word) in self.0.iter_mut().enumerate() {
            *word &= !others.word(at);
        }
    }

    fn add(&mut self, others: &Self) {
        for (at, word) in others.0.iter().enumerate() {
            if self.0.len() <= at {
                self.0.push(0);
            }
            if let Some(own) = self.0.get_mut(at) {
                *own |= word;
            }
        }
    }

    /// The numbers in it.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let numbers = 0..self.0.len() * 64;
        numbers.filter(|number| self.contains(*number))
    }
}

/// What a variable may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The types of the objects.
    pub set: Set,
    /// It is of one of each of these.
    pub within: Vec<Vec<usize>>,
    /// It is of none of these.
    pub without: Vec<usize>,
}

/// What a guard says of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// It is of one of these types.
    OneOf(Vec<usize>),
    /// It is not of this type.
    Not(usize),
}

/// The types of a domain. Number 0 is `object`.
#[derive(Debug)]
pub struct Types {
    /// Their names; those made here have none that a file could use.
    pub names: Vec<Ident>,
    numbers: FxHashMap<Arc<str>, usize>,
    above: Vec<Vec<usize>>,
    /// The parent of each in the tree.
    pub parents: Vec<usize>,
    /// The kinds of each, itself included, as declared.
    sets: Vec<Set>,
    /// The kinds of each in the tree.
    trees: Vec<Set>,
    stop: Stop,
}

impl Types {
    /// `object` alone.
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

    /// The number of a type, which is added where it is new.
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

    /// Declares a type and what it is a kind of.
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

    /// The number of a type that is known.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// A type for objects that are of several: the one among them that is a kind
    /// of all others, or else one that is made for them. The types have to be
    /// settled before, and again after.
    pub fn joint(&mut self, several: &[usize]) -> usize {
        let is_least = |of: &&usize| several.iter().all(|other| self.is_kind_of(**of, *other));
        if let Some(least) = several.iter().find(is_least) {
            return *least;
        }
        let names: Vec<&str> = several
            .iter()
            .filter_map(|of| self.names.get(*of).map(Ident::as_str))
            .collect();
        // No file can have a type of this name: it has a blank.
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

    /// Works out parents and kinds, once all types are there.
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
                seen.insert(next);
                if let Some(set) = self.sets.get_mut(next) {
                    set.insert(number);
                }
                above.extend(self.above.get(next).into_iter().flatten());
            }
            if let Some(all) = self.sets.first_mut() {
                all.insert(number);
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
                    tree.insert(number);
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

    /// Whether a type is on the way from another one to the root.
    fn is_above(&self, above: usize, mut of: usize) -> bool {
        while of != 0 && !self.stop.after(1) {
            if of == above {
                return true;
            }
            of = self.parent(of);
        }
        false
    }

    /// Whether a type was declared to be a kind of another.
    pub fn is_kind_of(&self, number: usize, of: usize) -> bool {
        self.sets.get(of).is_some_and(|set| set.contains(number))
    }

    /// The kinds of a type, as declared.
    pub fn kinds(&self, of: usize) -> Set {
        self.sets.get(of).cloned().unwrap_or_default()
    }

    fn union(&self, of: &[usize]) -> Set {
        let mut union = Set::default();
        for of in of {
            union.add(&self.kinds(*of));
        }
        union
    }

    /// All objects of one of some types; none: of any type.
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

    /// Leaves what is in another range as well.
    pub fn narrow(&self, range: &mut Range, by: &Range) {
        if range.set.is_subset(&by.set) {
            return;
        }
        range.set.keep(&by.set);
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

    /// Leaves what is not of some types.
    pub fn exclude(&self, range: &mut Range, types: &[usize]) {
        range.set.drop(&self.union(types));
        for of in types {
            if !range.without.contains(of) {
                range.without.push(*of);
            }
        }
    }

    /// The least type of the tree that holds all of these; none for no types.
    pub fn cover(&self, set: &Set) -> Option<usize> {
        let mut of = set.iter().next()?;
        while of != 0
            && !self.stop.after(1 + self.len() / 64)
            && !self.trees.get(of).is_some_and(|tree| set.is_subset(tree))
        {
            of = self.parent(of);
        }
        Some(of)
    }

    /// Whether no object is of both of two types of the tree.
    pub fn are_apart(&self, a: usize, b: usize) -> bool {
        !self.is_above(a, b) && !self.is_above(b, a) && a != 0 && b != 0
    }

    /// What has to be said of a variable of a range beside its type in the tree.
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
            shared.keep(tree);
            !shared.is_empty()
        });
        beyond.chain(without.map(|of| Guard::Not(*of))).collect()
    }
}
