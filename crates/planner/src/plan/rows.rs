//! Many short lists of numbers in one vector.

use crate::plan::held::Footprint;

/// Lists, by number.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    /// A list's items.
    pub fn row(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        &self.items[start as usize..self.ends[number] as usize]
    }

    /// How many lists there are.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// How many items all lists have together.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// Adds a list.
    pub fn push(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
    }

    /// The numbers of the lists that have each item, of items below `len`.
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

    /// What they take.
    pub fn footprint(&self) -> Footprint {
        Footprint::of_vec(&self.ends) + Footprint::of_vec(&self.items)
    }
}

/// Groups values by their keys, which are below a number: first every key is
/// counted, then every value is put in, in the same order. Both can be done bit by
/// bit.
#[derive(Debug, Default)]
pub struct Grouping {
    /// While keys are counted: how many of each, one place further. Then where the
    /// next value of each goes.
    ends: Vec<u32>,
    items: Vec<u32>,
    /// How many keys were counted.
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

    /// All keys were counted.
    pub fn counted(&mut self) {
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.items = vec![0; sum as usize];
    }

    /// Adds a value to its key's.
    pub fn put(&mut self, key: u32, value: u32) {
        let at = &mut self.ends[key as usize];
        self.items[*at as usize] = value;
        *at += 1;
    }

    /// What it takes, and what it will once all keys are counted.
    pub fn footprint(&self) -> Footprint {
        let left = if self.items.is_empty() {
            self.counted
        } else {
            0
        };
        Footprint::of_vec(&self.ends)
            + Footprint::growing(size_of_val(&*self.items), left * size_of::<u32>())
    }

    /// All values were put in: each key's list.
    pub fn finish(mut self) -> Rows {
        self.ends.pop();
        Rows {
            ends: self.ends,
            items: self.items,
        }
    }
}
