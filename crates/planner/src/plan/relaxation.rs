//! The vocabulary and the tables of delete relaxations, in which nothing ever becomes false.
//!
//! A *proposition* is what can be reached: a literal, a condition, a task. An *operator* requires
//! propositions, and reaches others at a cost; it is one of their *achievers*, and a *reader* of
//! those that it requires. The operators that reached a goal's propositions at the lowest cost, those
//! that reached what these require, and so on, make up a *relaxed plan*.

use crate::plan::rows::NONE;

/// For each proposition, the lowest cost at which it was reached so far, and by which operator.
#[derive(Debug)]
pub struct Reached<C> {
    costs: Vec<C>,
    achievers: Vec<u32>,
}

impl<C: Copy + PartialOrd> Reached<C> {
    /// Starts with the cost of what isn't reached.
    pub fn new(propositions: usize, unreached: C) -> Self {
        Self {
            costs: vec![unreached; propositions],
            achievers: vec![NONE; propositions],
        }
    }

    /// Forgets everything that was reached.
    pub fn clear(&mut self, unreached: C) {
        self.costs.fill(unreached);
        self.achievers.fill(NONE);
    }

    /// Returns the cost of a proposition.
    pub fn cost(&self, proposition: u32) -> C {
        self.costs[proposition as usize]
    }

    /// Returns the operator that reached a proposition; [`NONE`] if none did.
    pub fn achiever(&self, proposition: u32) -> u32 {
        self.achievers[proposition as usize]
    }

    /// Sets the cost of a proposition that no operator reached.
    pub fn set(&mut self, proposition: u32, cost: C) {
        self.costs[proposition as usize] = cost;
        self.achievers[proposition as usize] = NONE;
    }

    /// Reaches a proposition by an operator. Returns `true` if that lowers its cost.
    pub fn improve(&mut self, proposition: u32, cost: C, operator: u32) -> bool {
        let known = &mut self.costs[proposition as usize];
        let is_lower = cost < *known;
        if is_lower {
            *known = cost;
            self.achievers[proposition as usize] = operator;
        }
        is_lower
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.costs) + size_of_val(&*self.achievers)
    }
}

/// A set of numbers that is cleared at once.
#[derive(Debug, Default)]
pub struct Marks {
    /// For each number, the last generation that it was in.
    marks: Vec<u32>,
    generation: u32,
}

impl Marks {
    /// Creates an empty set of numbers below `len`, to be cleared before its first use.
    pub fn new(len: usize) -> Self {
        Self {
            marks: vec![0; len],
            generation: 0,
        }
    }

    /// Removes all numbers.
    pub fn clear(&mut self) {
        self.generation += 1;
    }

    /// Adds a number. Returns `true` if it is new.
    #[inline]
    pub fn insert(&mut self, number: u32) -> bool {
        let mark = &mut self.marks[number as usize];
        std::mem::replace(mark, self.generation) != self.generation
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.marks)
    }
}
