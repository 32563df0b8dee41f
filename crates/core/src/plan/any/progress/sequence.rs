//! Searching through totally ordered problems: the open tasks are a list, of
//! which only the first can be worked on.
//!
//! Lists share their tails, and equal ones are the same cell; so a pair of state
//! and list is a pair of numbers, and is searched once. What leaves no choice is
//! done at once: an action, a task of which one method applies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::ground::Ground;
use super::super::ground::relation::{NONE, Relation};
use super::relax::Relaxed;
use super::state;
use super::{Config, Event, Found, Progress};

/// Moves without a choice in a row; then others get their turn.
const FORCED: u32 = 10_000;

#[derive(Debug, Clone, Copy)]
struct Node {
    state: u32,
    list: u32,
    parent: u32,
    /// The method that the first task of the parent's list was decomposed by.
    method: u32,
    /// The heuristic value, and the number that breaks ties.
    key: (u32, u32),
    /// The first method that has not been tried.
    next: u32,
}

/// Where moves without a choice led.
enum Advanced {
    /// An action cannot be done, or no method applies.
    Dead,
    /// The first task leaves a choice, or others get their turn.
    Open(u32),
    /// Nothing is left to do.
    Done,
}

/// A best-first search.
#[derive(Debug)]
pub struct Sequence {
    config: Config,
    relaxed: Relaxed,
    /// Bits of the states.
    states: Relation,
    /// First task and the list of the others; [`NONE`] is the empty list.
    lists: Relation,
    /// State and list of each node.
    visited: Relation,
    nodes: Vec<Node>,
    queue: BinaryHeap<(Reverse<(u32, u32)>, u32)>,
    order: u32,
    scratch: Vec<u32>,
    /// How many nodes were expanded, and how many states were evaluated.
    pub expanded: u64,
    pub evaluated: u64,
}

impl Sequence {
    pub fn new(ground: &Ground, config: Config) -> Self {
        let mut search = Self {
            config,
            relaxed: Relaxed::new(ground),
            states: Relation::new(ground.initial.len()),
            lists: Relation::new(2),
            visited: Relation::new(2),
            nodes: vec![],
            queue: BinaryHeap::new(),
            order: 0,
            scratch: ground.initial.clone(),
            expanded: 0,
            evaluated: 0,
        };
        let mut list = NONE;
        for root in ground.roots.iter().rev() {
            list = search.cell(*root, list);
        }
        // The root is a node of its own, so that a plan without a choice has one.
        search.states.insert(&ground.initial);
        search.nodes.push(Node {
            state: 0,
            list,
            parent: NONE,
            method: NONE,
            key: (u32::MAX, 0),
            next: 0,
        });
        search.queue.push((Reverse((0, 0)), 0));
        search
    }

    pub fn memory(&self) -> usize {
        self.relaxed.memory()
            + self.states.memory()
            + self.lists.memory()
            + self.visited.memory()
            + self.nodes.capacity() * size_of::<Node>()
            + self.queue.capacity() * 16
    }

    fn cell(&mut self, task: u32, next: u32) -> u32 {
        match self.lists.insert(&[task, next]) {
            Some(number) => number,
            None => self.lists.find(&[task, next]).unwrap_or(NONE),
        }
    }

    fn decomposed(&mut self, ground: &Ground, list: u32, method: u32) -> u32 {
        let mut list = self.lists.tuple(list)[1];
        for task in ground.subtasks.row(method).iter().rev() {
            list = self.cell(*task, list);
        }
        list
    }

    /// Does what leaves no choice, in the state in `scratch`.
    fn advance(
        &mut self,
        ground: &Ground,
        mut list: u32,
        mut record: impl FnMut(Event),
    ) -> Advanced {
        for _ in 0..FORCED {
            if list == NONE {
                return Advanced::Done;
            }
            let &[task, next] = self.lists.tuple(list) else {
                return Advanced::Dead;
            };
            if task < ground.actions {
                if !state::applies(ground, &self.scratch, task) {
                    return Advanced::Dead;
                }
                state::apply(ground, &mut self.scratch, task);
                record(Event::Act { at: 0 });
                list = next;
                continue;
            }
            let mut applicable = ground
                .methods(task)
                .filter(|m| state::method_applies(ground, &self.scratch, *m));
            let Some(method) = applicable.next() else {
                return Advanced::Dead;
            };
            if applicable.next().is_some() {
                return Advanced::Open(list);
            }
            drop(applicable);
            record(Event::Decompose { at: 0, method });
            list = self.decomposed(ground, list, method);
        }
        Advanced::Open(list)
    }

    /// Expands some nodes.
    pub fn step(&mut self, ground: &Ground, nodes: u64) -> Progress {
        for _ in 0..nodes {
            let Some((_, number)) = self.queue.pop() else {
                return Progress::Unsolvable;
            };
            self.expanded += 1;
            if let Some(found) = self.expand(ground, number) {
                return Progress::Found(found);
            }
        }
        Progress::Working
    }

    fn load(&mut self, state: u32) {
        self.scratch.clear();
        self.scratch.extend_from_slice(self.states.tuple(state));
    }

    /// Tries methods of a node's first task until one leads to a better value;
    /// the others wait in the queue.
    fn expand(&mut self, ground: &Ground, number: u32) -> Option<Found> {
        let Node {
            state,
            list,
            key,
            next,
            ..
        } = self.nodes[number as usize];
        self.load(state);
        let task = self.lists.tuple(list)[0];
        if number == 0 || task < ground.actions {
            return self.child(ground, number, list, NONE).err();
        }
        let methods = ground.methods(task);
        for method in methods.start.max(next)..methods.end {
            if !state::method_applies(ground, self.states.tuple(state), method) {
                continue;
            }
            self.load(state);
            let list = self.decomposed(ground, list, method);
            match self.child(ground, number, list, method) {
                Err(found) => return Some(found),
                Ok(Some(value)) if value < key.0 && method + 1 < methods.end => {
                    self.nodes[number as usize].next = method + 1;
                    self.queue.push((Reverse(key), number));
                    return None;
                }
                Ok(_) => {}
            }
        }
        None
    }

    /// Makes a node of what a list comes to in the state in `scratch`.
    /// Its value, or none where it is dead or known; a plan is the `Err`.
    fn child(
        &mut self,
        ground: &Ground,
        parent: u32,
        list: u32,
        method: u32,
    ) -> Result<Option<u32>, Found> {
        let list = match self.advance(ground, list, |_| {}) {
            Advanced::Dead => return Ok(None),
            Advanced::Done => return Err(self.found(ground, parent, method)),
            Advanced::Open(list) => list,
        };
        let scratch = std::mem::take(&mut self.scratch);
        let state = self.states.insert(&scratch);
        let state = state.or_else(|| self.states.find(&scratch)).unwrap_or(NONE);
        let is_new = self.visited.insert(&[state, list]).is_some();
        let value = match is_new {
            true => self.evaluate(ground, &scratch, list),
            false => None,
        };
        self.scratch = scratch;
        let Some(value) = value else { return Ok(None) };
        self.order += 1;
        let tie = match self.config.newest_first {
            true => u32::MAX - self.order,
            false => self.order,
        };
        let key = (value, tie);
        self.nodes.push(Node {
            state,
            list,
            parent,
            method,
            key,
            next: 0,
        });
        self.queue.push((Reverse(key), self.nodes.len() as u32 - 1));
        Ok(Some(value))
    }

    /// The heuristic value; none where it is a dead end.
    fn evaluate(&mut self, ground: &Ground, state: &[u32], list: u32) -> Option<u32> {
        self.evaluated += 1;
        self.relaxed.start(ground, state);
        let mut at = list;
        let mut sum = 0u32;
        let mut count = 0u32;
        while at != NONE {
            let tuple = self.lists.tuple(at);
            sum = sum.saturating_add(self.relaxed.call(ground, tuple[0])?);
            count += 1;
            at = tuple[1];
        }
        Some(match self.config.additive {
            true => sum,
            false => {
                let size =
                    self.relaxed
                        .relaxed_plan(ground, self.config.action, self.config.method);
                size + count * self.config.open
            }
        })
    }

    /// Goes the way to a node again, and one method further.
    fn found(&mut self, ground: &Ground, parent: u32, method: u32) -> Found {
        let mut methods = vec![method];
        let mut at = parent;
        while at != NONE {
            methods.push(self.nodes[at as usize].method);
            at = self.nodes[at as usize].parent;
        }
        let mut events = vec![];
        self.scratch.clone_from(&ground.initial);
        let mut list = self.nodes[0].list;
        // The first is the root's own, which has none.
        for method in methods.into_iter().rev().skip(1) {
            if method != NONE {
                events.push(Event::Decompose { at: 0, method });
                list = self.decomposed(ground, list, method);
            }
            match self.advance(ground, list, |event| events.push(event)) {
                Advanced::Open(open) => list = open,
                Advanced::Done | Advanced::Dead => break,
            }
        }
        super::replay::found(ground, &events)
    }
}
