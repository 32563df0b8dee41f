//! A growing set of tuples of numbers, with indexes by some of their places.

use rustc_hash::FxHashSet;

/// No tuple.
pub const NONE: u32 = u32::MAX;

/// A set of tuples of one length. Tuples keep the number that they came with,
/// counted from 0.
#[derive(Debug, Default)]
pub struct Relation {
    arity: usize,
    parts: Vec<u32>,
    len: u32,
    /// Open addressing with linear probing; a power of two in length.
    slots: Vec<u32>,
    indexes: Vec<Index>,
}

/// Tuples by what they have in some places: chains of those that agree, the
/// newest first. A chain that is being walked may get a new head meanwhile.
#[derive(Debug)]
struct Index {
    places: Box<[u32]>,
    /// The newest tuple of each chain; open addressing.
    heads: Vec<u32>,
    chains: u32,
    /// The next tuple of each tuple's chain.
    next: Vec<u32>,
}

fn hash(parts: impl Iterator<Item = u32>) -> usize {
    let mut hash = 0u64;
    for part in parts {
        hash = (hash.rotate_left(23) ^ u64::from(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (hash >> 24) as usize
}

/// Slots for this many entries, at most three quarters full.
fn must_grow(entries: u32, slots: usize) -> bool {
    (entries as usize + 1) * 4 > slots * 3
}

impl Relation {
    /// An empty set of tuples of this length.
    pub fn new(arity: usize) -> Self {
        Self {
            arity,
            ..Self::default()
        }
    }

    /// How many tuples there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// How long each tuple is.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The tuple with a number.
    pub fn tuple(&self, number: u32) -> &[u32] {
        let start = number as usize * self.arity;
        &self.parts[start..start + self.arity]
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        let indexes = self.indexes.iter();
        let indexes: usize = indexes
            .map(|i| i.heads.capacity() + i.next.capacity())
            .sum();
        (self.parts.capacity() + self.slots.capacity() + indexes) * 4
    }

    /// Where a tuple is, or where it would go.
    fn probe(&self, tuple: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(tuple.iter().copied()) & mask;
        loop {
            let number = self.slots[slot];
            if number == NONE || self.tuple(number) == tuple {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a tuple, if it is there.
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        if self.slots.is_empty() || tuple.len() != self.arity {
            return None;
        }
        let number = self.slots[self.probe(tuple)];
        (number != NONE).then_some(number)
    }

    /// Adds a tuple; its number if it is new.
    pub fn insert(&mut self, tuple: &[u32]) -> Option<u32> {
        debug_assert_eq!(tuple.len(), self.arity);
        if must_grow(self.len, self.slots.len()) {
            self.slots = vec![NONE; (self.slots.len() * 2).max(8)];
            for number in 0..self.len {
                let slot = self.probe(self.tuple(number));
                self.slots[slot] = number;
            }
        }
        let slot = self.probe(tuple);
        if self.slots[slot] != NONE {
            return None;
        }
        let number = self.len;
        self.slots[slot] = number;
        self.parts.extend_from_slice(tuple);
        self.len += 1;
        let (arity, parts) = (self.arity, &self.parts);
        for index in &mut self.indexes {
            index.insert(number, arity, parts);
        }
        Some(number)
    }

    /// The number of an index by these places, which is made where there is none.
    pub fn index(&mut self, places: &[u32]) -> u32 {
        let same = |i: &Index| *i.places == *places;
        if let Some(found) = self.indexes.iter().position(same) {
            return found as u32;
        }
        let mut index = Index {
            places: places.into(),
            heads: vec![],
            chains: 0,
            next: vec![],
        };
        for number in 0..self.len {
            index.insert(number, self.arity, &self.parts);
        }
        self.indexes.push(index);
        self.indexes.len() as u32 - 1
    }

    /// The first tuple that has `key` in an index's places, or [`NONE`].
    pub fn first(&self, index: u32, key: &[u32]) -> u32 {
        let index = &self.indexes[index as usize];
        if index.heads.is_empty() {
            return NONE;
        }
        let slot = index.probe(key.iter().copied(), self.arity, &self.parts);
        index.heads[slot]
    }

    /// The tuple after another one in its chain, or [`NONE`].
    pub fn next(&self, index: u32, number: u32) -> u32 {
        self.indexes[index as usize].next[number as usize]
    }

    /// How many tuples agree in these places, on average.
    pub fn fan_out(&self, places: &[u32]) -> f64 {
        let mut keys = FxHashSet::default();
        for number in 0..self.len {
            let tuple = self.tuple(number);
            keys.insert(hash(places.iter().map(|p| tuple[*p as usize])));
        }
        f64::from(self.len) / (keys.len().max(1) as f64)
    }
}

impl Index {
    fn probe(&self, key: impl Iterator<Item = u32> + Clone, arity: usize, parts: &[u32]) -> usize {
        let mask = self.heads.len() - 1;
        let mut slot = hash(key.clone()) & mask;
        loop {
            let head = self.heads[slot];
            if head == NONE {
                return slot;
            }
            let start = head as usize * arity;
            let own = self.places.iter().map(|p| parts[start + *p as usize]);
            if own.eq(key.clone()) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn slot_of(&self, number: u32, arity: usize, parts: &[u32]) -> usize {
        let start = number as usize * arity;
        let key = self.places.iter().map(|p| parts[start + *p as usize]);
        self.probe(key, arity, parts)
    }

    fn insert(&mut self, number: u32, arity: usize, parts: &[u32]) {
        if must_grow(self.chains, self.heads.len()) {
            let longer = vec![NONE; (self.heads.len() * 2).max(8)];
            let heads = std::mem::replace(&mut self.heads, longer);
            for head in heads.into_iter().filter(|h| *h != NONE) {
                let slot = self.slot_of(head, arity, parts);
                self.heads[slot] = head;
            }
        }
        let slot = self.slot_of(number, arity, parts);
        self.chains += u32::from(self.heads[slot] == NONE);
        self.next.push(self.heads[slot]);
        self.heads[slot] = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_found_whole_and_by_their_places() {
        let mut relation = Relation::new(2);
        let by_second = relation.index(&[1]);
        for n in 0..100 {
            assert_eq!(relation.insert(&[n, n % 7]), Some(n));
        }
        assert_eq!(relation.insert(&[13, 6]), None);
        assert_eq!(relation.find(&[13, 6]), Some(13));
        assert_eq!(relation.find(&[13, 5]), None);
        let mut at = relation.first(by_second, &[3]);
        let mut found = vec![];
        while at != NONE {
            found.push(relation.tuple(at)[0]);
            at = relation.next(by_second, at);
        }
        assert_eq!(
            found,
            (0..100).filter(|n| n % 7 == 3).rev().collect::<Vec<_>>()
        );
        let later = relation.index(&[1]);
        assert_eq!(later, by_second);
        let empty = Relation::new(0);
        assert_eq!(empty.find(&[]), None);
    }
}
