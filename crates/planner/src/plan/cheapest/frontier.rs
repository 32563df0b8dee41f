//! A* over states and networks, in the order of a lower bound on the cost of a plan through each.
//!
//! A node's state and network follow from its parent's. Large ones are only stored for a node that
//! the search leaves while it has unexpanded children; a child is then reached by repeating the
//! decision that led to it. So a search that goes straight ahead stores next to nothing, however
//! many nodes are open.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::super::assembly::Unassembled;
use super::super::decomposer::{Decomposer, Key, Phase};
use super::super::memory::{MemoryQuota, MemoryUse};
use super::super::state::Saved;
use super::bounds::{Bounds, Cost, Known, sum};
use super::descent::ahead;
use super::guide;
use super::incumbent::{Incumbent, Path, Turn};
use crate::compile::Problem;
use crate::plan::Budget;
use crate::plan::rows::NONE;

/// Networks of up to this many open tasks are stored with every node: that needs little memory, and
/// no decision has to be found again.
const SMALL: u32 = 256;

/// A state and network.
#[derive(Debug, Clone, Copy)]
struct Node {
    key: Key,
    /// The parent.
    parent: u32,
    /// The index of its state and network in [`Frontier::written`], or [`NONE`].
    written: u32,
    /// The cost of the path to it (g).
    paid: f64,
    /// `true` if a cheaper path was found, which is another node. Known paths are kept: a step with
    /// negative cost may lead a node back to itself.
    is_past: bool,
    /// A lower bound on the cost of the network (h).
    ahead: f64,
}

/// A stored state and network.
#[derive(Debug)]
struct Written {
    /// An index of [`Frontier::states`].
    state: u32,
    /// The start and length of a slice of [`Frontier::networks`].
    network: (usize, u32),
    /// `true` if there are steps before it.
    has_begun: bool,
}

/// A node to be expanded. The greatest comes first: the one with the lowest total, then the lowest
/// remaining cost, then from the newest batch, and of its siblings the first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    total: Reverse<Cost>,
    ahead: Reverse<Cost>,
    batch: u32,
    sibling: Reverse<u32>,
    node: u32,
}

/// An A* search; see the module.
#[derive(Debug)]
pub struct Frontier {
    /// The current state and network: those of the node being expanded, or of the last one.
    pub decomposer: Decomposer,
    phase: Phase,
    nodes: Vec<Node>,
    numbers: FxHashMap<Key, u32>,
    open: BinaryHeap<Open>,
    states: Vec<Saved>,
    state_numbers: FxHashMap<u128, u32>,
    networks: Vec<u32>,
    written: Vec<Written>,
    /// The memory use of [`Self::states`], in bytes.
    saved: usize,
    /// The node whose state and network the decomposer holds.
    current: u32,
    /// The number of open nodes that can only be reached from it.
    children: u32,
    /// The number of nodes expanded.
    batch: u32,
    /// The lowest total among the open nodes.
    floor: f64,
    cut: f64,
    spelled: Vec<u32>,
    known: Known,
}

impl Frontier {
    /// Starts before the initial state and network, whose cost is at least `least`.
    pub fn new(problem: &Problem, budget: Budget, least: f64) -> Self {
        let mut frontier = Self {
            decomposer: Decomposer::new(problem, budget, 0),
            phase: Phase::Done,
            nodes: vec![],
            numbers: FxHashMap::default(),
            open: BinaryHeap::new(),
            states: vec![],
            state_numbers: FxHashMap::default(),
            networks: vec![],
            written: vec![],
            saved: 0,
            current: NONE,
            children: 0,
            batch: 0,
            floor: f64::NEG_INFINITY,
            cut: f64::INFINITY,
            spelled: vec![],
            known: Known::default(),
        };
        if !frontier.decomposer.network.is_done() && least.is_finite() {
            let key = frontier.decomposer.exact_key();
            frontier.add(key, least);
            frontier.current = 0;
            // Every path starts here.
            frontier.write(0);
        }
        frontier
    }

    /// Returns a lower bound on the cost of plans not found yet.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// Returns a lower bound on the cost of plans missed because they are nested too deep.
    pub fn cut(&self) -> f64 {
        self.cut
    }

    /// Makes about `nodes` decisions, or fewer if it finds a better plan.
    pub fn step(
        &mut self,
        nodes: u64,
        bounds: &mut Bounds,
        best: &Incumbent,
        memory: &mut MemoryQuota,
    ) -> Turn {
        let until = self.decomposer.spent().saturating_add(nodes);
        let limit = best.limit();
        while self.decomposer.spent() < until && !self.decomposer.is_stopped() {
            self.phase = match self.phase {
                Phase::Done => match self.next(best, limit) {
                    Some(phase) => phase,
                    None => return Turn::Ended,
                },
                Phase::Enter => {
                    self.phase = Phase::Back;
                    if let Some(turn) = self.enter(bounds, best, limit, memory) {
                        return turn;
                    }
                    Phase::Back
                }
                Phase::Leave => {
                    let node = &self.nodes[self.current as usize];
                    if self.decomposer.stack.pop().is_some_and(|frame| frame.cut) {
                        self.cut = self.cut.min(sum(node.paid, node.ahead));
                    }
                    Phase::Done
                }
                phase => self.decomposer.advance(phase),
            };
        }
        Turn::Over
    }

    /// Starts to expand the most promising node.
    fn next(&mut self, best: &Incumbent, limit: f64) -> Option<Phase> {
        loop {
            let open = self.open.pop()?;
            let node = &self.nodes[open.node as usize];
            if node.is_past {
                continue;
            }
            if best.rules_out(node.paid, node.ahead, limit) {
                return None;
            }
            if !best.negative {
                self.floor = self.floor.max(open.total.0.0);
            }
            if !self.go_to(open.node) {
                // The node must be reachable, so nothing is proved without it.
                let node = &self.nodes[open.node as usize];
                self.cut = self.cut.min(sum(node.paid, node.ahead));
                self.current = NONE;
                continue;
            }
            self.batch += 1;
            self.children = 0;
            let node = &self.nodes[open.node as usize];
            self.decomposer.paid = node.paid;
            return Some(self.decomposer.push(node.key));
        }
    }

    /// Moves the decomposer to a node to be expanded. Returns `true` on success.
    fn go_to(&mut self, number: u32) -> bool {
        let Node {
            parent, written, ..
        } = self.nodes[number as usize];
        let is_child = parent == self.current && written == NONE;
        if self.children > u32::from(is_child) && self.current != number {
            self.write(self.current);
        }
        if self.current == number {
            return true;
        }
        if written != NONE {
            self.load(written);
            self.current = number;
            return true;
        }
        if self.current != parent {
            let Some(written) = self.nodes.get(parent as usize).map(|node| node.written) else {
                return false;
            };
            match written {
                // Its tasks are found again from those above them.
                NONE if !self.go_to(parent) => return false,
                NONE => {}
                written => self.load(written),
            }
        }
        self.current = number;
        self.follow(parent, number)
    }

    /// Repeats the decision that leads from a node, where the decomposer stands, to its child.
    /// Returns `true` on success. These decisions are not counted again.
    fn follow(&mut self, parent: u32, child: u32) -> bool {
        let before = self.decomposer.statistics;
        let found = self.find(parent, child);
        self.decomposer.statistics = before;
        found
    }

    fn find(&mut self, parent: u32, child: u32) -> bool {
        let (from, to) = (&self.nodes[parent as usize], &self.nodes[child as usize]);
        let decomposer = &mut self.decomposer;
        let standing = decomposer.stack.len();
        decomposer.paid = from.paid;
        let mut phase = decomposer.push(from.key);
        loop {
            phase = match phase {
                Phase::Enter => {
                    if decomposer.paid <= to.paid
                        && !decomposer.network.is_done()
                        && decomposer.exact_key() == to.key
                    {
                        return true;
                    }
                    Phase::Back
                }
                Phase::Leave | Phase::Done => return false,
                phase => decomposer.advance(phase),
            };
            if decomposer.is_stopped() || decomposer.stack.len() <= standing {
                return false;
            }
        }
    }

    /// Moves the decomposer to a stored node.
    fn load(&mut self, written: u32) {
        let Written {
            state,
            network: (start, len),
            has_begun,
        } = self.written[written as usize];
        let network = &self.networks[start..start + len as usize];
        self.decomposer
            .stand_at(&self.states[state as usize], network, has_begun);
    }

    /// Stores the decomposer's state and network for this node, which is the current one.
    fn write(&mut self, number: u32) {
        let Some(node) = self.nodes.get_mut(number as usize) else {
            return;
        };
        // Until the plan has begun, its tasks need those above them, whose rules count.
        let is_needed =
            number != 0 && self.decomposer.problem.has_rules() && !self.decomposer.has_begun();
        if node.written != NONE || is_needed {
            return;
        }
        node.written = self.written.len() as u32;
        let hash = self.decomposer.state.hash();
        let state = *self.state_numbers.entry(hash).or_insert_with(|| {
            let saved = self.decomposer.state.save();
            self.saved += saved.memory();
            self.states.push(saved);
            self.states.len() as u32 - 1
        });
        self.decomposer.network.save(&mut self.spelled);
        let network = (self.networks.len(), self.spelled.len() as u32);
        self.networks.extend_from_slice(&self.spelled);
        self.written.push(Written {
            state,
            network,
            has_begun: self.decomposer.has_begun(),
        });
    }

    /// Adds a successor of the node being expanded, or returns its result if it is a better plan.
    fn enter(
        &mut self,
        bounds: &mut Bounds,
        best: &Incumbent,
        limit: f64,
        memory: &mut MemoryQuota,
    ) -> Option<Turn> {
        let before = self.nodes[self.current as usize].ahead;
        let ahead = ahead(&self.decomposer, &mut self.known, bounds, before);
        let paid = self.decomposer.paid;
        if best.rules_out(paid, ahead, limit) {
            return None;
        }
        if self.decomposer.network.is_done() {
            if paid >= limit || !self.decomposer.goal_holds() {
                return None;
            }
            let path = self.path();
            let mut initial = self.decomposer.state.clone();
            initial.load(self.states.first()?);
            return match guide::replay(&mut self.decomposer, initial, &path, paid, memory) {
                Ok(plan) => Some(Turn::Found(plan)),
                Err(Unassembled::QuotaExceeded) => Some(Turn::QuotaExceeded),
                Err(_) => {
                    // The plan must exist, so nothing is proved without it.
                    self.cut = self.cut.min(paid);
                    None
                }
            };
        }
        let key = self.decomposer.exact_key();
        let known = match self.numbers.entry(key) {
            Entry::Vacant(_) => {
                self.add(key, ahead);
                return None;
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let number = self.nodes.len() as u32;
        let node = &mut self.nodes[known as usize];
        if paid < node.paid {
            node.is_past = true;
            let cheaper = Node {
                parent: self.current,
                paid,
                is_past: false,
                ..*node
            };
            self.nodes.push(cheaper);
            self.numbers.insert(key, number);
            self.offer(number);
        }
        None
    }

    /// Adds the decomposer's state and network as a node.
    fn add(&mut self, key: Key, ahead: f64) {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            key,
            parent: self.current,
            written: NONE,
            paid: self.decomposer.paid,
            is_past: false,
            ahead,
        });
        self.numbers.insert(key, number);
        if self.decomposer.network.open_tasks() <= SMALL {
            self.write(number);
        }
        self.offer(number);
    }

    fn offer(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        self.children += u32::from(node.written == NONE);
        self.open.push(Open {
            total: Reverse(Cost(sum(node.paid, node.ahead))),
            ahead: Reverse(Cost(node.ahead)),
            batch: self.batch,
            sibling: Reverse(number),
            node: number,
        });
    }

    /// Returns the path to the current node.
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

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.decomposer.memory_use()
            + MemoryUse::of_vec(&self.nodes)
            + MemoryUse::of_map(&self.numbers)
            + MemoryUse::of_heap(&self.open)
            + MemoryUse::of_vec(&self.states)
            + MemoryUse::of_map(&self.state_numbers)
            + MemoryUse::of_rows(&self.networks, self.spelled.capacity())
            + MemoryUse::of_vec(&self.written)
            + MemoryUse::of_vec(&self.spelled)
            + MemoryUse::fixed(self.saved)
            + self.known.memory_use()
    }
}
