//! The states that a search reached, and the path to each.

use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// The way in which a state was reached.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The previous state; [`NONE`] for the start.
    pub parent: u32,
    /// The action that led from there.
    pub action: u32,
    /// The number of actions from the start.
    pub depth: u32,
    /// The cost from the start: g.
    pub cost: f64,
    /// The estimated cost to the goal: h; negative if it wasn't estimated.
    pub h: f64,
    /// `true` if it was expanded, or is a dead end.
    pub is_closed: bool,
}

/// The distinct states, by number.
#[derive(Debug)]
pub struct States {
    words: usize,
    states: Vec<u64>,
    /// The node of each state.
    pub nodes: Vec<Node>,
    /// The hash table: open addressing with linear probing; its length is a power of two.
    slots: Vec<u32>,
}

/// Returns a polynomial hash with 64-bit words, also on 32-bit targets such as WebAssembly.
fn hash(state: &[u64]) -> u32 {
    let polynomial = state.iter().fold(0_u64, |hash, word| {
        (hash.rotate_left(5) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5)
    });
    (polynomial.rotate_left(26) >> 32) as u32
}

impl States {
    /// Creates a table without states, each of `words` words.
    pub fn new(words: usize) -> Self {
        Self {
            words,
            states: vec![],
            nodes: vec![],
            slots: vec![NONE; 16],
        }
    }

    /// Returns the words of a state.
    pub fn state(&self, number: u32) -> &[u64] {
        let first = number as usize * self.words;
        &self.states[first..first + self.words]
    }

    fn slot(&self, state: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(state) as usize & mask;
        while self.slots[slot] != NONE && self.state(self.slots[slot]) != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Returns the number of a state, if it is known.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        Some(self.slots[self.slot(state)]).filter(|number| *number != NONE)
    }

    /// Adds a state that isn't known yet.
    pub fn add(&mut self, state: &[u64], node: Node) -> u32 {
        if self.slots.len() < 2 * (self.nodes.len() + 1) {
            self.grow();
        }
        let slot = self.slot(state);
        let number = self.nodes.len() as u32;
        self.slots[slot] = number;
        self.states.extend_from_slice(state);
        self.nodes.push(node);
        number
    }

    fn grow(&mut self) {
        let size = 2 * self.slots.len();
        // The old slots are freed first: the states are enough to rebuild them.
        self.slots = vec![];
        self.slots = vec![NONE; size];
        for number in 0..self.nodes.len() as u32 {
            let slot = self.slot(self.state(number));
            self.slots[slot] = number;
        }
    }

    /// Returns the actions that led to a state.
    pub fn actions(&self, mut number: u32) -> Vec<u32> {
        let mut actions = vec![];
        while let Node { parent, action, .. } = self.nodes[number as usize]
            && parent != NONE
        {
            actions.push(action);
            number = parent;
        }
        actions.reverse();
        actions
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let slots = self.slots.len() * size_of::<u32>();
        let is_filling = 2 * (self.nodes.len() + 1024) > self.slots.len();
        MemoryUse::of_rows(&self.states, self.words)
            + MemoryUse::of_vec(&self.nodes)
            + MemoryUse::growing(slots, if is_filling { slots } else { 0 })
    }
}
