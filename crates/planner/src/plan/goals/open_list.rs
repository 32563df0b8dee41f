//! An alternating open list (Richter and Westphal 2010) of unevaluated successors. Each heuristic
//! has two queues, one of all successors and one of those by preferred operators, and all queues
//! take turns.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::relax::Cost;
use crate::plan::memory::MemoryUse;

/// The number of heuristics.
pub const HEURISTICS: usize = 2;

/// The number of turns that the preferred queues gain on progress.
const BOOST: i64 = 1000;

/// A successor: the expanded state, and the action.
pub type Successor = (u32, u32);

/// The successors of one heuristic, in order of insertion where their estimates are equal.
type Queue = BinaryHeap<Reverse<(Cost, u32, Successor)>>;

/// The queues, and how many successors were taken from each.
#[derive(Debug, Default)]
pub struct OpenList {
    /// For each heuristic, the queue of all successors and the queue of preferred ones.
    queues: [[Queue; 2]; HEURISTICS],
    taken: [[i64; 2]; HEURISTICS],
    inserted: u32,
}

impl OpenList {
    /// Inserts a successor of a state with these estimates.
    pub fn insert(&mut self, successor: Successor, estimates: [f64; HEURISTICS], preferred: bool) {
        for (queues, estimate) in self.queues.iter_mut().zip(estimates) {
            let entry = Reverse((Cost(estimate), self.inserted, successor));
            queues[0].push(entry);
            if preferred {
                queues[1].push(entry);
            }
        }
        self.inserted = self.inserted.wrapping_add(1);
    }

    /// Gives the preferred queues precedence for a while, since a heuristic made progress.
    pub fn boost(&mut self) {
        self.taken.iter_mut().for_each(|taken| taken[1] -= BOOST);
    }

    /// Takes the next successor, from the least used queue.
    pub fn take(&mut self) -> Option<Successor> {
        let queues = (0..2).flat_map(|kind| (0..HEURISTICS).map(move |n| (n, kind)));
        let filled = queues.filter(|(n, kind)| !self.queues[*n][*kind].is_empty());
        let (n, kind) = filled.min_by_key(|(n, kind)| (self.taken[*n][*kind], 1 - kind))?;
        self.taken[n][kind] += 1;
        let Reverse((.., successor)) = self.queues[n][kind].pop()?;
        Some(successor)
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.queues.iter().flatten().map(MemoryUse::of_heap).sum()
    }
}
