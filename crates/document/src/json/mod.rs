//! Records as JSON: what `#[derive(Record)]` calls, the values that records are
//! made of, and the texts of both.
//!
//! Reading goes over a [`Value`], and what is wrong is told with its place. As
//! little as possible is generic: a document has some thirty types of record,
//! and the page loads the code of each.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Arc;

pub use fault::{Fault, Faults, Step};
pub use places::{Places, Spot};
pub use read::{Fields, Variant};
pub use value::{Object, Value};
pub use write::Writer;

mod fault;
mod places;
mod read;
mod value;
mod write;

/// What is read from a JSON value.
pub trait Read: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// Where the value is not of its form.
    fn read(value: &Value) -> Result<Self, Faults>;
}

/// What is written as JSON.
pub trait Write {
    /// Writes it.
    fn write(&self, out: &mut Writer);
}

/// Reads a value that is a string in the file.
pub fn parsed<T: FromStr<Err: ToString>>(value: &Value) -> Result<T, Faults> {
    let parsed = text(value)?.parse();
    parsed.map_err(|error: T::Err| Faults::new(error.to_string()))
}

fn text(value: &Value) -> Result<&str, Faults> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(Faults::instead_of(value, "a string")),
    }
}

impl Read for String {
    fn read(value: &Value) -> Result<Self, Faults> {
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
    fn read(value: &Value) -> Result<Self, Faults> {
        match value {
            Value::Bool(value) => Ok(*value),
            _ => Err(Faults::instead_of(value, "a boolean")),
        }
    }
}
impl Write for bool {
    fn write(&self, out: &mut Writer) {
        out.word(if *self { "true" } else { "false" });
    }
}

impl Read for f64 {
    fn read(value: &Value) -> Result<Self, Faults> {
        match value {
            Value::Number(number) => Ok(*number),
            _ => Err(Faults::instead_of(value, "a number")),
        }
    }
}
impl Write for f64 {
    fn write(&self, out: &mut Writer) {
        match self.is_finite() {
            true => out.word(&format!("{:?}", *self)),
            false => out.word("null"),
        }
    }
}

/// Reads and writes whole numbers of a type.
macro_rules! whole_number {
    ($type:ident, $expected:literal) => {
        impl Read for $type {
            fn read(value: &Value) -> Result<Self, Faults> {
                let range = (f64::from(Self::MIN), f64::from(Self::MAX));
                whole_number(value, range, $expected).map(|number| number as Self)
            }
        }
        impl Write for $type {
            fn write(&self, out: &mut Writer) {
                out.word(&self.to_string());
            }
        }
    };
}
whole_number!(u32, "a whole number from 0");
whole_number!(i32, "a whole number");

fn whole_number(value: &Value, (least, most): (f64, f64), expected: &str) -> Result<f64, Faults> {
    match value {
        Value::Number(number) if number.fract() == 0.0 => {
            let fits = (least..=most).contains(number);
            let wrong = || Faults::new(format!("invalid value: {value}, expected {expected}"));
            fits.then_some(*number).ok_or_else(wrong)
        }
        _ => Err(Faults::instead_of(value, expected)),
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &Value) -> Result<Self, Faults> {
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
    fn read(value: &Value) -> Result<Self, Faults> {
        T::read(value).map(Self::new)
    }
}
impl<T: Write> Write for Arc<T> {
    fn write(&self, out: &mut Writer) {
        T::write(self, out);
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &Value) -> Result<Self, Faults> {
        let Value::List(items) = value else {
            return Err(Faults::instead_of(value, "a sequence"));
        };
        let (mut list, mut found) = (Self::new(), vec![]);
        for (position, item) in items.iter().enumerate() {
            match T::read(item) {
                Ok(item) => list.push(item),
                Err(faults) => found.extend(faults.inside(&Step::Item(position))),
            }
        }
        Faults::none_in(Some(list), found)
    }
}
impl<T: Write> Write for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.begin("[");
        self.iter().for_each(|item| out.item(item));
        out.end("]");
    }
}

impl<T: Read + Ord> Read for BTreeSet<T> {
    fn read(value: &Value) -> Result<Self, Faults> {
        Vec::read(value).map(BTreeSet::from_iter)
    }
}
impl<T: Write> Write for BTreeSet<T> {
    fn write(&self, out: &mut Writer) {
        out.begin("[");
        self.iter().for_each(|item| out.item(item));
        out.end("]");
    }
}

/// An object by names. A name that stands twice is refused, or twice but for case.
impl<K: Ord + FromStr<Err: ToString> + ToString, V: Read> Read for BTreeMap<K, V> {
    fn read(value: &Value) -> Result<Self, Faults> {
        let Value::Object(entries) = value else {
            return Err(Faults::instead_of(value, "an object by name"));
        };
        let (mut read, mut found) = (vec![], vec![]);
        for (name, value) in entries {
            let value = V::read(value).map_err(|faults| found.extend(faults.at(name)));
            match K::from_str(name) {
                Ok(key) => read.push((key, value.ok())),
                Err(error) => found.extend(Faults::new(error.to_string()).of_key(name)),
            }
        }
        read.sort_by(|(one, _), (other, _)| one.cmp(other));
        for pair in read.windows(2) {
            if let [(one, _), (other, _)] = pair
                && one == other
            {
                found.extend(twins(&one.to_string(), &other.to_string()));
            }
        }
        let map = read
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        Faults::none_in(Some(map.collect()), found)
    }
}

fn twins(one: &str, other: &str) -> Faults {
    let reason =
        format!("'{one}' and '{other}' are the same name; case does not distinguish names");
    Faults::new(reason).of_key(other)
}

impl<K: ToString, V: Write> Write for BTreeMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.begin("{");
        for (key, value) in self {
            out.field(&key.to_string(), value);
        }
        out.end("}");
    }
}
