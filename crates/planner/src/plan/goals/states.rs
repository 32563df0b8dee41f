//! The states that a search came upon, and the way to each.

use super::operators::NONE;
use crate::plan::held::Footprint;

/// How a state was reached.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The state before; [`NONE`] where the search starts.
    pub parent: u32,
    /// The action that led there.
    pub action: u32,
    /// How many actions it took.
    pub depth: u32,
    /// What they cost: g.
    pub cost: f64,
    /// The estimated cost from there to the goal: h; below 0 where it was not estimated.
    pub left: f64,
    /// Whether it was expanded, or is hopeless.
    pub is_closed: bool,
}

/// States by number, each of them once.
#[derive(Debug)]
pub struct States {
    words: usize,
    states: Vec<u64>,
    /// The way to each.
    pub nodes: Vec<Node>,
    /// Open addressing with linear probing; a power of two in length.
    slots: Vec<u32>,
}

/// As a polynomial over words of 64 bits, in a browser, too.
fn hash(state: &[u64]) -> u32 {
    let polynomial = state.iter().fold(0_u64, |hash, word| {
        (hash.rotate_left(5) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5)
    });
    (polynomial.rotate_left(26) >> 32) as u32
}

impl States {
    /// None yet, of so many words each.
    pub fn new(words: usize) -> Self {
        Self {
            words,
            states: vec![],
            nodes: vec![],
            slots: vec![NONE; 16],
        }
    }

    /// The words of a state.
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

    /// The number of a state, if it is known.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        Some(self.slots[self.slot(state)]).filter(|number| *number != NONE)
    }

    /// Adds a state that is not known.
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
        // The old ones go first: the states tell all that they did.
        self.slots = vec![];
        self.slots = vec![NONE; size];
        for number in 0..self.nodes.len() as u32 {
            let slot = self.slot(self.state(number));
            self.slots[slot] = number;
        }
    }

    /// The actions that led to a state.
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

    /// The memory held.
    pub fn footprint(&self) -> Footprint {
        let slots = self.slots.len() * size_of::<u32>();
        let is_filling = 2 * (self.nodes.len() + 1024) > self.slots.len();
        Footprint::of_rows(&self.states, self.words)
            + Footprint::of_vec(&self.nodes)
            + Footprint::growing(slots, if is_filling { slots } else { 0 })
    }
}
