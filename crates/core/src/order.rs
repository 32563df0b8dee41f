//! Sorting and gathering in order, without a sort of its own for each type.
//!
//! The standard library's sort is some 4 kB of WebAssembly for each type and
//! order that it is used with. Lists here are short and their elements many: one
//! sort of numbers serves them all.

use std::cmp::Ordering;

use crate::sorted::{SortedMap, SortedSet};

/// How long a list is that is sorted where it stands.
const SHORT: usize = 20;

/// Sorts stably by `compare`, in O(n log n) comparisons.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = positions(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    // `order[at]` is the position of the item that belongs at `at`: follow each cycle.
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at as u32) as usize;
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

/// Sorts stably by `compare` what is short mostly: up to 20 items without memory of its own.
pub fn sort_short<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if items.len() > SHORT {
        return sort_by(items, compare);
    }
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && compare(&items[at], &items[at - 1]).is_lt() {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts numbers.
pub fn sort_numbers(numbers: &mut [u32]) {
    sort_numbers_by(numbers, &mut |a, b| a.cmp(&b));
}

/// A map of the pairs: the first of equal keys, and the last of their values.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> SortedMap<K, V> {
    pairs.into_iter().collect()
}

/// The set of the items.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> SortedSet<T> {
    items.into_iter().collect()
}

fn positions(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    // Equal items keep their places.
    sort_numbers_by(&mut order, &mut |a, b| {
        compare(a as usize, b as usize).then(a.cmp(&b))
    });
    order
}

/// The one place that calls the standard library's sort.
fn sort_numbers_by(numbers: &mut [u32], compare: &mut dyn FnMut(u32, u32) -> Ordering) {
    numbers.sort_unstable_by(|a, b| compare(*a, *b));
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
            let mut short = items.clone();
            sort_by(&mut items, |(a, _), (b, _)| b.cmp(a));
            prop_assert_eq!(&items, &expected);
            sort_short(&mut short, |(a, _), (b, _)| b.cmp(a));
            prop_assert_eq!(&short, &expected);
        }
    }
}
