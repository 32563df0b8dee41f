//! Finds names similar to an unknown one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use strsim::osa_distance;

use taskloom_document::Name;
use taskloom_document::sort::CompactSort;

/// Maximum number of suggestions for one mistake.
pub(super) const SUGGESTIONS: usize = 3;

/// Maximum number of names compared in one check. With a hundred thousand different mistakes among
/// as many names, the last ones get no suggestions, which avoids a minute's wait.
const MAX_COMPARED: usize = 3_000_000;

/// The maximum number of letters of an unknown name for which similar names are sought.
const LONGEST: usize = 64;

/// The key of a lookup: the name, the kind of thing and, for things of a type, the type.
type LookupKey = (Name, &'static str, Option<Name>);

/// Finds similar names. One instance serves all texts of a domain, so that a name used in a
/// thousand places is looked up once. The existing names must stay the same.
#[derive(Debug)]
pub struct Near {
    /// The number of comparisons left.
    left: Arc<AtomicUsize>,
    found: Mutex<FxHashMap<LookupKey, Vec<String>>>,
    /// The first objects of each type.
    objects: Mutex<FxHashMap<Name, Vec<Name>>>,
}

impl Default for Near {
    fn default() -> Self {
        Self::comparing(Arc::new(AtomicUsize::new(MAX_COMPARED)))
    }
}

/// Locks a cache. Cached results stay right even if a thread panicked meanwhile.
fn lock<T>(found: &Mutex<T>) -> MutexGuard<'_, T> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Near {
    fn comparing(left: Arc<AtomicUsize>) -> Self {
        Self {
            left,
            found: Mutex::default(),
            objects: Mutex::default(),
        }
    }

    /// Returns an index for other names, such as a scenario's. Both share one limit on comparisons.
    pub fn among_others(&self) -> Self {
        Self::comparing(self.left.clone())
    }

    /// Returns the names similar to a word that satisfy `fits`, the nearest first. A third of the
    /// letters may differ; `-` and `_` are ignored. `what` the names refer to, and its type, are
    /// part of the cache key.
    pub fn to<'n>(
        &self,
        word: &Name,
        (what, of): (&'static str, Option<&Name>),
        names: impl IntoIterator<Item = &'n Name>,
        fits: impl Fn(&Name) -> bool,
    ) -> Vec<String> {
        let sought = (word.clone(), what, of.cloned());
        if let Some(known) = lock(&self.found).get(&sought) {
            return known.clone();
        }
        let near = self.nearest(word.as_str(), names, fits).unwrap_or_default();
        lock(&self.found).insert(sought, near.clone());
        near
    }

    /// Returns similar names, as [`Near::to`] does, from names that differ for each text. The
    /// result isn't cached.
    pub fn among<'n>(&self, word: &Name, names: impl IntoIterator<Item = &'n Name>) -> Vec<String> {
        let near = self.nearest(word.as_str(), names, |_| true);
        near.unwrap_or_default()
    }

    /// Returns the objects of a type. `list` is called once for each type.
    pub(super) fn objects(&self, of: &Name, list: impl FnOnce() -> Vec<Name>) -> Vec<Name> {
        if let Some(known) = lock(&self.objects).get(of) {
            return known.clone();
        }
        let objects = list();
        lock(&self.objects).insert(of.clone(), objects.clone());
        objects
    }

    /// Takes `count` from the comparisons left. Returns `false` if too few are left.
    pub fn may_compare(&self, count: usize) -> bool {
        let left = self.left.load(Ordering::Relaxed).checked_sub(count);
        if let Some(left) = left {
            self.left.store(left, Ordering::Relaxed);
        }
        left.is_some()
    }

    /// Returns the nearest names, or `None` if comparing them would exceed the limit.
    fn nearest<'n>(
        &self,
        word: &str,
        names: impl IntoIterator<Item = &'n Name>,
        fits: impl Fn(&Name) -> bool,
    ) -> Option<Vec<String>> {
        let word = Letters::of(word, String::new());
        let limit = word.limit();
        let mut near: Vec<(usize, &Name)> = vec![];
        let mut other = Letters::default();
        for name in names {
            if !self.may_compare(1) {
                return None;
            }
            other = Letters::of(name.as_str(), other.text);
            if word.differ_by_more(&other, limit) {
                continue;
            }
            let distance = osa_distance(&word.text, &other.text);
            if distance <= limit && fits(name) {
                near.push((distance, name));
            }
        }
        near.compact_sort();
        near.dedup();
        let nearest = near.into_iter().take(SUGGESTIONS);
        Some(nearest.map(|(_, name)| name.to_string()).collect())
    }
}

/// The relevant letters of a name.
#[derive(Default)]
struct Letters {
    text: String,
    /// The set of its letters and digits, as bits.
    set: u64,
}

impl Letters {
    fn of(word: &str, mut text: String) -> Self {
        text.clear();
        let mut set = 0;
        for byte in word.bytes().filter(u8::is_ascii_alphanumeric) {
            let byte = byte.to_ascii_lowercase();
            set |= 1 << (byte % 64);
            text.push(char::from(byte));
        }
        Self { text, set }
    }

    /// Returns the maximum distance of a similar name.
    fn limit(&self) -> usize {
        (self.text.len() / 3).max(1)
    }

    /// Returns `true` if a quick test shows that more than `limit` letters differ, or if this word is
    /// too long to compare: each edit removes at most one letter from the set, and adds one.
    fn differ_by_more(&self, other: &Self, limit: usize) -> bool {
        (self.set ^ other.set).count_ones() as usize > 2 * limit
            || self.text.len().abs_diff(other.text.len()) > limit
            || self.text.len() > LONGEST
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(words: &[&str]) -> Vec<Name> {
        words
            .iter()
            .map(|word| Name::new(word).expect("a name"))
            .collect()
    }

    #[test]
    fn repeated_lookups_compare_nothing() {
        let (all, near) = (names(&["open", "shut"]), Near::default());
        let word = Name::new("opn").expect("a name");
        let look = || near.to(&word, ("fact", None), &all, |_| true);
        assert_eq!(look(), ["open"]);
        assert_eq!(near.left.load(Ordering::Relaxed), MAX_COMPARED - 2);
        assert_eq!(look(), ["open"]);
        assert_eq!(near.left.load(Ordering::Relaxed), MAX_COMPARED - 2);
        let other = near.to(&word, ("action", None), &names(&["opens"]), |_| true);
        assert_eq!(other, Vec::<String>::new(), "two letters of three differ");
        near.left.store(1, Ordering::Relaxed);
        let word = Name::new("shu").expect("a name");
        assert_eq!(
            near.to(&word, ("fact", None), &all, |_| true),
            Vec::<String>::new()
        );
    }

    proptest! {
        /// The quick test of the letters never excludes a name that is near.
        #[test]
        fn finds_names_at_minimum_distance(word in "[a-d][a-d0-2_-]{0,12}", others in prop::collection::vec("[a-dA-D][a-d0-2_-]{0,12}", 0..60)) {
            let word = Name::new(&word).expect("a name");
            let others: Vec<&str> = others.iter().map(String::as_str).collect();
            let all = names(&others);
            let letters = |name: &Name| Letters::of(name.as_str(), String::new());
            let limit = letters(&word).limit();
            let mut expected: Vec<_> = all
                .iter()
                .map(|name| (osa_distance(&letters(&word).text, &letters(name).text), name))
                .filter(|(distance, _)| *distance <= limit)
                .collect();
            expected.sort();
            expected.dedup();
            let expected: Vec<String> = expected.iter().take(SUGGESTIONS).map(|(_, name)| name.to_string()).collect();
            prop_assert_eq!(Near::default().to(&word, ("fact", None), &all, |_| true), expected);
        }
    }
}
