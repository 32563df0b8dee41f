//! Accounting of memory use: what a search uses, and what it may need until the next check.

use std::collections::BinaryHeap;
use std::iter::Sum;
use std::ops::Add;

use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of entries that a table may gain between two memory checks.
pub const BETWEEN_LOOKS: usize = 1024;

/// The memory use of tables. A table without room moves to a new one of twice its size, and for a
/// moment both exist. [`Self::ahead`] includes that in advance, before it happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The bytes in use.
    pub held: u64,
    /// The additional bytes of tables that are about to grow.
    growth: u64,
    /// The size of the largest table that moves when it grows.
    moving: u64,
}

impl Footprint {
    /// Returns the memory use of something that doesn't grow.
    pub fn fixed(bytes: usize) -> Self {
        Self {
            held: bytes as u64,
            ..Self::default()
        }
    }

    /// Returns the memory use of a table that doubles and moves if it `is_filling`.
    fn doubling(bytes: usize, is_filling: bool) -> Self {
        let bytes = bytes as u64;
        let more = if is_filling { bytes } else { 0 };
        Self {
            held: bytes,
            growth: more,
            moving: more,
        }
    }

    /// Returns the memory use of a table that frees its old memory once it has `more` additional
    /// bytes.
    pub fn growing(bytes: usize, more: usize) -> Self {
        Self {
            held: bytes as u64,
            growth: more as u64,
            moving: 0,
        }
    }

    /// Returns the memory use of a vector, excluding the heap memory of its elements.
    pub fn of_vec<T>(vec: &Vec<T>) -> Self {
        Self::of_rows(vec, 1)
    }

    /// Returns the memory use of a vector that grows by `row` elements at a time.
    pub fn of_rows<T>(vec: &Vec<T>, row: usize) -> Self {
        let is_filling = vec.len() + BETWEEN_LOOKS * row > vec.capacity();
        Self::doubling(vec.capacity() * size_of::<T>(), is_filling)
    }

    /// Returns the memory use of a heap, excluding the heap memory of its elements.
    pub fn of_heap<T>(heap: &BinaryHeap<T>) -> Self {
        let is_filling = heap.len() + BETWEEN_LOOKS > heap.capacity();
        Self::doubling(heap.capacity() * size_of::<T>(), is_filling)
    }

    /// Returns the memory use of a map, excluding the heap memory of its entries.
    pub fn of_map<K, V>(map: &FxHashMap<K, V>) -> Self {
        Self::of_hashes(size_of::<(K, V)>(), map.len(), map.capacity())
    }

    /// Returns the memory use of a set, excluding the heap memory of its elements.
    pub fn of_set<T>(set: &FxHashSet<T>) -> Self {
        Self::of_hashes(size_of::<T>(), set.len(), set.capacity())
    }

    /// Returns the memory use of a hash table of the standard library, which is at most seven
    /// eighths full and has an additional byte for each entry.
    fn of_hashes(size: usize, len: usize, capacity: usize) -> Self {
        let buckets = (capacity * 8 / 7).next_power_of_two();
        let bytes = if capacity == 0 {
            0
        } else {
            buckets * (size + 1)
        };
        Self::doubling(bytes, len + BETWEEN_LOOKS > capacity)
    }

    /// Returns the peak memory use until the next check.
    pub fn ahead(self) -> u64 {
        self.held + self.growth + self.moving
    }
}

impl Add for Footprint {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            held: self.held + other.held,
            growth: self.growth + other.growth,
            moving: self.moving.max(other.moving),
        }
    }
}

impl Sum for Footprint {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// The memory use at the last check, and its peak.
#[derive(Debug, Clone, Copy, Default)]
pub struct Held {
    last: Footprint,
    most: u64,
}

impl Held {
    /// Records the memory use at a check. If a table moved since the last one, both of its copies
    /// existed for a moment.
    pub fn look(&mut self, now: Footprint) {
        let come = now.held.saturating_sub(self.last.held);
        self.most = self.most.max(now.held + come.min(self.last.moving));
        self.last = now;
    }

    /// Records the memory use at a moment between two checks.
    pub fn note(&mut self, bytes: u64) {
        self.most = self.most.max(bytes);
    }

    /// Returns the peak memory use, given the current one.
    pub fn most(mut self, now: Footprint) -> u64 {
        self.look(now);
        self.most
    }
}

/// The error that the memory limit would be exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// A memory quota, from which memory is reserved before it is allocated.
#[derive(Debug)]
pub struct Allowance {
    limit: u64,
    /// The bytes reserved.
    pub taken: u64,
    /// The peak of the bytes reserved.
    pub most: u64,
}

impl Allowance {
    /// Creates a quota of `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self {
            limit,
            taken: 0,
            most: 0,
        }
    }

    /// Reserves bytes.
    ///
    /// # Errors
    /// Fails if fewer bytes are available.
    pub fn take(&mut self, bytes: usize) -> Result<(), Full> {
        let taken = self.taken + bytes as u64;
        if taken > self.limit {
            return Err(Full);
        }
        self.taken = taken;
        self.most = self.most.max(taken);
        Ok(())
    }

    /// Replaces the reservation of tables by their current memory use.
    ///
    /// # Errors
    /// Fails if the memory that they may need until the next check isn't available.
    pub fn look(&mut self, before: Footprint, now: Footprint) -> Result<(), Full> {
        self.taken = self.taken.saturating_sub(before.held);
        if self.taken + now.ahead() > self.limit {
            return Err(Full);
        }
        self.taken += now.held;
        self.most = self.most.max(self.taken);
        Ok(())
    }

    /// Returns the number of bytes available.
    pub fn left(&self) -> u64 {
        self.limit - self.taken
    }

    /// Releases bytes.
    pub fn give_back(&mut self, bytes: usize) {
        self.taken = self.taken.saturating_sub(bytes as u64);
    }
}
