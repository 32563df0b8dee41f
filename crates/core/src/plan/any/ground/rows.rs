//! Many short lists of numbers in one vector.

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

    /// Adds a list.
    pub fn push(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
    }

    /// Groups values by their keys, which are below `len`; values keep their order.
    pub fn grouped(len: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut ends = vec![0u32; len + 1];
        for (key, _) in pairs.clone() {
            ends[key as usize + 1] += 1;
        }
        for at in 0..len {
            ends[at + 1] += ends[at];
        }
        let mut items = vec![0; ends[len] as usize];
        // Each start moves to its row's end while the row fills.
        for (key, value) in pairs {
            let at = &mut ends[key as usize];
            items[*at as usize] = value;
            *at += 1;
        }
        ends.pop();
        Self { ends, items }
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        (self.ends.capacity() + self.items.capacity()) * 4
    }
}
