//! Sets of small numbers as bit rows.

/// Sets of numbers, one per row.
#[derive(Debug)]
pub struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    /// Creates empty sets of numbers less than `columns`.
    pub fn new(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64);
        let bits = vec![0; rows * words];
        Self { words, bits }
    }

    /// Returns the words of a set.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    /// Returns `true` if a number is in a set.
    pub fn contains(&self, row: usize, number: usize) -> bool {
        self.row(row)[number / 64] & (1 << (number % 64)) != 0
    }

    /// Adds a number to a set.
    pub fn insert(&mut self, row: usize, number: usize) {
        self.bits[row * self.words + number / 64] |= 1 << (number % 64);
    }

    /// Adds a row of other sets to one of these.
    pub fn join(&mut self, row: usize, more: &[u64]) {
        let row = &mut self.bits[row * self.words..][..self.words];
        for (word, more) in row.iter_mut().zip(more) {
            *word |= more;
        }
    }

    /// Adds one of these sets to another.
    pub fn join_own(&mut self, row: usize, from: usize) {
        for word in 0..self.words {
            let more = self.bits[from * self.words + word];
            self.bits[row * self.words + word] |= more;
        }
    }
}
