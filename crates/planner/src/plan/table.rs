//! Numbered tuples of numbers.

use super::memory::{CHECK_INTERVAL, MemoryUse};

const EMPTY: u32 = u32::MAX;

/// Numbers each distinct tuple, counted from 0 in order of arrival. All tuples are stored in one
/// vector; finding one allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct TupleTable {
    parts: Vec<u32>,
    ends: Vec<u32>,
    /// The hash table: open addressing with linear probing; its length is a power of two.
    slots: Vec<u32>,
}

/// Returns the hash that rustc-hash computes with 64-bit words. With the 32-bit words of
/// WebAssembly, the half that is used here would be empty: all tuples would get the same slot.
fn hash(tuple: &[u32]) -> u32 {
    let polynomial = tuple.iter().fold(0_u64, |hash, part| {
        hash.wrapping_add(u64::from(*part))
            .wrapping_mul(0xf135_7aea_2e62_a9c5)
    });
    (polynomial.rotate_left(26) >> 32) as u32
}

/// Compares tuples. As they are short, this is faster than calling a function that compares bytes.
fn is_same(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

impl TupleTable {
    /// Returns the tuple with a number; empty if there is none.
    #[inline]
    pub fn tuple(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before] as usize,
            None => 0,
        };
        &self.parts[start..self.ends[number] as usize]
    }

    /// Returns the number of tuples.
    #[expect(clippy::len_without_is_empty, reason = "no search asks for that")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the slot of a tuple, or the one where it would be inserted.
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

    /// Returns the number of a tuple, if it has one.
    #[inline]
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.probe(tuple)]).filter(|n| *n != EMPTY)
    }

    /// Returns the number of a tuple, which is new if it had none.
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
        // The old slots are freed first: the tuples are enough to rebuild them.
        self.slots = vec![];
        self.slots = vec![EMPTY; size];
        for number in 0..self.len() as u32 {
            let slot = self.probe(self.tuple(number));
            self.slots[slot] = number;
        }
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let slots = self.slots.len() * size_of::<u32>();
        let is_filling = 2 * (self.len() + CHECK_INTERVAL) > self.slots.len();
        let on_average = self.parts.len() / self.len().max(1) + 1;
        MemoryUse::of_rows(&self.parts, on_average)
            + MemoryUse::of_vec(&self.ends)
            + MemoryUse::growing(slots, if is_filling { slots } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_tuples_hash_to_different_slots() {
        const PLACES: usize = 1 << 17;
        let mut places = vec![false; PLACES];
        let tuples = (0..45_000).map(|n| [3, n / 200, n % 200]);
        for tuple in tuples {
            places[hash(&tuple) as usize % PLACES] = true;
        }
        let taken = places.iter().filter(|taken| **taken).count();
        // By chance they would occupy about 38,000.
        assert!(taken > 37_000, "{taken} places for 45,000 tuples");
    }
}
