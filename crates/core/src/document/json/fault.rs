//! What is wrong with a value, and where.

use std::fmt;

use serde::de::{Error, Unexpected};
use serde_json::Value;

/// Why a value is not of the wanted form, and where in it.
#[derive(Debug)]
pub struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    reason: String,
    /// Keys and `[positions]`, the innermost first.
    path: Vec<String>,
}

impl Fault {
    /// What is wrong, in serde's words.
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Keys and `[positions]` from the outermost value to the one that is wrong.
    pub fn into_path(self) -> Vec<String> {
        let mut path = self.0.path;
        path.reverse();
        path
    }

    /// The fault of what stands at this key or `[position]`.
    pub fn inside(mut self, place: &str) -> Self {
        self.0.path.push(place.to_owned());
        self
    }

    /// A value of another type than the one that is expected.
    pub fn instead_of(value: &Value, expected: &str) -> Self {
        Self::invalid_type(Self::found(value), &expected)
    }

    /// Two keys that are the same name.
    pub fn twins(one: &str, other: &str) -> Self {
        Self::custom(format!(
            "'{one}' and '{other}' are the same name; case does not distinguish names"
        ))
    }

    /// What a value is, for messages.
    pub fn found(value: &Value) -> Unexpected<'_> {
        match value {
            Value::Null => Unexpected::Other("null"),
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Unexpected::Unsigned(value),
                (None, Some(value)) => Unexpected::Signed(value),
                // Every number is at least a float.
                (None, None) => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.reason)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Inner {
            reason: message.to_string(),
            path: vec![],
        }))
    }
}
