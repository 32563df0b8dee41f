//! The difference between two texts, which leads from either to the other.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::file::FileParts;
use crate::sort::CompactSort;

/// The number of bytes that are compared at once.
const BLOCK: usize = 64;

/// The parts that differ in two texts, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change(Vec<Part>);

/// A part of the old text at a byte offset, and the part of the new text in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Part(usize, String, String);

impl Change {
    /// Computes the difference. Lines that occur once in both texts separate its parts.
    pub fn between(old: &str, new: &str) -> Self {
        let (mut parts, mut start) = (vec![], (0, 0));
        let (skipped, kept) = differing(old, new);
        let (middle_old, middle_new) = (&old[skipped..kept.0], &new[skipped..kept.1]);
        let mut add = |from: (usize, usize), to: (usize, usize)| {
            let (a, b) = (&middle_old[from.0..to.0], &middle_new[from.1..to.1]);
            let (same, end) = differing(a, b);
            if (same, same) != end {
                let (a, b) = (&a[same..end.0], &b[same..end.1]);
                let at = skipped + from.0 + same;
                parts.push(Part(at, a.to_owned(), b.to_owned()));
            }
        };
        for (at, length) in common_lines(middle_old, middle_new) {
            add(start, at);
            start = (at.0 + length, at.1 + length);
        }
        add(start, (middle_old.len(), middle_new.len()));
        Self(parts)
    }

    /// Computes the difference of two files, without comparing what they share.
    pub(super) fn between_files(old: &FileParts, new: &FileParts) -> Self {
        let changed = old.changed_parts(new).into_iter();
        let parts = changed.flat_map(|(start, old, new)| {
            let Self(parts) = Self::between(&old, &new);
            let parts = parts.into_iter();
            parts.map(move |Part(at, old, new)| Part(start + at, old, new))
        });
        Self(parts.collect())
    }

    /// Returns the new text; `None` if this isn't the old one.
    pub fn apply(&self, old: &str) -> Option<String> {
        let parts = self.0.iter();
        replaced(old, parts.map(|Part(at, old, new)| (*at, &**old, &**new)))
    }

    /// Returns the old text; `None` if this isn't the new one.
    pub fn revert(&self, new: &str) -> Option<String> {
        let (mut before, mut after) = (0, 0);
        let parts = self.0.iter().map(|Part(at, old, new)| {
            let at = (at + after).saturating_sub(before);
            before += old.len();
            after += new.len();
            (at, &**new, &**old)
        });
        replaced(new, parts)
    }
}

fn replaced<'a>(
    text: &str,
    parts: impl Iterator<Item = (usize, &'a str, &'a str)>,
) -> Option<String> {
    let (mut result, mut done) = (String::with_capacity(text.len()), 0);
    for (at, from, to) in parts {
        result += text.get(done..at)?;
        result += to;
        done = at + from.len();
        if text.get(at..done)? != from {
            return None;
        }
    }
    result += text.get(done..)?;
    Some(result)
}

/// Returns the length of the common start of two texts, and where the common end begins in each,
/// in whole characters.
fn differing(a: &str, b: &str) -> (usize, (usize, usize)) {
    let mut start = common_start(a.as_bytes(), b.as_bytes());
    while !(a.is_char_boundary(start) && b.is_char_boundary(start)) {
        start -= 1;
    }
    let (rest_a, rest_b) = (&a.as_bytes()[start..], &b.as_bytes()[start..]);
    let mut end = common_end(rest_a, rest_b);
    while !(a.is_char_boundary(a.len() - end) && b.is_char_boundary(b.len() - end)) {
        end -= 1;
    }
    (start, (a.len() - end, b.len() - end))
}

fn common_start(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let start = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let pairs = a[start..].iter().zip(&b[start..]);
    start + pairs.take_while(|(a, b)| a == b).count()
}

fn common_end(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let end = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let pairs = a.iter().rev().zip(b.iter().rev());
    end + pairs.take_while(|(a, b)| a == b).count()
}

/// Returns where lines begin that occur once in each text and are in the same order in both, each
/// with its length (patience diff).
fn common_lines(a: &str, b: &str) -> Vec<((usize, usize), usize)> {
    let unique_b = unique_lines(b);
    let unique_a = unique_lines(a).into_iter();
    let common =
        unique_a.filter_map(|(line, at)| Some(((at?, (*unique_b.get(line)?)?), line.len())));
    let mut common: Vec<_> = common.collect();
    common.compact_sort();
    // The longest increasing subsequence of positions in `b`: for each length, the line that ends
    // the best subsequence, and for each line its predecessor.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = (vec![], vec![]);
    for (number, ((_, at), _)) in common.iter().enumerate() {
        let length = ends.partition_point(|end| common[*end].0.1 < *at);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut next = ends.last().copied();
    let mut chosen = vec![];
    while let Some(number) = next {
        chosen.push(common[number]);
        next = previous[number];
    }
    chosen.reverse();
    chosen
}

/// Returns the position of each line, or `None` if it occurs more than once.
fn unique_lines(text: &str) -> HashMap<&str, Option<usize>> {
    let (mut lines, mut at) = (HashMap::new(), 0);
    for line in text.split_inclusive('\n') {
        let known = lines.entry(line).and_modify(|known| *known = None);
        known.or_insert(Some(at));
        at += line.len();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_small_if_distant_lines_differ() {
        let line = |number: usize| format!("line {number}\n");
        let old: String = (0..500).map(line).collect();
        let new = old
            .replace("line 7\n", "seven\n")
            .replace("line 300\n", "")
            .replace("line 490\n", "line 490\nand\n");
        let change = Change::between(&old, &new);
        assert_eq!(change.0.len(), 3, "{change:?}");
        assert!(serde_json::to_string(&change).unwrap().len() < 100);
    }

    #[test]
    fn another_text_is_refused() {
        let change = Change::between("one two", "one three");
        assert_eq!(change.apply("one four"), None);
        assert_eq!(change.apply("ä"), None);
        assert_eq!(change.revert("one two"), None);
    }

    proptest! {
        #[test]
        fn leads_from_either_text_to_the_other(old in "[abä€\n]{0,60}", new in "[abä€\n]{0,60}") {
            let change = Change::between(&old, &new);
            prop_assert_eq!(change.apply(&old), Some(new.clone()));
            prop_assert_eq!(change.revert(&new), Some(old));
        }
    }
}
