//! Tuples of numbers and the numbers that stand for them.

use super::held::{BETWEEN_LOOKS, Footprint};

const EMPTY: u32 = u32::MAX;

/// Gives each distinct tuple a number, counted from 0 in the order of arrival.
/// Tuples live in one vector; finding one allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct TupleTable {
    parts: Vec<u32>,
    ends: Vec<u32>,
    /// Open addressing with linear probing; a power of two in length.
    slots: Vec<u32>,
}

/// As rustc-hash does it where words have 64 bits. By its own words it would have 32 in
/// a browser, and nothing in the half that is used here: all tuples would go to one place.
fn hash(tuple: &[u32]) -> u32 {
    let polynomial = tuple.iter().fold(0_u64, |hash, part| {
        hash.wrapping_add(u64::from(*part))
            .wrapping_mul(0xf135_7aea_2e62_a9c5)
    });
    (polynomial.rotate_left(26) >> 32) as u32
}

/// Tuples are short: comparing them here is faster than calling what compares
/// bytes.
fn is_same(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

impl TupleTable {
    /// The tuple with a number; empty where there is none.
    pub fn tuple(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before] as usize,
            None => 0,
        };
        &self.parts[start..self.ends[number] as usize]
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Where a tuple is, or where it would go.
    fn probe(&self, tuple: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(tuple) as usize & mask;
        loop {
            let number = self.slots[slot];
            if number == EMPTY || is_same(self.tuple(number), tuple) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a tuple, if it has one.
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.probe(tuple)]).filter(|n| *n != EMPTY)
    }

    /// The number of a tuple, a new one where it has none.
    pub fn intern(&mut self, tuple: &[u32]) -> u32 {
        if self.slots.len() < 2 * (self.len() + 1) {
            self.grow();
        }
        let slot = self.probe(tuple);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = self.len() as u32;
            self.parts.extend_from_slice(tuple);
            self.ends.push(self.parts.len() as u32);
        }
        self.slots[slot]
    }

    fn grow(&mut self) {
        let size = (2 * (self.len() + 1)).next_power_of_two().max(16);
        // The old ones go first: the tuples tell all that they did.
        self.slots = vec![];
        self.slots = vec![EMPTY; size];
        for number in 0..self.len() as u32 {
            let slot = self.probe(self.tuple(number));
            self.slots[slot] = number;
        }
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        let slots = self.slots.len() * size_of::<u32>();
        let is_filling = 2 * (self.len() + BETWEEN_LOOKS) > self.slots.len();
        let on_average = self.parts.len() / self.len().max(1) + 1;
        Footprint::of_rows(&self.parts, on_average)
            + Footprint::of_vec(&self.ends)
            + Footprint::growing(slots, if is_filling { slots } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_that_are_alike_go_to_different_places() {
        const PLACES: usize = 1 << 17;
        let mut places = vec![false; PLACES];
        let tuples = (0..45_000).map(|n| [3, n / 200, n % 200]);
        for tuple in tuples {
            places[hash(&tuple) as usize % PLACES] = true;
        }
        let taken = places.iter().filter(|taken| **taken).count();
        // By chance they would take some 38,000.
        assert!(taken > 37_000, "{taken} places for 45,000 tuples");
    }
}
