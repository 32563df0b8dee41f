//! Objects whose keys must be distinct as names, not only as strings.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::twins;

/// Reads an object by name, without equal names, even if they differ by case.
///
/// # Errors
/// Returns an error if a name or a value has the wrong form, or if two names are equal.
pub fn unique<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord + Display,
    V: Deserialize<'de>,
{
    deserializer.deserialize_map(Unique(PhantomData))
}

struct Unique<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for Unique<K, V>
where
    K: Deserialize<'de> + Ord + Display,
    V: Deserialize<'de>,
{
    type Value = BTreeMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with names as keys")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = access.next_key_seed(New(&map))? {
            map.insert(key, access.next_value()?);
        }
        Ok(map)
    }
}

/// Reads a key that is not in a map yet.
struct New<'m, K, V>(&'m BTreeMap<K, V>);

impl<'de, K: Deserialize<'de> + Ord + Display, V> DeserializeSeed<'de> for New<'_, K, V> {
    type Value = K;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<K, D::Error> {
        let key = K::deserialize(deserializer)?;
        match self.0.get_key_value(&key) {
            Some((twin, _)) => Err(Error::custom(twins(twin, &key))),
            None => Ok(key),
        }
    }
}
