//! How much memory a search holds, and what it will need before it is looked at again.

use std::collections::BinaryHeap;
use std::iter::Sum;
use std::ops::Add;

use rustc_hash::{FxHashMap, FxHashSet};

/// So many entries may come to a table between two looks.
pub const BETWEEN_LOOKS: usize = 1024;

/// What tables take. A table that has no room left moves to one of twice its size, and
/// for a moment there are both. Who asks for [`Self::ahead`] before going on knows of it
/// before it happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes held.
    pub held: u64,
    /// What the tables that are about to grow will hold in addition.
    growth: u64,
    /// The largest of those that move when they grow.
    moving: u64,
}

impl Footprint {
    /// What does not grow.
    pub fn fixed(bytes: usize) -> Self {
        Self {
            held: bytes as u64,
            ..Self::default()
        }
    }

    /// A table of so many bytes, which doubles and then moves if it `is_filling`.
    fn doubling(bytes: usize, is_filling: bool) -> Self {
        let bytes = bytes as u64;
        let more = if is_filling { bytes } else { 0 };
        Self {
            held: bytes,
            growth: more,
            moving: more,
        }
    }

    /// A table that leaves what it had behind once it has `more` bytes in addition.
    pub fn growing(bytes: usize, more: usize) -> Self {
        Self {
            held: bytes as u64,
            growth: more as u64,
            moving: 0,
        }
    }

    /// A vector, but for what its elements hold elsewhere.
    pub fn of_vec<T>(vec: &Vec<T>) -> Self {
        Self::of_rows(vec, 1)
    }

    /// The same where so many elements come at once.
    pub fn of_rows<T>(vec: &Vec<T>, row: usize) -> Self {
        let is_filling = vec.len() + BETWEEN_LOOKS * row > vec.capacity();
        Self::doubling(vec.capacity() * size_of::<T>(), is_filling)
    }

    /// A heap, likewise.
    pub fn of_heap<T>(heap: &BinaryHeap<T>) -> Self {
        let is_filling = heap.len() + BETWEEN_LOOKS > heap.capacity();
        Self::doubling(heap.capacity() * size_of::<T>(), is_filling)
    }

    /// A map, likewise.
    pub fn of_map<K, V>(map: &FxHashMap<K, V>) -> Self {
        Self::of_hashes(size_of::<(K, V)>(), map.len(), map.capacity())
    }

    /// A set, likewise.
    pub fn of_set<T>(set: &FxHashSet<T>) -> Self {
        Self::of_hashes(size_of::<T>(), set.len(), set.capacity())
    }

    /// The standard library's hash tables are at most seven eighths full, and have a
    /// byte more for each entry.
    fn of_hashes(size: usize, len: usize, capacity: usize) -> Self {
        let buckets = (capacity * 8 / 7).next_power_of_two();
        let bytes = if capacity == 0 {
            0
        } else {
            buckets * (size + 1)
        };
        Self::doubling(bytes, len + BETWEEN_LOOKS > capacity)
    }

    /// The most that may be held before the next look.
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

/// The bytes held, from one look to the next.
#[derive(Debug, Clone, Copy, Default)]
pub struct Held {
    last: Footprint,
    most: u64,
}

impl Held {
    /// Notes what is held at a look. If a table moved since the last one, there were two
    /// of it for a moment.
    pub fn look(&mut self, now: Footprint) {
        let come = now.held.saturating_sub(self.last.held);
        self.most = self.most.max(now.held + come.min(self.last.moving));
        self.last = now;
    }

    /// Notes that so many bytes were held at a moment between two looks.
    pub fn note(&mut self, bytes: u64) {
        self.most = self.most.max(bytes);
    }

    /// The most that was held at any time, with `now` held at the moment.
    pub fn most(mut self, now: Footprint) -> u64 {
        self.look(now);
        self.most
    }
}

/// What is made at once would hold more memory than there is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// Memory for what is made at once: it is asked for before it is taken.
#[derive(Debug)]
pub struct Allowance {
    limit: u64,
    /// Bytes taken.
    pub taken: u64,
    /// The most that was taken at any time.
    pub most: u64,
}

impl Allowance {
    /// So many bytes, of which none is taken.
    pub fn new(limit: u64) -> Self {
        Self {
            limit,
            taken: 0,
            most: 0,
        }
    }

    /// Takes so many bytes.
    ///
    /// # Errors
    /// Where fewer are left.
    pub fn take(&mut self, bytes: usize) -> Result<(), Full> {
        let taken = self.taken + bytes as u64;
        if taken > self.limit {
            return Err(Full);
        }
        self.taken = taken;
        self.most = self.most.max(taken);
        Ok(())
    }

    /// Takes what tables hold `now`, in place of what they held before.
    ///
    /// # Errors
    /// Where less is left than they may come to hold until they are looked at again.
    pub fn look(&mut self, before: Footprint, now: Footprint) -> Result<(), Full> {
        self.taken = self.taken.saturating_sub(before.held);
        if self.taken + now.ahead() > self.limit {
            return Err(Full);
        }
        self.taken += now.held;
        self.most = self.most.max(self.taken);
        Ok(())
    }

    /// How many bytes are left.
    pub fn left(&self) -> u64 {
        self.limit - self.taken
    }

    /// Gives bytes back.
    pub fn give_back(&mut self, bytes: usize) {
        self.taken = self.taken.saturating_sub(bytes as u64);
    }
}
