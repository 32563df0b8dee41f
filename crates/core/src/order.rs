//! Sorting and gathering in order, without a sort of its own for each type.
//!
//! The standard library's stable sort is some 4 kB of WebAssembly for each type
//! and order that it is used with. Lists here are short and their elements many:
//! one sort of positions serves them all.

use std::cmp::Ordering;

use crate::sorted::{SortedMap, SortedSet};

/// Sorts stably by `compare`, in O(n log n) comparisons.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = positions(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    // `order[at]` is the position of the item that belongs at `at`: follow each cycle.
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Sorts stably by `key`, which is asked for once a comparison.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// A map of the pairs: the first of equal keys, and the last of their values.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> SortedMap<K, V> {
    pairs.into_iter().collect()
}

/// The set of the items.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> SortedSet<T> {
    items.into_iter().collect()
}

fn positions(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(keys in prop::collection::vec(0u8..9, 0..60)) {
            let mut items: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            sort_by(&mut items, |(a, _), (b, _)| b.cmp(a));
            prop_assert_eq!(&items, &expected);
        }
    }
}
