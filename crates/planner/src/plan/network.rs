//! The task network of a search: the tasks not yet done, in the designer's order,
//! with what each of them waits for.
//!
//! A forward search decomposes or executes only tasks that wait for nothing.
//! So a task that is still open never changes what comes after it, and a hash of
//! that can be kept with it.
//!
//! However many tasks are open, a decision costs what the task that it is about has
//! of subtasks and direct successors: open tasks form a ring, those of them that wait
//! for nothing another one, and the hash is a sum. The place of a successor in the
//! second ring is looked for from both sides, along either ring.

use super::held::Footprint;
use super::state::mix;

mod key;
mod order;

use key::Alike;

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
    /// The same among those that wait for nothing.
    ready_previous: u32,
    ready_next: u32,
    /// Its depth in the tree as it stands here, where tasks that were loaded are roots.
    level: u32,
    /// An ancestor further up than the parent, by which ancestors are found in
    /// logarithmic time (Myers 1983, applicative random-access stacks).
    jump: u32,
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
    /// The sum of the open tasks' hashes.
    hash: u128,
    alike: Alike,
    spelling: key::Spelling,
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
            alike: Alike::default(),
            spelling: key::Spelling::default(),
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

    /// How many tasks are open.
    pub fn open_tasks(&self) -> u32 {
        self.open
    }

    /// Whether every task is done.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// The first task that waits for nothing after another such one, or after 0, in
    /// the designer's order.
    pub fn ready_after(&self, task: u32) -> Option<u32> {
        Some(self.tasks[task as usize].ready_next).filter(|next| *next != 0)
    }

    /// Counts one task more, or less, for which a task waits. Where it waits for none
    /// any longer, it comes behind `near`, which is before it and waits for nothing.
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

    fn take_out(&mut self, task: u32) {
        let NetTask { previous, next, .. } = self.tasks[task as usize];
        self.link(previous, next);
        self.leave_ready(task);
        self.subtract(task);
    }

    /// Undoes [`Self::take_out`]: what stood beside it does so again.
    fn put_in(&mut self, task: u32) {
        let own = self.tasks[task as usize];
        self.add(task);
        self.enter_ready(own.ready_previous, task, own.ready_next);
        self.link(own.previous, task);
        self.link(task, own.next);
    }

    /// Takes out a task that waits for nothing: it is done.
    pub fn remove(&mut self, task: u32) {
        self.take_out(task);
        let own = self.tasks[task as usize];
        self.wait_after(own.after, false, own.ready_previous);
    }

    /// Undoes [`Self::remove`].
    pub fn restore(&mut self, task: u32) {
        self.wait_after(self.tasks[task as usize].after, true, 0);
        self.put_in(task);
    }

    /// How many of the tasks from `first` on are followed by what follows their parent.
    fn heirs(&self, first: u32, after: (u32, u32)) -> usize {
        let children = &self.tasks[first as usize..];
        children.iter().filter(|child| child.after == after).count()
    }

    /// Puts children in the place of a task that waits for nothing. `order` has
    /// pairs of numbers of children, the first before the second, sorted by the
    /// first. The children's numbers are the next ones, in their order.
    pub fn expand(&mut self, task: u32, children: &[Child], order: &[(u32, u32)]) {
        let parent = self.tasks[task as usize];
        let first = self.len();
        // The roots have no parent to take out.
        if task != 0 {
            self.take_out(task);
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
        let beside = if task == 0 { self.tasks[0] } else { parent };
        let (mut last, mut last_ready) = (beside.previous, beside.ready_previous);
        for child in first..self.len() {
            self.link(last, child);
            last = child;
            if self.tasks[child as usize].waits == 0 {
                self.enter_ready(last_ready, child, beside.ready_next);
                last_ready = child;
            }
        }
        self.link(last, beside.next);
        // What waited for the parent waits for its heirs: one is in its place.
        match self.heirs(first, parent.after) {
            0 => self.wait_after(parent.after, false, parent.ready_previous),
            heirs => (1..heirs).for_each(|_| self.wait_after(parent.after, true, 0)),
        }
    }

    /// Spells out the open tasks, to be brought back by [`Self::load`]: for each,
    /// in the designer's order, its ground task, its depth, how many tasks wait
    /// for it directly, and which, as numbers in this list.
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

    /// Becomes the network that was saved; its tasks are roots.
    pub fn load(&mut self, saved: &[u32]) {
        self.tasks.truncate(1);
        self.edges.clear();
        self.link(0, 0);
        self.link_ready(0, 0);
        (self.open, self.ready, self.joins, self.hash) = (0, 0, 0, 0);
        self.alike = Alike::default();
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
            // Each still waits for one at least.
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
        self.put_in(task);
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        Footprint::of_vec(&self.tasks)
            + Footprint::of_vec(&self.edges)
            + self.alike.footprint()
            + self.spelling.footprint()
    }
}
