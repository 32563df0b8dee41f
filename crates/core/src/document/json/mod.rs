//! Records as JSON: what `#[derive(Record)]` calls, and the values that records
//! are made of.
//!
//! Reading goes over a [`serde_json::Value`], and what is wrong is told in
//! serde's words, with the place. As little as possible is generic: a document
//! has some thirty types of record, and the page loads the code of each.

use std::str::FromStr;
use std::sync::Arc;

use serde::de::{Error, Unexpected};
use serde_json::Value;

pub use fault::Fault;
pub use read::{Fields, Variant};
pub use write::Writer;

use crate::sorted::SortedMap;

mod fault;
mod read;
mod write;

/// What is read from a JSON value.
pub trait Read: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// Where the value is not of its form.
    fn read(value: &Value) -> Result<Self, Fault>;
}

/// What is written as JSON.
pub trait Write {
    /// Writes it.
    fn write(&self, out: &mut Writer);
}

/// Reads a value that is a string in the file.
pub fn parsed<T: FromStr<Err: ToString>>(value: &Value) -> Result<T, Fault> {
    let parsed = text(value)?.parse();
    parsed.map_err(|error: T::Err| Fault::custom(error.to_string()))
}

fn text(value: &Value) -> Result<&str, Fault> {
    let wrong = || Fault::instead_of(value, "a string");
    value.as_str().ok_or_else(wrong)
}

impl Read for String {
    fn read(value: &Value) -> Result<Self, Fault> {
        text(value).map(str::to_owned)
    }
}
impl Write for String {
    fn write(&self, out: &mut Writer) {
        out.text(self);
    }
}

impl Write for &str {
    fn write(&self, out: &mut Writer) {
        out.text(self);
    }
}

impl Read for bool {
    fn read(value: &Value) -> Result<Self, Fault> {
        let wrong = || Fault::instead_of(value, "a boolean");
        value.as_bool().ok_or_else(wrong)
    }
}
impl Write for bool {
    fn write(&self, out: &mut Writer) {
        out.word(if *self { "true" } else { "false" });
    }
}

impl Read for f64 {
    fn read(value: &Value) -> Result<Self, Fault> {
        let wrong = || Fault::instead_of(value, "f64");
        value.as_f64().ok_or_else(wrong)
    }
}
impl Write for f64 {
    fn write(&self, out: &mut Writer) {
        out.word(&Value::from(*self).to_string());
    }
}

/// Whole numbers, of a type that serde calls so.
macro_rules! whole_number {
    ($type:ident) => {
        impl Read for $type {
            fn read(value: &Value) -> Result<Self, Fault> {
                whole_number(value, stringify!($type), |number| number.try_into().ok())
            }
        }
        impl Write for $type {
            fn write(&self, out: &mut Writer) {
                out.word(&self.to_string());
            }
        }
    };
}
whole_number!(u32);
whole_number!(i32);

fn whole_number<T>(
    value: &Value,
    expected: &str,
    fit: impl Fn(i64) -> Option<T>,
) -> Result<T, Fault> {
    let found = Fault::found(value);
    match (value.as_i64().and_then(fit), found) {
        (Some(number), _) => Ok(number),
        (None, Unexpected::Signed(_) | Unexpected::Unsigned(_)) => {
            Err(Fault::invalid_value(found, &expected))
        }
        _ => Err(Fault::invalid_type(found, &expected)),
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &Value) -> Result<Self, Fault> {
        match value {
            Value::Null => Ok(None),
            value => T::read(value).map(Some),
        }
    }
}
impl<T: Write> Write for Option<T> {
    fn write(&self, out: &mut Writer) {
        match self {
            None => out.word("null"),
            Some(value) => value.write(out),
        }
    }
}

impl<T: Read> Read for Arc<T> {
    fn read(value: &Value) -> Result<Self, Fault> {
        T::read(value).map(Self::new)
    }
}
impl<T: Write> Write for Arc<T> {
    fn write(&self, out: &mut Writer) {
        T::write(self, out);
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &Value) -> Result<Self, Fault> {
        let items = value.as_array();
        let items = items.ok_or_else(|| Fault::instead_of(value, "a sequence"))?;
        let mut list = Self::new();
        for (position, item) in items.iter().enumerate() {
            list.push(T::read(item).map_err(|fault| fault.inside(&format!("[{position}]")))?);
        }
        Ok(list)
    }
}
impl<T: Write> Write for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.begin("[");
        self.iter().for_each(|item| out.item(item));
        out.end("]");
    }
}

/// An object by names. A name that stands twice is refused, or twice but for case.
impl<K: Ord + FromStr<Err: ToString> + ToString, V: Read> Read for SortedMap<K, V> {
    fn read(value: &Value) -> Result<Self, Fault> {
        let entries = value.as_object();
        let entries = entries.ok_or_else(|| Fault::instead_of(value, "an object by name"))?;
        let mut map = Self::new();
        for (name, value) in entries {
            let key = K::from_str(name);
            let key = key.map_err(|error| Fault::custom(error.to_string()).inside(name))?;
            if let Some((twin, _)) = map.get_key_value(&key) {
                return Err(Fault::twins(&twin.to_string(), name));
            }
            map.insert(key, V::read(value).map_err(|fault| fault.inside(name))?);
        }
        Ok(map)
    }
}
impl<K: ToString, V: Write> Write for SortedMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.begin("{");
        for (key, value) in self {
            out.field(&key.to_string(), value);
        }
        out.end("}");
    }
}
