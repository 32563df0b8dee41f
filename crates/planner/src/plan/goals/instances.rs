//! The instances of tasks that static conditions allow. They are kept for later searches of the same problem
//! from states with the same static facts, which most of an actor's plannings are.

use std::sync::{Arc, OnceLock};

use super::ground::PART_BYTES;
use super::reachable::Reachable;
use crate::compile::FormulaId;
use crate::plan::rows::Rows;
use crate::plan::state::AtomKey;

/// A task, by its number, with its objects.
pub type Instance = (u32, AtomKey);

/// The memory in bytes up to which instances are kept, for each actor.
const MAX_KEPT: usize = 512 << 10;

/// The instances of all tasks.
#[derive(Debug)]
pub struct Instances {
    pub tuples: Vec<Instance>,
    /// For each task, its conditions that aren't static.
    pub late: Vec<Vec<FormulaId>>,
    pub reachable: Reachable,
    /// For each ground fact that instances require, those instances.
    pub readers: Rows,
    pub effort: Effort,
}

/// The work that it took to enumerate instances. A search that finds them kept counts as much, and may pause
/// at the same points: what an actor does doesn't depend on whether they were kept.
#[derive(Debug, Clone, Default)]
pub struct Effort {
    /// The evaluations, and the other work.
    pub evaluations: u64,
    pub other: u64,
    /// The number of parts of actions.
    pub parts: u64,
    /// The work at the points where it could have paused, in order; none if these are too many.
    pauses: Vec<u64>,
    has_too_many: bool,
}

impl Effort {
    /// Records that it may pause at this much work.
    pub fn may_pause(&mut self, work: u64) {
        if self.has_too_many || self.pauses.last() == Some(&work) {
            return;
        }
        self.has_too_many = size_of_val(&*self.pauses) >= MAX_KEPT;
        match self.has_too_many {
            true => self.pauses = vec![],
            false => self.pauses.push(work),
        }
    }

    /// Returns it with the evaluations, the other work, and the parts of all instances.
    pub fn complete(self, evaluations: u64, other: u64, parts: u64) -> Self {
        Self {
            evaluations,
            other,
            parts,
            ..self
        }
    }

    /// Returns the work at which it pauses if it should at this much; `None` if it is complete before.
    pub fn pause(&self, until: u64) -> Option<u64> {
        let next = self.pauses.partition_point(|work| *work < until);
        self.pauses.get(next).copied()
    }
}

impl Instances {
    /// Returns their size, as a number of parts of actions.
    fn parts(&self) -> u64 {
        self.effort.parts + self.reachable.memory() / PART_BYTES
    }

    /// Returns `true` if they are few enough to be kept.
    fn is_small(&self) -> bool {
        let lists = size_of_val(&*self.tuples) + size_of_val(&*self.effort.pauses);
        let tables = self.reachable.memory() + self.readers.memory_use().bytes;
        !self.effort.has_too_many && lists + tables as usize <= MAX_KEPT
    }
}

/// A place for the instances of a problem, shared by all problems that have the same ones.
#[derive(Debug, Clone, Default)]
pub struct KeptInstances(Arc<OnceLock<Arc<Instances>>>);

impl KeptInstances {
    /// Returns the instances, if they are known and could be enumerated with this many evaluations and parts
    /// of actions.
    pub fn get(&self, evaluations: u64, parts: u64) -> Option<Arc<Instances>> {
        let known = self.0.get()?;
        let fits = known.effort.evaluations <= evaluations && known.parts() <= parts;
        fits.then(|| known.clone())
    }

    /// Keeps instances, unless there are many. Another search may have found them meanwhile.
    pub fn keep(&self, instances: &Arc<Instances>) {
        if instances.is_small() {
            let _ = self.0.set(instances.clone());
        }
    }
}
