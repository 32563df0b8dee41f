//! Many short lists in two allocations (compressed sparse rows).

use std::ops::Index;

use taskloom_document::sort::CompactSort;

/// A list for each number below some count.
#[derive(Debug)]
pub(crate) struct AdjacencyList<T> {
    items: Vec<T>,
    /// The start of each list, and the end of the last one.
    starts: Vec<usize>,
}

impl<T> AdjacencyList<T> {
    /// Creates `count` lists of these items, each given with the number of its list.
    pub fn new(count: usize, mut items: Vec<(usize, T)>) -> Self {
        items.compact_sort_by_key(|(list, _)| *list);
        let mut starts = vec![0; count + 1];
        for (list, _) in &items {
            starts[list + 1] += 1;
        }
        for list in 0..count {
            starts[list + 1] += starts[list];
        }
        Self {
            items: items.into_iter().map(|(_, item)| item).collect(),
            starts,
        }
    }

    /// Returns the total number of items.
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// Iterates over the lists.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.starts
            .windows(2)
            .map(|ends| &self.items[ends[0]..ends[1]])
    }
}

impl<T> Index<usize> for AdjacencyList<T> {
    type Output = [T];

    fn index(&self, list: usize) -> &[T] {
        &self.items[self.starts[list]..self.starts[list + 1]]
    }
}
