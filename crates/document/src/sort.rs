//! Sorting by shared code, for the page's and the worker's size.
//!
//! The standard library compiles its sorts again for every type and every comparison, 4 to 5 kB
//! each time, which is most of the code of a function that sorts a short list. [`CompactSort`]
//! compiles two small functions instead, one that compares two items and one that swaps them; what
//! calls them is the same code for all lists. Collecting into a `BTreeMap` or a `BTreeSet` sorts,
//! too: [`map_of`] and [`set_of`] insert one entry after the other.
//!
//! It's for lists that are sorted once per edit, file, plan or click. Each comparison is a call
//! through a pointer, so code that sorts in an inner loop, as the planner's searches do, uses the
//! standard library's sorts.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Stable sorting of a slice by code that all types share. Sorted slices take n - 1 comparisons,
/// others up to n log n; if a comparison panics, the slice is unchanged.
pub trait CompactSort<T> {
    /// Sorts the slice in ascending order.
    fn compact_sort(&mut self)
    where
        T: Ord;

    /// Sorts the slice by a comparison of two items.
    fn compact_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts the slice by a key, which is computed for each comparison.
    fn compact_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> CompactSort<T> for [T] {
    fn compact_sort(&mut self)
    where
        T: Ord,
    {
        self.compact_sort_by(T::cmp);
    }

    fn compact_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = sorted_order(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        arrange(order, &mut |a, b| self.swap(a, b));
    }

    fn compact_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.compact_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Collects entries into a map, without sorting them first. Of entries with equal keys, the first
/// one's key remains, with the last one's value.
pub fn map_of<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

/// Collects items into a set, without sorting them first. Of equal items, the first remains.
pub fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// Returns the positions of the items in sorted order, or none if they are sorted: a merge sort
/// from the bottom up.
fn sorted_order(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<u32> {
    let mut is_less = |a: u32, b: u32| compare(a as usize, b as usize).is_lt();
    let count = len as u32;
    if (1..count).all(|at| !is_less(at, at - 1)) {
        return vec![];
    }
    let mut order: Vec<u32> = (0..count).collect();
    let mut left = Vec::with_capacity(len);
    let mut width = 1;
    while width < len {
        for runs in order.chunks_mut(2 * width) {
            if runs.len() > width && is_less(runs[width], runs[width - 1]) {
                merge(runs, width, &mut left, &mut is_less);
            }
        }
        width *= 2;
    }
    order
}

/// Merges two sorted runs, of which the first has this width, by a copy of the first.
fn merge(
    runs: &mut [u32],
    width: usize,
    left: &mut Vec<u32>,
    is_less: &mut dyn FnMut(u32, u32) -> bool,
) {
    left.clear();
    left.extend_from_slice(&runs[..width]);
    let mut right = width;
    for (at, item) in left.iter().enumerate() {
        while right < runs.len() && is_less(runs[right], *item) {
            runs[at + right - width] = runs[right];
            right += 1;
        }
        runs[at + right - width] = *item;
    }
}

/// Moves the items into an order of their positions, by swaps along its cycles.
fn arrange(mut order: Vec<u32>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at as u32) as usize;
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sorts_all_short_lists() {
        for len in 0..=6u32 {
            for number in 0..(len + 1).pow(len) {
                let digits = (0..len).map(|at| number / (len + 1).pow(at) % (len + 1));
                agrees_with_std(&digits.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn sorts_lists_of_every_length() {
        for len in 0..300u32 {
            agrees_with_std(&(0..len).collect::<Vec<_>>());
            agrees_with_std(&(0..len).rev().collect::<Vec<_>>());
            let scattered = (0..len).map(|at| at.wrapping_mul(2_654_435_761) >> 27);
            agrees_with_std(&scattered.collect::<Vec<_>>());
        }
    }

    #[test]
    fn sorted_lists_take_one_comparison_for_each_pair_of_neighbours() {
        for len in 0..100 {
            let mut count = 0;
            (0..len).collect::<Vec<u32>>().compact_sort_by(|a, b| {
                count += 1;
                a.cmp(b)
            });
            assert_eq!(count, len.saturating_sub(1), "{len} items");
        }
    }

    #[test]
    fn panic_in_a_comparison_leaves_the_list_unchanged() {
        let words = ["pear", "fig", "plum", "apple", "kiwi", "date", "lime"].map(str::to_owned);
        for limit in 0..12 {
            let (mut sorted, mut count) = (words.clone(), 0);
            let result = catch_unwind(AssertUnwindSafe(|| {
                sorted.compact_sort_by(|a, b| {
                    assert!(count < limit, "the limit");
                    count += 1;
                    a.cmp(b)
                });
            }));
            if result.is_err() {
                assert_eq!(sorted, words, "after {limit} comparisons");
            }
        }
    }

    #[test]
    fn collects_entries_like_the_standard_library() {
        let entries = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd')];
        assert_eq!(map_of(entries), BTreeMap::from(entries));
        assert_eq!(set_of(entries), BTreeSet::from(entries));
    }

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(list in prop::collection::vec(0..40u32, 0..200)) {
            agrees_with_std(&list);
        }

        #[test]
        fn contradictory_comparisons_lose_no_item(
            list in prop::collection::vec(any::<u32>(), 0..100),
            mut answers in prop::collection::vec(any::<bool>(), 1..50),
        ) {
            let mut sorted = list.clone();
            sorted.compact_sort_by(|_, _| {
                answers.rotate_left(1);
                if answers[0] { Ordering::Less } else { Ordering::Greater }
            });
            let (mut before, mut after) = (list, sorted);
            before.sort();
            after.sort();
            prop_assert_eq!(before, after);
        }
    }

    /// Compares the results for items that also have their first position, which shows whether
    /// equal items keep their order.
    fn agrees_with_std(list: &[u32]) {
        let items = Vec::from_iter(list.iter().copied().zip(0..));
        let [mut by_std, mut by_key, mut by] =
            [&items, &items, &items].map(Vec::<(u32, u32)>::clone);
        by_std.sort_by_key(|(value, _)| *value);
        by_key.compact_sort_by_key(|(value, _)| *value);
        assert_eq!(by_key, by_std, "{list:?}");
        by_std.sort_by(|(a, _), (b, _)| b.cmp(a));
        by.compact_sort_by(|(a, _), (b, _)| b.cmp(a));
        assert_eq!(by, by_std, "falling {list:?}");
        let mut values = list.to_vec();
        values.compact_sort();
        assert!(values.is_sorted(), "{list:?}");
    }
}
