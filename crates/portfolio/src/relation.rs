//! A growing set of tuples of numbers, with indexes on some of their positions.

use rustc_hash::FxHashSet;

use taskloom_document::stop::Stop;
use taskloom_planner::search_kit::{CHECK_INTERVAL, MemoryUse, NONE};

/// A set of tuples of one length, numbered from 0 in order of insertion.
#[derive(Debug, Default)]
pub struct Relation {
    arity: usize,
    parts: Vec<u32>,
    len: u32,
    slots: Slots,
    indexes: Vec<Index>,
}

/// Tuples by their values in some positions: chains of those that agree, newest first. A chain may
/// get a new head while it is traversed.
#[derive(Debug)]
struct Index {
    places: Box<[u32]>,
    /// The newest tuple of each chain.
    heads: Slots,
    /// The next tuple in each tuple's chain.
    next: Vec<u32>,
}

/// A hash table of numbers: open addressing with linear probing and a power of two as its size.
/// Entries move to a larger table incrementally, as more are added, so that no operation takes
/// long.
#[derive(Debug, Default)]
struct Slots {
    /// A number plus 1, or 0. New memory is 0 without being written.
    slots: Vec<u32>,
    entries: usize,
    /// The table being moved from, and the number of its slots already moved.
    old: Vec<u32>,
    moved: usize,
}

fn hash(parts: impl Iterator<Item = u32>) -> usize {
    let mut hash = 0u64;
    for part in parts {
        hash = (hash.rotate_left(23) ^ u64::from(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (hash >> 24) as usize
}

impl Slots {
    fn probe(slots: &[u32], hash: usize, is_match: &impl Fn(u32) -> bool) -> usize {
        let mask = slots.len() - 1;
        let mut slot = hash & mask;
        while slots[slot] != 0 && !is_match(slots[slot] - 1) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Returns the matching number, or [`NONE`].
    fn find(&self, hash: usize, is_match: &impl Fn(u32) -> bool) -> u32 {
        for slots in [&self.slots, &self.old] {
            if !slots.is_empty() {
                let slot = Self::probe(slots, hash, is_match);
                if slots[slot] != 0 {
                    return slots[slot] - 1;
                }
            }
        }
        NONE
    }

    /// Inserts a number that is not in the table, replacing an equal one if there is one.
    fn put(
        &mut self,
        number: u32,
        hash: &impl Fn(u32) -> usize,
        is_equal: &impl Fn(u32, u32) -> bool,
    ) {
        // At most three quarters full.
        if self.is_full() {
            let longer = vec![0; (self.slots.len() * 2).max(8)];
            self.old = std::mem::replace(&mut self.slots, longer);
            self.moved = 0;
        }
        for _ in 0..4 {
            let Some(from) = self.old.get(self.moved) else {
                self.old = vec![];
                break;
            };
            self.moved += 1;
            if let Some(entry) = from.checked_sub(1) {
                let slot = Self::probe(&self.slots, hash(entry), &|n| is_equal(n, entry));
                if self.slots[slot] == 0 {
                    self.slots[slot] = entry + 1;
                }
            }
        }
        let slot = Self::probe(&self.slots, hash(number), &|n| is_equal(n, number));
        self.slots[slot] = number + 1;
    }

    /// Returns `true` if the next entry triggers a move to a larger table.
    fn is_full(&self) -> bool {
        (self.entries + 1) * 4 > self.slots.len() * 3
    }

    fn memory_use(&self) -> MemoryUse {
        let slots = self.slots.len() * size_of::<u32>();
        let is_filling = (self.entries + CHECK_INTERVAL) * 4 > self.slots.len() * 3;
        let growth = if is_filling { 2 * slots } else { 0 };
        MemoryUse::growing(slots + self.old.len() * size_of::<u32>(), growth)
    }
}

impl Relation {
    /// Creates an empty set of tuples of this length.
    pub fn new(arity: usize) -> Self {
        Self {
            arity,
            ..Self::default()
        }
    }

    /// Returns the number of tuples.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns the length of each tuple.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Returns the tuple with this number.
    pub fn tuple(&self, number: u32) -> &[u32] {
        tuple(&self.parts, self.arity, number)
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let indexes = self.indexes.iter();
        let indexes = indexes.map(|i| i.heads.memory_use() + MemoryUse::of_vec(&i.next));
        MemoryUse::of_rows(&self.parts, self.arity) + self.slots.memory_use() + indexes.sum()
    }

    /// Returns the number of a tuple, if it is in the set.
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        if tuple.len() != self.arity {
            return None;
        }
        let is_match = |n| is_same(self.tuple(n), tuple);
        let number = self.slots.find(hash(tuple.iter().copied()), &is_match);
        (number != NONE).then_some(number)
    }

    /// Adds a tuple. Returns its number if it is new.
    pub fn insert(&mut self, new: &[u32]) -> Option<u32> {
        debug_assert_eq!(new.len(), self.arity);
        if self.find(new).is_some() {
            return None;
        }
        let number = self.len;
        self.parts.extend_from_slice(new);
        self.len += 1;
        self.slots.entries += 1;
        let (arity, parts) = (self.arity, &self.parts);
        let of = |number| tuple(parts, arity, number);
        let hash = |number| hash(of(number).iter().copied());
        self.slots.put(number, &hash, &|a, b| is_same(of(a), of(b)));
        for index in &mut self.indexes {
            // An index under construction will reach it later.
            if index.next.len() == number as usize {
                index.insert(number, arity, parts);
            }
        }
        Some(number)
    }

    /// Returns the number of an index on these positions, creating it if necessary.
    pub fn index(&mut self, places: &[u32]) -> u32 {
        let mut left = i64::MAX;
        loop {
            if let Some(index) = self.index_within(places, &mut left) {
                return index;
            }
        }
    }

    /// Creates an index incrementally, processing at most `left` tuples. Returns `None` until it is
    /// complete.
    pub fn index_within(&mut self, places: &[u32], left: &mut i64) -> Option<u32> {
        let found = self.indexes.iter().position(|i| *i.places == *places);
        let number = found.unwrap_or_else(|| {
            self.indexes.push(Index {
                places: places.into(),
                heads: Slots::default(),
                next: vec![],
            });
            self.indexes.len() - 1
        });
        let index = &mut self.indexes[number];
        while index.next.len() < self.len as usize {
            if *left <= 0 {
                return None;
            }
            *left -= 1;
            index.insert(index.next.len() as u32, self.arity, &self.parts);
        }
        Some(number as u32)
    }

    /// Returns the first tuple that matches `key` in an index's positions, or [`NONE`].
    pub fn first(&self, index: u32, key: &[u32]) -> u32 {
        let index = &self.indexes[index as usize];
        let is_match = |number| {
            let tuple = self.tuple(number);
            let own = index.places.iter().map(|p| tuple[*p as usize]);
            own.eq(key.iter().copied())
        };
        index.heads.find(hash(key.iter().copied()), &is_match)
    }

    /// Returns the next tuple in a tuple's chain, or [`NONE`].
    pub fn next(&self, index: u32, number: u32) -> u32 {
        self.indexes[index as usize].next[number as usize]
    }

    /// Returns the average number of tuples that agree in these positions.
    pub fn fan_out(&self, places: &[u32], stop: &Stop) -> f64 {
        let mut keys = FxHashSet::default();
        for number in (0..self.len).take_while(|_| !stop.after(1)) {
            let tuple = self.tuple(number);
            keys.insert(hash(places.iter().map(|p| tuple[*p as usize])));
        }
        f64::from(self.len) / (keys.len().max(1) as f64)
    }
}

fn tuple(parts: &[u32], arity: usize, number: u32) -> &[u32] {
    let start = number as usize * arity;
    &parts[start..start + arity]
}

/// Tuples are short: comparing them inline is faster than calling a byte comparison.
fn is_same(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl Index {
    fn insert(&mut self, number: u32, arity: usize, parts: &[u32]) {
        let places = &self.places;
        let key = |number| {
            let tuple = tuple(parts, arity, number);
            places.iter().map(move |p| tuple[*p as usize])
        };
        let hash = |number| hash(key(number));
        let is_equal = |a, b| key(a).eq(key(b));
        let next = self.heads.find(hash(number), &|n| is_equal(n, number));
        self.heads.entries += usize::from(next == NONE);
        self.next.push(next);
        self.heads.put(number, &hash, &is_equal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_tuples_by_value_and_by_position() {
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
