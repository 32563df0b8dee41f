//! The priority queue of the relaxed exploration: its keys never fall below the last one taken.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::plan::memory::MemoryUse;

/// The exclusive upper bound of integer keys with buckets.
const BUCKETS: f64 = 4096.0;

/// A number that can be ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost(pub f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A priority queue: buckets for small integers, and a heap for other keys.
#[derive(Debug)]
pub struct Queue {
    has_buckets: bool,
    buckets: Vec<Vec<u32>>,
    /// The first bucket that may have entries.
    next: usize,
    heap: BinaryHeap<Reverse<(Cost, u32)>>,
}

impl Queue {
    /// Creates an empty queue. With buckets, all keys have to be integers.
    pub fn new(has_buckets: bool) -> Self {
        Self {
            has_buckets,
            buckets: vec![],
            next: 0,
            heap: BinaryHeap::new(),
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.heap.clear();
        self.next = 0;
    }

    /// Adds an entry.
    pub fn push(&mut self, key: f64, entry: u32) {
        if !self.has_buckets || key >= BUCKETS {
            self.heap.push(Reverse((Cost(key), entry)));
            return;
        }
        let bucket = key as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(entry);
    }

    /// Removes an entry with the smallest key.
    pub fn pop(&mut self) -> Option<(f64, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.next) {
            if let Some(entry) = bucket.pop() {
                return Some((self.next as f64, entry));
            }
            self.next += 1;
        }
        let Reverse((Cost(key), entry)) = self.heap.pop()?;
        Some((key, entry))
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let entries = self.buckets.iter().map(Vec::capacity).sum::<usize>();
        let buckets = self.buckets.capacity() * size_of::<Vec<u32>>();
        MemoryUse::fixed(entries * size_of::<u32>() + buckets) + MemoryUse::of_heap(&self.heap)
    }
}
