//! Maps and sets as sorted vectors.
//!
//! The standard library's trees are some 2 kB of WebAssembly for each type that
//! they hold, and here are many types and few elements: keys lie in one vector,
//! searched by halving, and values in another. What comes in order is appended;
//! an insertion elsewhere moves what lies behind it, O(n).

use std::borrow::Borrow;
use std::fmt;
use std::iter::{FusedIterator, Zip};
use std::marker::PhantomData;
use std::ops::Index;
use std::{slice, vec};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Values by key, in the keys' order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V> {
    keys: Vec<K>,
    values: Vec<V>,
}

/// Items in their order, each once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T> {
    items: Vec<T>,
}

/// Where `key` is, or where it belongs.
fn find<K: Borrow<Q>, Q: Ord + ?Sized>(keys: &[K], key: &Q) -> Result<usize, usize> {
    match keys.last() {
        // Most is read and built in order.
        Some(last) if last.borrow() < key => Err(keys.len()),
        _ => keys.binary_search_by(|other| other.borrow().cmp(key)),
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self {
            keys: vec![],
            values: vec![],
        }
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.keys.iter().zip(&self.values)
    }

    /// The entries in order, to change their values.
    pub fn iter_mut(&mut self) -> Zip<slice::Iter<'_, K>, slice::IterMut<'_, V>> {
        self.keys.iter().zip(&mut self.values)
    }

    /// The keys in order.
    pub fn keys(&self) -> slice::Iter<'_, K> {
        self.keys.iter()
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> slice::Iter<'_, V> {
        self.values.iter()
    }

    /// The values in the order of their keys, to change them.
    pub fn values_mut(&mut self) -> slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// The keys in order, without their values.
    pub fn into_keys(self) -> vec::IntoIter<K> {
        self.keys.into_iter()
    }

    /// The values in the order of their keys.
    pub fn into_values(self) -> vec::IntoIter<V> {
        self.values.into_iter()
    }

    /// The entry with the least key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// Keeps the entries that `keep` says yes to.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let kept: Vec<bool> = self.iter_mut().map(|(k, v)| keep(k, v)).collect();
        let mut flags = kept.iter();
        self.keys.retain(|_| flags.next() == Some(&true));
        let mut flags = kept.iter();
        self.values.retain(|_| flags.next() == Some(&true));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values.get(find(&self.keys, key).ok()?)
    }

    /// The value of a key, to change it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values.get_mut(find(&self.keys, key).ok()?)
    }

    /// The key as it was inserted, and its value.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let at = find(&self.keys, key).ok()?;
        self.keys.get(at).zip(self.values.get(at))
    }

    /// Whether there is such a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        find(&self.keys, key).is_ok()
    }

    /// Sets the value of a key; the value that it had. A key that is there stays as it is.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match find(&self.keys, &key) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], value)),
            Err(at) => {
                self.keys.insert(at, key);
                self.values.insert(at, value);
                None
            }
        }
    }

    /// Takes an entry out; its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = find(&self.keys, key).ok()?;
        self.keys.remove(at);
        Some(self.values.remove(at))
    }

    /// The place of a key, which may be empty.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let at = find(&self.keys, &key);
        Entry { map: self, at, key }
    }
}

/// The place of a key in a map, which may be empty.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    at: Result<usize, usize>,
    key: K,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// The value that is there, or else this one, which is put there.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.at {
            Ok(at) => at,
            Err(at) => {
                self.map.keys.insert(at, self.key);
                self.map.values.insert(at, value());
                at
            }
        };
        &mut self.map.values[at]
    }

    /// As [`Entry::or_insert_with`].
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// As [`Entry::or_insert_with`], of the type's own default.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

/// The entries of a map, in order.
pub type Iter<'a, K, V> = Zip<slice::Iter<'a, K>, slice::Iter<'a, V>>;

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is in the map")
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = Zip<vec::IntoIter<K>, vec::IntoIter<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter().zip(self.values)
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = Zip<slice::Iter<'a, K>, slice::IterMut<'a, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = SortedMap<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut map = SortedMap::new();
                while let Some((key, value)) = access.next_entry()? {
                    map.insert(key, value);
                }
                Ok(map)
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

impl<T> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self { items: vec![] }
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The least item.
    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }

    /// The greatest item.
    pub fn last(&self) -> Option<&T> {
        self.items.last()
    }

    /// Takes the least item out: O(n).
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.items.is_empty()).then(|| self.items.remove(0))
    }

    /// Takes all items out.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Keeps the items that `keep` says yes to.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.items.retain(keep);
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether an item is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        find(&self.items, item).is_ok()
    }

    /// Puts an item in; whether it is new.
    pub fn insert(&mut self, item: T) -> bool {
        match find(&self.items, &item) {
            Ok(_) => false,
            Err(at) => {
                self.items.insert(at, item);
                true
            }
        }
    }

    /// Takes an item out; whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let found = find(&self.items, item);
        if let Ok(at) = found {
            self.items.remove(at);
        }
        found.is_ok()
    }

    /// The items that are not in `other`, in order.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl FusedIterator<Item = &'a T> {
        self.iter().filter(|item| !other.contains(*item))
    }

    /// The items of both: its own, then those that only `other` has.
    pub fn union<'a>(&'a self, other: &'a Self) -> impl FusedIterator<Item = &'a T> {
        self.iter().chain(other.difference(self))
    }

    /// The items of just one of both: its own, then those of `other`.
    pub fn symmetric_difference<'a>(&'a self, other: &'a Self) -> impl FusedIterator<Item = &'a T> {
        self.difference(other).chain(other.difference(self))
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.items).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Serialize> Serialize for SortedSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for SortedSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Ord> Visitor<'de> for Items<T> {
            type Value = SortedSet<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut set = SortedSet::new();
                while let Some(item) = access.next_element()? {
                    set.insert(item);
                }
                Ok(set)
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

#[cfg(test)]
impl<K: schemars::JsonSchema, V: schemars::JsonSchema> schemars::JsonSchema for SortedMap<K, V> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        std::collections::BTreeMap::<K, V>::schema_name()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::collections::BTreeMap::<K, V>::json_schema(generator)
    }
    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
impl<T: schemars::JsonSchema> schemars::JsonSchema for SortedSet<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        std::collections::BTreeSet::<T>::schema_name()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::collections::BTreeSet::<T>::json_schema(generator)
    }
    fn inline_schema() -> bool {
        true
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn maps_do_what_trees_do(steps in prop::collection::vec((0u8..3, 0u8..9, 0u8..9), 0..60)) {
            let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
            for (what, key, value) in steps {
                match what {
                    0 => prop_assert_eq!(map.insert(key, value), tree.insert(key, value)),
                    1 => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                    _ => prop_assert_eq!(map.entry(key).or_insert(value), tree.entry(key).or_insert(value)),
                }
                prop_assert!(map.iter().eq(&tree));
                prop_assert_eq!(map.get_key_value(&value), tree.get_key_value(&value));
            }
            map.retain(|key, value| key > value);
            tree.retain(|key, value| key > value);
            prop_assert!(map.into_iter().eq(tree));
        }

        #[test]
        fn sets_do_what_trees_do(a: Vec<u8>, b: Vec<u8>) {
            let sets = (SortedSet::from_iter(a.clone()), SortedSet::from_iter(b.clone()));
            let trees = (BTreeSet::from_iter(a), BTreeSet::from_iter(b));
            prop_assert!(sets.0.iter().eq(&trees.0));
            // Its own items come first, then those of the other.
            let (own, others) = (trees.0.difference(&trees.1), trees.1.difference(&trees.0));
            let differing = sets.0.symmetric_difference(&sets.1);
            prop_assert!(differing.eq(own.chain(others.clone())));
            prop_assert!(sets.0.union(&sets.1).eq(trees.0.iter().chain(others)));
        }
    }

    #[test]
    fn a_key_that_is_there_stays_as_it_is() {
        #[derive(Debug, Clone, Copy)]
        struct Folded(char);
        impl PartialEq for Folded {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other).is_eq()
            }
        }
        impl Eq for Folded {}
        impl PartialOrd for Folded {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for Folded {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0
                    .to_ascii_lowercase()
                    .cmp(&other.0.to_ascii_lowercase())
            }
        }
        let mut map = SortedMap::from([(Folded('a'), 1)]);
        assert_eq!(map.insert(Folded('A'), 2), Some(1));
        assert_eq!(
            map.iter()
                .map(|(key, value)| (key.0, *value))
                .collect::<Vec<_>>(),
            [('a', 2)]
        );
    }
}
