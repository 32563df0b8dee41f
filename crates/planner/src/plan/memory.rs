//! Accounting of memory use: what a search uses, and what it may need until the next check.

use std::collections::BinaryHeap;
use std::iter::Sum;
use std::ops::Add;

use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of entries that a table may gain between two memory checks.
pub const CHECK_INTERVAL: usize = 1024;

/// The memory use of tables. A table without room moves to a new one of twice its size, and for a
/// moment both exist. [`Self::peak_next`] includes that in advance, before it happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// The bytes in use.
    pub bytes: u64,
    /// The additional bytes of tables that are about to grow.
    growth: u64,
    /// The size of the largest table that moves when it grows.
    moving: u64,
}

impl MemoryUse {
    /// Returns the memory use of something that doesn't grow.
    pub fn fixed(bytes: usize) -> Self {
        Self {
            bytes: bytes as u64,
            ..Self::default()
        }
    }

    /// Returns the memory use of a table that doubles and moves if it `is_filling`.
    fn doubling(bytes: usize, is_filling: bool) -> Self {
        let bytes = bytes as u64;
        let more = if is_filling { bytes } else { 0 };
        Self {
            bytes,
            growth: more,
            moving: more,
        }
    }

    /// Returns the memory use of a table that frees its old memory once it has `more` additional
    /// bytes.
    pub fn growing(bytes: usize, more: usize) -> Self {
        Self {
            bytes: bytes as u64,
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
        let is_filling = vec.len() + CHECK_INTERVAL * row > vec.capacity();
        Self::doubling(vec.capacity() * size_of::<T>(), is_filling)
    }

    /// Returns the memory use of a heap, excluding the heap memory of its elements.
    pub fn of_heap<T>(heap: &BinaryHeap<T>) -> Self {
        let is_filling = heap.len() + CHECK_INTERVAL > heap.capacity();
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

    /// Returns the memory use of a hash table of the standard library, which is at peak seven
    /// eighths full and has an additional byte for each entry.
    fn of_hashes(size: usize, len: usize, capacity: usize) -> Self {
        let buckets = (capacity * 8 / 7).next_power_of_two();
        let bytes = if capacity == 0 {
            0
        } else {
            buckets * (size + 1)
        };
        Self::doubling(bytes, len + CHECK_INTERVAL > capacity)
    }

    /// Returns the peak memory use until the next check.
    pub fn peak_next(self) -> u64 {
        self.bytes + self.growth + self.moving
    }
}

impl Add for MemoryUse {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            growth: self.growth + other.growth,
            moving: self.moving.max(other.moving),
        }
    }
}

impl Sum for MemoryUse {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// The memory use at the last check, and its peak.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryMeter {
    last: MemoryUse,
    peak: u64,
}

impl MemoryMeter {
    /// Records the memory use at a check. If a table moved since the last one, both of its copies
    /// existed for a moment.
    pub fn sample(&mut self, now: MemoryUse) {
        let come = now.bytes.saturating_sub(self.last.bytes);
        self.peak = self.peak.max(now.bytes + come.min(self.last.moving));
        self.last = now;
    }

    /// Records the memory use at a moment between two checks.
    pub fn note(&mut self, bytes: u64) {
        self.peak = self.peak.max(bytes);
    }

    /// Returns the peak memory use, given the current one.
    pub fn peak(mut self, now: MemoryUse) -> u64 {
        self.sample(now);
        self.peak
    }
}

/// The error that the memory limit would be exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaExceeded;

/// A memory quota, from which memory is reserved before it is allocated.
#[derive(Debug)]
pub struct MemoryQuota {
    limit: u64,
    /// The bytes reserved.
    pub reserved: u64,
    /// The peak of the bytes reserved.
    pub peak: u64,
}

impl MemoryQuota {
    /// Creates a quota of `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self {
            limit,
            reserved: 0,
            peak: 0,
        }
    }

    /// Reserves bytes.
    ///
    /// # Errors
    /// Fails if fewer bytes are available.
    pub fn reserve(&mut self, bytes: usize) -> Result<(), QuotaExceeded> {
        let reserved = self.reserved + bytes as u64;
        if reserved > self.limit {
            return Err(QuotaExceeded);
        }
        self.reserved = reserved;
        self.peak = self.peak.max(reserved);
        Ok(())
    }

    /// Replaces the reservation of tables by their current memory use.
    ///
    /// # Errors
    /// Fails if the memory that they may need until the next check isn't available.
    pub fn sample(&mut self, before: MemoryUse, now: MemoryUse) -> Result<(), QuotaExceeded> {
        self.reserved = self.reserved.saturating_sub(before.bytes);
        if self.reserved + now.peak_next() > self.limit {
            return Err(QuotaExceeded);
        }
        self.reserved += now.bytes;
        self.peak = self.peak.max(self.reserved);
        Ok(())
    }

    /// Returns the number of bytes available.
    pub fn available(&self) -> u64 {
        self.limit - self.reserved
    }

    /// Releases bytes.
    pub fn release(&mut self, bytes: usize) {
        self.reserved = self.reserved.saturating_sub(bytes as u64);
    }
}
