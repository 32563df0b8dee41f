//! Many short lists of numbers in one vector.

use crate::plan::memory::MemoryUse;

/// The absence of a number.
pub const NONE: u32 = u32::MAX;

/// Numbered lists.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    /// Returns the items of a list.
    #[inline]
    pub fn row(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        &self.items[start as usize..self.ends[number] as usize]
    }

    /// Returns the number of lists.
    #[expect(clippy::len_without_is_empty, reason = "no search asks for that")]
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns the total number of items.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// Adds a list.
    pub fn push(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
    }

    /// Returns for each item below `len` the numbers of the lists that contain it.
    pub fn transposed(&self, len: usize) -> Self {
        let mut grouping = Grouping::new(len);
        self.items.iter().for_each(|item| grouping.count(*item));
        grouping.counted();
        for number in 0..self.len() {
            for item in self.row(number) {
                grouping.put(*item, number);
            }
        }
        grouping.finish()
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.ends) + MemoryUse::of_vec(&self.items)
    }
}

/// Groups values by their keys below a limit. All keys are counted first, and then all values are
/// added in the same order. Both can be done incrementally.
#[derive(Debug, Default)]
pub struct Grouping {
    /// While keys are counted: the count of each one, at the next index. Then the index of the next
    /// value of each key.
    ends: Vec<u32>,
    items: Vec<u32>,
    /// The number of keys counted.
    counted: usize,
}

impl Grouping {
    /// Starts with keys below `len`.
    pub fn new(len: usize) -> Self {
        Self {
            ends: vec![0; len + 1],
            items: vec![],
            counted: 0,
        }
    }

    /// Counts a key.
    pub fn count(&mut self, key: u32) {
        self.ends[key as usize + 1] += 1;
        self.counted += 1;
    }

    /// Ends the counting of keys.
    pub fn counted(&mut self) {
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.items = vec![0; sum as usize];
    }

    /// Adds a value to those of its key.
    pub fn put(&mut self, key: u32, value: u32) {
        let at = &mut self.ends[key as usize];
        self.items[*at as usize] = value;
        *at += 1;
    }

    /// Returns the memory use, including that of the values once all keys are counted.
    pub fn memory_use(&self) -> MemoryUse {
        let left = if self.items.is_empty() {
            self.counted
        } else {
            0
        };
        MemoryUse::of_vec(&self.ends)
            + MemoryUse::growing(size_of_val(&*self.items), left * size_of::<u32>())
    }

    /// Returns the list of each key, once all values are added.
    pub fn finish(mut self) -> Rows {
        self.ends.pop();
        Rows {
            ends: self.ends,
            items: self.items,
        }
    }
}
