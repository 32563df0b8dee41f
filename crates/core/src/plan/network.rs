//! The task network of a search: the tasks not yet done, in the designer's order,
//! with what each of them waits for.
//!
//! A forward search decomposes or executes only tasks that wait for nothing.
//! So a task that is still open never changes what comes after it, and a hash of
//! that can be kept with it.

use super::state::mix;
use crate::order;

/// No task, no event.
pub const NONE: u32 = u32::MAX;

/// A task in the decomposition tree. Number 0 is the ring's own.
#[derive(Debug, Clone, Copy)]
pub struct NetTask {
    /// Its ground task's number in the search's table.
    pub ground: u32,
    /// The task whose decomposition it is part of; 0 for a root.
    pub parent: u32,
    /// The position of its Task block in the parent's chart.
    pub position: u32,
    /// How many decompositions it is nested in.
    pub depth: u32,
    /// The trace's event of the alternative by which it was decomposed.
    pub event: u32,
    /// How many open tasks it waits for directly.
    waits: u32,
    /// The tasks that wait for it, in [`Network::edges`].
    after: (u32, u32),
    previous: u32,
    next: u32,
    hash: u128,
}

/// A child to be put in the place of its parent.
#[derive(Debug, Clone, Copy)]
pub struct Child {
    /// See [`NetTask::ground`].
    pub ground: u32,
    /// See [`NetTask::position`].
    pub position: u32,
}

/// A task's place among the open ones, while they are compared.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    before: u128,
    number: u32,
}

/// See the module.
#[derive(Debug)]
pub struct Network {
    tasks: Vec<NetTask>,
    edges: Vec<u32>,
    open: u32,
    ready: u32,
    /// How many open tasks wait for more than one: while there is none, the open
    /// tasks are a forest, which the sum of their hashes determines.
    joins: u32,
    hash: u128,
    places: Vec<Place>,
    sorted: Vec<(u128, u32)>,
}

impl Network {
    /// A network without tasks.
    pub fn new() -> Self {
        Self {
            tasks: vec![NetTask {
                ground: NONE,
                parent: 0,
                position: 0,
                depth: 0,
                event: NONE,
                waits: 0,
                after: (0, 0),
                previous: 0,
                next: 0,
                hash: 0,
            }],
            edges: vec![],
            open: 0,
            ready: 0,
            joins: 0,
            hash: 0,
            places: vec![],
            sorted: vec![],
        }
    }

    /// A task by number.
    pub fn task(&self, task: u32) -> &NetTask {
        &self.tasks[task as usize]
    }

    /// Notes the event of the alternative by which a task was decomposed.
    pub fn set_event(&mut self, task: u32, event: u32) {
        self.tasks[task as usize].event = event;
    }

    /// How many tasks there are, done or open, with the ring's own.
    pub fn len(&self) -> u32 {
        self.tasks.len() as u32
    }

    /// Whether every task is done.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// The first task after one, in the designer's order, that waits for nothing.
    pub fn ready_after(&self, task: u32) -> Option<u32> {
        if self.ready == 0 {
            return None;
        }
        let mut next = self.tasks[task as usize].next;
        while next != 0 && self.tasks[next as usize].waits > 0 {
            next = self.tasks[next as usize].next;
        }
        (next != 0).then_some(next)
    }

    /// Whether one task alone waits for nothing.
    pub fn has_one_ready(&self) -> bool {
        self.ready == 1
    }

    fn wait(&mut self, task: u32, more: bool) {
        let waits = &mut self.tasks[task as usize].waits;
        let before = *waits;
        *waits = if more { before + 1 } else { before - 1 };
        match before.max(*waits) {
            1 if more => self.ready -= 1,
            1 => self.ready += 1,
            2 if more => self.joins += 1,
            2 => self.joins -= 1,
            _ => {}
        }
    }

    fn wait_after(&mut self, task: u32, more: bool) {
        let (start, len) = self.tasks[task as usize].after;
        for edge in start..start + len {
            self.wait(self.edges[edge as usize], more);
        }
    }

    fn take_out(&mut self, task: u32) {
        let NetTask { hash, .. } = self.tasks[task as usize];
        self.hash = self.hash.wrapping_sub(hash);
        self.open -= 1;
        self.ready -= 1;
    }

    fn put_in(&mut self, task: u32) {
        let NetTask { hash, waits, .. } = self.tasks[task as usize];
        self.hash = self.hash.wrapping_add(hash);
        self.open += 1;
        self.ready += u32::from(waits == 0);
        self.joins += u32::from(waits > 1);
    }

    fn link(&mut self, previous: u32, next: u32) {
        self.tasks[previous as usize].next = next;
        self.tasks[next as usize].previous = previous;
    }

    /// Takes out a task that waits for nothing: it is done.
    pub fn remove(&mut self, task: u32) {
        let NetTask { previous, next, .. } = self.tasks[task as usize];
        self.link(previous, next);
        self.take_out(task);
        self.wait_after(task, false);
    }

    /// Undoes [`Self::remove`].
    pub fn restore(&mut self, task: u32) {
        let NetTask { previous, next, .. } = self.tasks[task as usize];
        self.wait_after(task, true);
        self.put_in(task);
        self.link(previous, task);
        self.link(task, next);
    }

    /// Puts children in the place of a task that waits for nothing. `order` has
    /// pairs of numbers of children, the first before the second, sorted by the
    /// first. The children's numbers are the next ones, in their order.
    pub fn expand(&mut self, task: u32, children: &[Child], order: &[(u32, u32)]) {
        let parent = self.tasks[task as usize];
        let first = self.len();
        if task == 0 {
            // The roots: nothing to take out.
        } else {
            self.remove(task);
        }
        for child in children {
            self.tasks.push(NetTask {
                ground: child.ground,
                parent: task,
                position: child.position,
                depth: parent.depth + u32::from(task != 0),
                event: NONE,
                waits: 0,
                after: parent.after,
                previous: 0,
                next: 0,
                hash: 0,
            });
        }
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let start = self.edges.len() as u32;
            for (_, to) in group {
                self.edges.push(first + to);
                self.tasks[(first + to) as usize].waits += 1;
            }
            self.tasks[(first + group[0].0) as usize].after = (start, group.len() as u32);
        }
        for child in (first..self.len()).rev() {
            let NetTask { ground, after, .. } = self.tasks[child as usize];
            let later = &self.edges[after.0 as usize..(after.0 + after.1) as usize];
            let below = later.iter().fold(0u128, |sum, t| {
                sum.wrapping_add(self.tasks[*t as usize].hash)
            });
            self.tasks[child as usize].hash = mix(u64::from(ground), below as u64)
                ^ mix((below >> 64) as u64, !u64::from(ground));
            self.put_in(child);
            if after == parent.after && after.1 > 0 {
                self.wait_after(child, true);
            }
        }
        let (before, behind) = match task {
            0 => (0, 0),
            _ => (parent.previous, parent.next),
        };
        let mut last = before;
        for child in first..self.len() {
            self.link(last, child);
            last = child;
        }
        self.link(last, behind);
    }

    /// Spells out the open tasks, to be brought back by [`Self::load`]: for each,
    /// in the designer's order, its ground task, its depth, how many tasks wait
    /// for it directly, and which, as numbers in this list.
    pub fn save(&mut self, into: &mut Vec<u32>) {
        into.clear();
        self.places.clear();
        self.places.resize(self.tasks.len(), Place::default());
        let (mut task, mut number) = (self.tasks[0].next, 0);
        while task != 0 {
            self.places[task as usize].number = number;
            number += 1;
            task = self.tasks[task as usize].next;
        }
        task = self.tasks[0].next;
        while task != 0 {
            let NetTask {
                ground,
                depth,
                after: (start, len),
                next,
                ..
            } = self.tasks[task as usize];
            into.extend([ground, depth, len]);
            let later = &self.edges[start as usize..(start + len) as usize];
            into.extend(later.iter().map(|t| self.places[*t as usize].number));
            task = next;
        }
    }

    /// Becomes the network that was saved; its tasks are roots.
    pub fn load(&mut self, saved: &[u32]) {
        self.tasks.truncate(1);
        self.edges.clear();
        self.link(0, 0);
        (self.open, self.ready, self.joins, self.hash) = (0, 0, 0, 0);
        let (mut children, mut order, mut depths) = (vec![], vec![], vec![]);
        let mut rest = saved;
        while let [ground, depth, len, behind @ ..] = rest {
            let (later, behind) = behind.split_at(*len as usize);
            order.extend(later.iter().map(|to| (children.len() as u32, *to)));
            children.push(Child {
                ground: *ground,
                position: 0,
            });
            depths.push(*depth);
            rest = behind;
        }
        self.expand(0, &children, &order);
        for (task, depth) in self.tasks[1..].iter_mut().zip(depths) {
            task.depth = depth;
        }
    }

    /// Undoes [`Self::expand`], whose first child was `first`.
    pub fn collapse(&mut self, task: u32, first: u32) {
        let parent = self.tasks[task as usize];
        let mut edges = self.edges.len() as u32;
        for child in first..self.len() {
            let NetTask {
                hash, waits, after, ..
            } = self.tasks[child as usize];
            self.hash = self.hash.wrapping_sub(hash);
            self.open -= 1;
            self.ready -= u32::from(waits == 0);
            self.joins -= u32::from(waits > 1);
            if after == parent.after {
                if after.1 > 0 {
                    self.wait_after(child, false);
                }
            } else {
                edges = edges.min(after.0);
            }
        }
        self.tasks.truncate(first as usize);
        self.edges.truncate(edges as usize);
        self.restore(task);
    }

    /// A number that equal networks have in common, and no others in practice.
    /// The designer's order of tasks that do not wait for each other makes no
    /// difference, save where such tasks cannot be told apart otherwise.
    pub fn key(&mut self) -> u128 {
        if self.joins == 0 {
            return self.hash;
        }
        // With joins the tasks are no forest. What comes before each, told in the
        // list's order, which no task stands before its predecessors in ...
        self.places.clear();
        self.places.resize(self.tasks.len(), Place::default());
        let mut sorted = std::mem::take(&mut self.sorted);
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
            let before = self.places[task as usize].before;
            let above = mix(before as u64, u64::from(ground)) ^ mix((before >> 64) as u64, 1);
            for edge in after.0..after.0 + after.1 {
                let later = &mut self.places[self.edges[edge as usize] as usize].before;
                *later = later.wrapping_add(above);
            }
            sorted.push((hash ^ above, task));
            task = next;
        }
        // ... and what comes after each give the tasks an order of their own, in
        // which the whole network is spelled out.
        order::sort_short(&mut sorted, |(a, _), (b, _)| a.cmp(b));
        for ((_, task), place) in sorted.iter().zip(0u32..) {
            self.places[*task as usize].number = place;
        }
        let mut key = mix(u64::from(self.open), 1);
        for (_, task) in &sorted {
            let NetTask { ground, after, .. } = self.tasks[*task as usize];
            let edges = &self.edges[after.0 as usize..(after.0 + after.1) as usize];
            let later = edges.iter().fold(0u128, |sum, edge| {
                let number = self.places[*edge as usize].number;
                sum.wrapping_add(mix(u64::from(number), 2))
            });
            key = mix(key as u64, later as u64)
                ^ mix((key >> 64) as u64, (later >> 64) as u64)
                ^ mix(u64::from(ground), key as u64);
        }
        self.sorted = sorted;
        key
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.tasks.capacity() * size_of::<NetTask>()
            + self.edges.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<Place>()
            + self.sorted.capacity() * size_of::<(u128, u32)>()
    }
}
