//! The task network of a search: the open tasks in the designer's order, each with the tasks that
//! it waits for.
//!
//! A forward search decomposes or executes only tasks that wait for nothing. A task that is still
//! open therefore never changes its successors, and a hash of them can be kept with it.
//!
//! The cost of a decision depends only on the subtasks and direct successors of its task,
//! regardless of the number of open tasks: open tasks form a ring, those that wait for nothing
//! another one, and the hash is a sum. The position of a successor in the second ring is searched
//! for in both directions, along either ring.

use super::memory::MemoryUse;
use super::state::mix;
use crate::plan::rows::NONE;

mod key;
mod order;

use key::EqualHashes;

/// A task in the decomposition tree. Number 0 is the sentinel of the rings.
#[derive(Debug, Clone, Copy)]
pub struct NetTask {
    /// The number of its ground task in the search's table.
    pub ground: u32,
    /// The task whose decomposition it is part of; 0 for a root.
    pub parent: u32,
    /// The position of its Task block in the parent's chart.
    pub position: u32,
    /// The nesting depth of its decomposition.
    pub depth: u32,
    /// The trace's event of the alternative that decomposed it.
    pub event: u32,
    /// The number of open tasks that it waits for directly.
    waits: u32,
    /// The tasks that wait for it, as a range of [`Network::edges`].
    after: (u32, u32),
    previous: u32,
    next: u32,
    /// The neighbors in the ring of tasks that wait for nothing.
    ready_previous: u32,
    ready_next: u32,
    /// Its depth in the current tree, where loaded tasks are roots.
    level: u32,
    /// An ancestor above the parent, by which ancestors are found in logarithmic time (Myers 1983,
    /// applicative random-access stacks).
    jump: u32,
    hash: u128,
}

/// A child that replaces its parent.
#[derive(Debug, Clone, Copy)]
pub struct Child {
    /// See [`NetTask::ground`].
    pub ground: u32,
    /// See [`NetTask::position`].
    pub position: u32,
}

/// A task network; see the module's documentation.
#[derive(Debug)]
pub struct Network {
    tasks: Vec<NetTask>,
    edges: Vec<u32>,
    open: u32,
    ready: u32,
    /// The number of open tasks that wait for more than one task. While it is 0, the open tasks
    /// form a forest, which the sum of their hashes identifies.
    joins: u32,
    /// The sum of the open tasks' hashes.
    hash: u128,
    alike: EqualHashes,
    spelling: key::Spelling,
}

impl Default for Network {
    /// Creates a network without tasks.
    fn default() -> Self {
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
                ready_previous: 0,
                ready_next: 0,
                level: 0,
                jump: 0,
                hash: 0,
            }],
            edges: vec![],
            open: 0,
            ready: 0,
            joins: 0,
            hash: 0,
            alike: EqualHashes::default(),
            spelling: key::Spelling::default(),
        }
    }
}

impl Network {
    /// Returns a task by number.
    #[inline]
    pub fn task(&self, task: u32) -> &NetTask {
        &self.tasks[task as usize]
    }

    /// Sets the event of the alternative that decomposed a task.
    pub fn set_event(&mut self, task: u32, event: u32) {
        self.tasks[task as usize].event = event;
    }

    /// Returns the number of tasks, done or open, including the sentinel.
    #[expect(clippy::len_without_is_empty, reason = "no search asks for that")]
    pub fn len(&self) -> u32 {
        self.tasks.len() as u32
    }

    /// Returns the number of open tasks.
    pub fn open_tasks(&self) -> u32 {
        self.open
    }

    /// Returns `true` if every task is done.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Returns the next task that waits for nothing after another one, or the first one after 0, in
    /// the designer's order.
    pub fn ready_after(&self, task: u32) -> Option<u32> {
        Some(self.tasks[task as usize].ready_next).filter(|next| *next != 0)
    }

    /// Adds or removes a predecessor of a task. If none is left, the task enters the ring after
    /// `near`, which precedes it and waits for nothing.
    fn wait(&mut self, task: u32, more: bool, near: u32) {
        let own = &mut self.tasks[task as usize];
        let (before, hash) = (own.waits, own.hash);
        own.waits = if more { before + 1 } else { before - 1 };
        match (before, more) {
            (0, true) => self.leave_ready(task),
            (1, false) => {
                let last = self.last_ready_before(task, near);
                let next = self.tasks[last as usize].ready_next;
                self.enter_ready(last, task, next);
            }
            (1, true) => {
                self.joins += 1;
                self.alike.count_joins(hash, 1);
            }
            (2, false) => {
                self.joins -= 1;
                self.alike.count_joins(hash, -1);
            }
            _ => {}
        }
    }

    fn wait_after(&mut self, (start, len): (u32, u32), more: bool, near: u32) {
        for edge in start..start + len {
            self.wait(self.edges[edge as usize], more, near);
        }
    }

    fn enter_ready(&mut self, previous: u32, task: u32, next: u32) {
        self.link_ready(previous, task);
        self.link_ready(task, next);
        self.ready += 1;
    }

    fn leave_ready(&mut self, task: u32) {
        let NetTask {
            ready_previous,
            ready_next,
            ..
        } = self.tasks[task as usize];
        self.link_ready(ready_previous, ready_next);
        self.ready -= 1;
    }

    fn link_ready(&mut self, previous: u32, next: u32) {
        self.tasks[previous as usize].ready_next = next;
        self.tasks[next as usize].ready_previous = previous;
    }

    fn link(&mut self, previous: u32, next: u32) {
        self.tasks[previous as usize].next = next;
        self.tasks[next as usize].previous = previous;
    }

    /// Counts a task as open.
    fn add(&mut self, task: u32) {
        let NetTask { hash, waits, .. } = self.tasks[task as usize];
        self.hash = self.hash.wrapping_add(hash);
        self.open += 1;
        self.joins += u32::from(waits > 1);
        self.alike.count(hash, 1, i32::from(waits > 1));
    }

    /// Undoes [`Self::add`].
    fn subtract(&mut self, task: u32) {
        let NetTask { hash, waits, .. } = self.tasks[task as usize];
        self.hash = self.hash.wrapping_sub(hash);
        self.open -= 1;
        self.joins -= u32::from(waits > 1);
        self.alike.count(hash, -1, -i32::from(waits > 1));
    }

    fn unlink(&mut self, task: u32) {
        let NetTask { previous, next, .. } = self.tasks[task as usize];
        self.link(previous, next);
        self.leave_ready(task);
        self.subtract(task);
    }

    /// Undoes [`Self::unlink`]: puts the task back between its former neighbors.
    fn relink(&mut self, task: u32) {
        let own = self.tasks[task as usize];
        self.add(task);
        self.enter_ready(own.ready_previous, task, own.ready_next);
        self.link(own.previous, task);
        self.link(task, own.next);
    }

    /// Removes a task that waits for nothing, since it is done.
    pub fn remove(&mut self, task: u32) {
        self.unlink(task);
        let own = self.tasks[task as usize];
        self.wait_after(own.after, false, own.ready_previous);
    }

    /// Undoes [`Self::remove`].
    pub fn restore(&mut self, task: u32) {
        self.wait_after(self.tasks[task as usize].after, true, 0);
        self.relink(task);
    }

    /// Returns the number of tasks from `first` on whose successors are those of their parent.
    fn heirs(&self, first: u32, after: (u32, u32)) -> usize {
        let children = &self.tasks[first as usize..];
        children.iter().filter(|child| child.after == after).count()
    }

    /// Replaces a task that waits for nothing by its children. `order` contains pairs of child
    /// numbers, each with the earlier task first, sorted by the first. The children get the next
    /// task numbers, in their order.
    pub fn expand(&mut self, task: u32, children: &[Child], order: &[(u32, u32)]) {
        let parent = self.tasks[task as usize];
        let first = self.len();
        // The roots have no parent to unlink.
        if task != 0 {
            self.unlink(task);
        }
        let jump = self.jump_of_children(task);
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
                ready_previous: 0,
                ready_next: 0,
                level: parent.level + 1,
                jump,
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
            self.add(child);
        }
        let neighbor = if task == 0 { self.tasks[0] } else { parent };
        let (mut last, mut last_ready) = (neighbor.previous, neighbor.ready_previous);
        for child in first..self.len() {
            self.link(last, child);
            last = child;
            if self.tasks[child as usize].waits == 0 {
                self.enter_ready(last_ready, child, neighbor.ready_next);
                last_ready = child;
            }
        }
        self.link(last, neighbor.next);
        // The heirs replace the parent for its successors: one of them takes its place.
        match self.heirs(first, parent.after) {
            0 => self.wait_after(parent.after, false, parent.ready_previous),
            heirs => (1..heirs).for_each(|_| self.wait_after(parent.after, true, 0)),
        }
    }

    /// Serializes the open tasks for [`Self::load`]: for each one, in the designer's order, its
    /// ground task, its depth, the number of tasks that wait for it directly, and their numbers in
    /// this list.
    pub fn save(&mut self, into: &mut Vec<u32>) {
        into.clear();
        self.number();
        let mut task = self.tasks[0].next;
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
            into.extend(later.iter().map(|t| self.spelling.number(*t)));
            task = next;
        }
    }

    /// Restores a saved network, whose tasks become roots.
    pub fn load(&mut self, saved: &[u32]) {
        self.tasks.truncate(1);
        self.edges.clear();
        self.link(0, 0);
        self.link_ready(0, 0);
        (self.open, self.ready, self.joins, self.hash) = (0, 0, 0, 0);
        self.alike = EqualHashes::default();
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
        let after = self.tasks[task as usize].after;
        match self.heirs(first, after) {
            0 => self.wait_after(after, true, 0),
            // Each successor still waits for at least one task.
            heirs => (1..heirs).for_each(|_| self.wait_after(after, false, 0)),
        }
        let mut edges = self.edges.len() as u32;
        for child in first..self.len() {
            self.subtract(child);
            let own = self.tasks[child as usize];
            self.ready -= u32::from(own.waits == 0);
            if own.after != after {
                edges = edges.min(own.after.0);
            }
        }
        self.tasks.truncate(first as usize);
        self.edges.truncate(edges as usize);
        self.relink(task);
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.tasks)
            + MemoryUse::of_vec(&self.edges)
            + self.alike.memory_use()
            + self.spelling.memory_use()
    }
}
