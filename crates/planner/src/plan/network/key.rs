//! Hash keys that equal networks share.

use rustc_hash::FxHashMap;

use super::super::memory::MemoryUse;
use super::super::state::mix;
use super::{NetTask, Network};

/// The maximum number of open tasks that are sorted into a canonical order. Sorting larger networks
/// would take too long; their keys use the designer's order.
const MAX_SORTED: u32 = 20_000;

/// The numbers of open tasks with the same hash, and of those that have more than one predecessor.
/// Counted on first use.
#[derive(Debug, Default)]
pub struct EqualHashes {
    counts: Option<FxHashMap<u128, Count>>,
    /// The number of hashes shared by several tasks of which at least one has several predecessors.
    doubtful: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    tasks: u32,
    joins: u32,
}

impl Count {
    fn is_doubtful(self) -> bool {
        self.joins > 0 && self.tasks > 1
    }
}

impl EqualHashes {
    /// Adds to the count of tasks with a hash, and to the count of those with several predecessors.
    #[inline]
    pub fn count(&mut self, hash: u128, tasks: i32, joins: i32) {
        if let Some(counts) = &mut self.counts {
            let count = counts.entry(hash).or_default();
            let before = count.is_doubtful();
            count.tasks = count.tasks.wrapping_add_signed(tasks);
            count.joins = count.joins.wrapping_add_signed(joins);
            let count = *count;
            if count.tasks == 0 {
                counts.remove(&hash);
            }
            self.doubtful += u32::from(count.is_doubtful());
            self.doubtful -= u32::from(before);
        }
    }

    /// Adjusts the count of tasks with a hash that have several predecessors.
    #[inline]
    pub fn count_joins(&mut self, hash: u128, joins: i32) {
        self.count(hash, 0, joins);
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let counts = self.counts.as_ref().map(MemoryUse::of_map);
        counts.unwrap_or_default()
    }
}

/// A task's position among the open ones, used for comparison.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    before: u128,
    number: u32,
}

/// Buffers for encoding a network, reused.
#[derive(Debug, Default)]
pub struct Spelling {
    places: Vec<Place>,
    sorted: Vec<(u128, u32)>,
}

impl Spelling {
    /// Returns the index of a task among the open ones.
    pub fn number(&self, task: u32) -> u32 {
        self.places[task as usize].number
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.places) + MemoryUse::of_vec(&self.sorted)
    }
}

impl Network {
    /// Returns a key that equal networks share, and that others share only by chance (see [`mix`]).
    ///
    /// The designer's order of tasks that are unordered in the network makes no difference, except
    /// for tasks that cannot be told apart otherwise, and in networks of more than [`MAX_SORTED`]
    /// tasks: there one network may be searched twice.
    ///
    /// A task's hash covers the task and everything after it. If the network is a forest, the
    /// hashes of all tasks determine it: each gives the direct successors of the task, and it does
    /// not matter which of several identical tasks that is. If a task has several predecessors it
    /// does matter, unless the task is unique. So the sum of the hashes suffices as long as no such
    /// task has a duplicate. Otherwise the tasks are numbered, and the key encodes the number of
    /// each task and its direct successors.
    pub fn key(&mut self) -> u128 {
        if self.joins == 0 {
            return self.hash;
        }
        if self.alike.counts.is_none() {
            self.count_equal_hashes();
        }
        if self.alike.doubtful == 0 {
            return self.hash;
        }
        self.spelled_out()
    }

    fn count_equal_hashes(&mut self) {
        self.alike.counts = Some(FxHashMap::default());
        let mut task = self.tasks[0].next;
        while task != 0 {
            let NetTask {
                hash, waits, next, ..
            } = self.tasks[task as usize];
            self.alike.count(hash, 1, i32::from(waits > 1));
            task = next;
        }
    }

    /// Numbers the open tasks in the designer's order.
    pub(super) fn number(&mut self) {
        let places = &mut self.spelling.places;
        places.clear();
        places.resize(self.tasks.len(), Place::default());
        let (mut task, mut number) = (self.tasks[0].next, 0);
        while task != 0 {
            places[task as usize].number = number;
            number += 1;
            task = self.tasks[task as usize].next;
        }
    }

    /// Returns the key of a network that hashes do not determine.
    fn spelled_out(&mut self) -> u128 {
        // The predecessors of each task, accumulated in list order, in which no task precedes its
        // predecessors ...
        let Spelling { places, sorted } = &mut self.spelling;
        places.clear();
        places.resize(self.tasks.len(), Place::default());
        sorted.clear();
        let mut task = self.tasks[0].next;
        while task != 0 {
            let NetTask {
                ground,
                after,
                next,
                hash,
                ..
            } = self.tasks[task as usize];
            let before = places[task as usize].before;
            let above = mix(before as u64, u64::from(ground)) ^ mix((before >> 64) as u64, 1);
            for edge in after.0..after.0 + after.1 {
                let later = &mut places[self.edges[edge as usize] as usize].before;
                *later = later.wrapping_add(above);
            }
            sorted.push((hash ^ above, task));
            task = next;
        }
        // ... and its successors give the tasks a canonical order, in which the whole network is
        // encoded.
        if self.open <= MAX_SORTED {
            sorted.sort_by_key(|(key, _)| *key);
        }
        for ((_, task), place) in sorted.iter().zip(0u32..) {
            places[*task as usize].number = place;
        }
        let mut key = mix(u64::from(self.open), 1);
        for (_, task) in &*sorted {
            let NetTask { ground, after, .. } = self.tasks[*task as usize];
            let edges = &self.edges[after.0 as usize..(after.0 + after.1) as usize];
            let later = edges.iter().fold(0u128, |sum, edge| {
                let number = places[*edge as usize].number;
                sum.wrapping_add(mix(u64::from(number), 2))
            });
            key = mix(key as u64, later as u64)
                ^ mix((key >> 64) as u64, (later >> 64) as u64)
                ^ mix(u64::from(ground), key as u64);
        }
        key
    }
}
