//! What equal networks have in common.

use rustc_hash::FxHashMap;

use super::super::held::Footprint;
use super::super::state::mix;
use super::{NetTask, Network};

/// The open tasks of larger networks are spelled out in the designer's order: to
/// give them an order of their own would take too long.
const MOST_SORTED: u32 = 20_000;

/// How many open tasks have the same hash, and how many of them wait for more than
/// one task. Counted once it is asked for.
#[derive(Debug, Default)]
pub struct Alike {
    counts: Option<FxHashMap<u128, Count>>,
    /// How many hashes stand for a task that waits for several, and for another one.
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

impl Alike {
    /// Counts so many tasks more of a hash, and so many that wait for several.
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

    /// Counts tasks of a hash that come to wait for several, or to wait for one.
    #[inline]
    pub fn count_joins(&mut self, hash: u128, joins: i32) {
        self.count(hash, 0, joins);
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        let counts = self.counts.as_ref().map(Footprint::of_map);
        counts.unwrap_or_default()
    }
}

/// A task's place among the open ones, while they are compared.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    before: u128,
    number: u32,
}

/// Reused while a network is spelled out.
#[derive(Debug, Default)]
pub struct Spelling {
    places: Vec<Place>,
    sorted: Vec<(u128, u32)>,
}

impl Spelling {
    /// The number that a task has among the open ones.
    pub fn number(&self, task: u32) -> u32 {
        self.places[task as usize].number
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        Footprint::of_vec(&self.places) + Footprint::of_vec(&self.sorted)
    }
}

impl Network {
    /// A number that equal networks have in common, and others but by chance (see
    /// [`mix`]). The designer's order of tasks that do not wait for each other makes
    /// no difference, save where such tasks cannot be told apart otherwise, and among
    /// more than [`MOST_SORTED`] of them: there one network may be searched twice.
    ///
    /// A task's hash tells the task and what comes after it. Of a forest the hashes
    /// of all tasks tell everything: each says what comes directly after the task,
    /// and it does not matter which of several like that it is. Where a task waits
    /// for several, it does matter, unless it is the only one like that. So the sum
    /// of the hashes does as long as no such task has its like. Otherwise the tasks
    /// are numbered, and the key tells each by its number with those that come
    /// directly after it.
    pub fn key(&mut self) -> u128 {
        if self.joins == 0 {
            return self.hash;
        }
        if self.alike.counts.is_none() {
            self.count_alike();
        }
        if self.alike.doubtful == 0 {
            return self.hash;
        }
        self.spelled_out()
    }

    fn count_alike(&mut self) {
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

    /// The key of a network whose hashes do not tell everything.
    fn spelled_out(&mut self) -> u128 {
        // What comes before each, told in the list's order, which no task stands
        // before its predecessors in ...
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
        // ... and what comes after each give the tasks an order of their own, in
        // which the whole network is spelled out.
        if self.open <= MOST_SORTED {
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
