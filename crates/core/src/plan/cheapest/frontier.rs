//! A*: the states and networks that a plan of least cost may pass through, in
//! the order of what such a plan costs at least.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::super::answer::{Budget, Plan, Statistics};
use super::super::progression::{Doing, Key, Phase, Progression};
use super::super::state::Saved;
use super::bounds::{Bounds, Cost, Known};
use super::descent::ahead;
use super::{Incumbent, MEMORY_INTERVAL, Path, Turn, guide};
use crate::compile::Problem;

/// No node.
const NONE: u32 = u32::MAX;

/// A state and network.
#[derive(Debug)]
struct Node {
    key: Key,
    /// The one before on the cheapest way to it.
    parent: u32,
    /// The state, in [`Frontier::states`].
    state: u32,
    /// The network's part of [`Frontier::networks`].
    network: (usize, u32),
    /// What the cheapest way to it costs.
    paid: f64,
    /// What the network costs at least.
    ahead: f64,
}

/// A node to be expanded. The greatest comes first: it promises the cheapest
/// plan, is nearest to its end, and was found last, or first among siblings.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    total: Reverse<Cost>,
    ahead: Reverse<Cost>,
    batch: u32,
    sibling: Reverse<u32>,
    node: u32,
    paid: Cost,
}

/// See the module.
#[derive(Debug)]
pub struct Frontier {
    /// Expands one node at a time, whose frame is its only one.
    progression: Progression,
    phase: Phase,
    nodes: Vec<Node>,
    numbers: FxHashMap<Key, u32>,
    open: BinaryHeap<Open>,
    states: Vec<Saved>,
    state_numbers: FxHashMap<u128, u32>,
    networks: Vec<u32>,
    /// Bytes of [`Self::states`].
    saved: usize,
    /// The node being expanded.
    current: u32,
    /// How many nodes were expanded.
    batch: u32,
    /// The least of what the open nodes promise.
    floor: f64,
    cut: f64,
    spelled: Vec<u32>,
    known: Known,
}

impl Frontier {
    /// Stands before the initial state and network, which costs `least` at least.
    pub fn new(problem: &Problem, budget: Budget, least: f64) -> Self {
        let mut frontier = Self {
            progression: Progression::new(problem, budget, 0),
            phase: Phase::Done,
            nodes: vec![],
            numbers: FxHashMap::default(),
            open: BinaryHeap::new(),
            states: vec![],
            state_numbers: FxHashMap::default(),
            networks: vec![],
            saved: 0,
            current: NONE,
            batch: 0,
            floor: f64::NEG_INFINITY,
            cut: f64::INFINITY,
            spelled: vec![],
            known: Known::default(),
        };
        if !frontier.progression.network.is_done() && least.is_finite() {
            let key = frontier.progression.key();
            frontier.add(key, least);
        }
        frontier
    }

    /// What a plan that it has not found yet costs at least.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// What a plan costs at least that was not found as it is nested too deep.
    pub fn cut(&self) -> f64 {
        self.cut
    }

    /// Takes about so many decisions, or fewer to a plan that is better.
    pub fn step(&mut self, nodes: u64, bounds: &mut Bounds, best: &Incumbent) -> Turn {
        let until = self.progression.spent().saturating_add(nodes);
        let limit = best.limit();
        while self.progression.spent() < until {
            self.phase = match self.phase {
                Phase::Done => match self.next(best, limit) {
                    Some(phase) => phase,
                    None => return Turn::Ended,
                },
                Phase::Enter => {
                    self.phase = Phase::Back;
                    if let Some(plan) = self.enter(bounds, best, limit) {
                        return Turn::Found(plan);
                    }
                    Phase::Back
                }
                Phase::Leave => {
                    let node = &self.nodes[self.current as usize];
                    if self.progression.stack.pop().is_some_and(|frame| frame.cut) {
                        self.cut = self.cut.min(node.paid + node.ahead);
                    }
                    Phase::Done
                }
                phase => self.progression.advance(phase),
            };
        }
        Turn::Over
    }

    /// Starts to expand the most promising node.
    fn next(&mut self, best: &Incumbent, limit: f64) -> Option<Phase> {
        loop {
            let open = self.open.pop()?;
            let node = &self.nodes[open.node as usize];
            if node.paid < open.paid.0 {
                // A cheaper way to it was found meanwhile.
                continue;
            }
            if best.rules_out(node.paid, node.ahead, limit) {
                return None;
            }
            if !best.negative {
                self.floor = self.floor.max(open.total.0.0);
            }
            self.current = open.node;
            self.batch += 1;
            let progression = &mut self.progression;
            progression.state.load(&self.states[node.state as usize]);
            let (start, len) = node.network;
            progression
                .network
                .load(&self.networks[start..start + len as usize]);
            progression.paid = node.paid;
            return Some(progression.push(node.key));
        }
    }

    /// A successor of the node being expanded; the plan where it is a better one.
    fn enter(&mut self, bounds: &mut Bounds, best: &Incumbent, limit: f64) -> Option<Plan> {
        let before = self.nodes[self.current as usize].ahead;
        let ahead = ahead(&self.progression, &mut self.known, bounds, before);
        let paid = self.progression.paid;
        if best.rules_out(paid, ahead, limit) {
            return None;
        }
        if self.progression.network.is_done() {
            if paid >= limit || !self.progression.goal_holds() {
                return None;
            }
            let path = self.path();
            let mut initial = self.progression.state.clone();
            initial.load(self.states.first()?);
            return guide::replay(&mut self.progression, initial, &path, paid);
        }
        let key = self.progression.key();
        let known = match self.numbers.entry(key) {
            Entry::Vacant(_) => {
                self.add(key, ahead);
                return None;
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let node = &mut self.nodes[known as usize];
        if paid < node.paid {
            node.paid = paid;
            node.parent = self.current;
            self.offer(known);
        }
        None
    }

    /// Adds where the progression stands.
    fn add(&mut self, key: Key, ahead: f64) {
        let frame = self.progression.stack.last();
        let same_state = frame.is_some_and(|f| matches!(f.done, Doing::Method { .. }));
        let state = match same_state {
            true => self.nodes[self.current as usize].state,
            false => {
                let hash = self.progression.state.hash();
                *self.state_numbers.entry(hash).or_insert_with(|| {
                    let saved = self.progression.state.save();
                    self.saved += saved.memory();
                    self.states.push(saved);
                    self.states.len() as u32 - 1
                })
            }
        };
        self.progression.network.save(&mut self.spelled);
        let network = (self.networks.len(), self.spelled.len() as u32);
        self.networks.extend_from_slice(&self.spelled);
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            key,
            parent: self.current,
            state,
            network,
            paid: self.progression.paid,
            ahead,
        });
        self.numbers.insert(key, number);
        self.offer(number);
    }

    fn offer(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        self.open.push(Open {
            total: Reverse(Cost(node.paid + node.ahead)),
            ahead: Reverse(Cost(node.ahead)),
            batch: self.batch,
            sibling: Reverse(number),
            node: number,
            paid: Cost(node.paid),
        });
    }

    /// The way to where the progression stands.
    fn path(&self) -> Path {
        let mut path = vec![];
        let mut number = self.current;
        while let Some(node) = self.nodes.get(number as usize) {
            path.push((node.key, node.paid));
            number = node.parent;
        }
        path.reverse();
        path
    }

    /// Whether an evaluation did not come to its end, so that what the last step
    /// came to means nothing.
    pub fn is_cut_short(&self) -> bool {
        self.progression.frames.is_spent()
    }

    /// Decisions, and work that counts as such.
    pub fn spent(&self) -> u64 {
        self.progression.spent()
    }

    /// What it used so far, but for memory.
    pub fn statistics(&self) -> Statistics {
        self.progression.statistics
    }

    /// Bytes of each of its tables, and whether it may grow until the memory is
    /// looked at again.
    fn tables(&self) -> [(usize, bool); 6] {
        let turn = 2 * MEMORY_INTERVAL as usize;
        let table = |len: usize, capacity: usize, size: usize, more: usize| {
            (capacity * size, len + more > capacity)
        };
        let (numbers, states) = (&self.numbers, &self.state_numbers);
        let bucket = |size: usize| (size + 1) * 8 / 7 + 1;
        [
            table(
                self.nodes.len(),
                self.nodes.capacity(),
                size_of::<Node>(),
                turn,
            ),
            table(
                self.open.len(),
                self.open.capacity(),
                size_of::<Open>(),
                turn,
            ),
            table(
                numbers.len(),
                numbers.capacity(),
                bucket(size_of::<(Key, u32)>()),
                turn,
            ),
            table(
                states.len(),
                states.capacity(),
                bucket(size_of::<(u128, u32)>()),
                turn,
            ),
            table(
                self.states.len(),
                self.states.capacity(),
                size_of::<Saved>(),
                turn,
            ),
            table(
                self.networks.len(),
                self.networks.capacity(),
                size_of::<u32>(),
                turn * self.spelled.capacity().max(4),
            ),
        ]
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        let tables: usize = self.tables().iter().map(|(bytes, _)| bytes).sum();
        self.progression.memory() + (tables + self.saved + self.known.memory()) as u64
    }

    /// Bytes that it may need in addition until the memory is looked at again.
    pub fn growth(&self) -> u64 {
        let growing = self.tables().into_iter().filter(|(_, grows)| *grows);
        let tables: u64 = growing.map(|(bytes, _)| 2 * bytes as u64).sum();
        self.progression.memory() + tables
    }
}
