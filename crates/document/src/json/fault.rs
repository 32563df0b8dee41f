//! Errors in a JSON value and their locations.

use std::fmt::{self, Display};

use serde::de;
use serde_json::Value;

/// The maximum number of characters of a string shown in a message.
const MAX_SHOWN: usize = 60;

/// A step from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To a member of an object.
    Key(String),
    /// To an item of a list, from 0.
    Item(usize),
}

/// The reason why a value does not have the expected form, and its location.
#[derive(Debug)]
pub struct Fault {
    /// The problem, in a sentence without a full stop.
    pub reason: String,
    /// If `true`, the key at the end of the path is wrong, not its value.
    pub is_of_key: bool,
    /// The steps from the outermost value to the wrong one.
    pub path: Vec<Step>,
}

impl Fault {
    /// Creates the fault of a whole value.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            is_of_key: false,
            path: vec![],
        }
    }

    /// Creates the fault of a key.
    pub fn of_key(key: &str, reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            is_of_key: true,
            path: vec![Step::Key(key.to_owned())],
        }
    }

    /// Returns this fault as that of the value of a key.
    pub fn at(mut self, key: &str) -> Self {
        self.path.insert(0, Step::Key(key.to_owned()));
        self
    }

    /// Creates the fault of a value of an unexpected type.
    pub fn instead_of(value: &Value, expected: &str) -> Self {
        let found = found(value);
        Self::new(format!("invalid type: {found}, expected {expected}"))
    }
}

/// Describes a value in a message.
pub fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("boolean `{value}`"),
        Value::Number(number) if number.is_f64() => format!("floating point `{number}`"),
        Value::Number(number) => format!("integer `{number}`"),
        Value::String(text) => match text.char_indices().nth(MAX_SHOWN) {
            None => format!("string \"{text}\""),
            Some((end, _)) => format!("string \"{}…\"", &text[..end]),
        },
        Value::Array(_) => "list".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}

/// Returns the message for two equal names.
pub fn twins(one: &impl Display, other: &impl Display) -> String {
    format!("'{one}' and '{other}' are the same name: names are case-insensitive")
}

/// A part to skip in the next pass, by its address in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Value(*const Value),
    /// The key of a value, which is replaced by a stand-in.
    KeyOf(*const Value),
}

/// An error that ends a pass.
#[derive(Debug)]
pub(super) struct Error {
    pub(super) reason: Reason,
    pub(super) is_of_key: bool,
    /// The path to the error, innermost step first.
    pub(super) path: Vec<Step>,
    pub(super) skippable: Option<Part>,
}

#[derive(Debug)]
pub(super) enum Reason {
    Message(String),
    /// This field is missing.
    Missing(&'static str),
    /// A part with a reported fault is skipped, and this cannot be read without it.
    Known,
}

impl Error {
    pub(super) fn new(reason: Reason) -> Self {
        Self {
            reason,
            is_of_key: false,
            path: vec![],
            skippable: None,
        }
    }

    pub(super) fn instead_of(value: &Value, expected: &str) -> Self {
        Self::new(Reason::Message(Fault::instead_of(value, expected).reason))
    }

    /// Returns the error with one more step to the outside in its path.
    pub(super) fn inside(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    /// Returns the error as that of a part that the next pass can skip.
    pub(super) fn of_part(mut self, step: Step, part: Part) -> Self {
        self.skippable.get_or_insert(part);
        self.inside(step)
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        let reason = match &self.reason {
            Reason::Message(reason) => reason.clone(),
            Reason::Missing(field) => format!("missing field `{field}`"),
            Reason::Known => return None,
        };
        let mut path = self.path.clone();
        path.reverse();
        Some(Fault {
            reason,
            is_of_key: self.is_of_key,
            path,
        })
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fault().map(|fault| fault.reason).unwrap_or_default())
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: Display>(reason: T) -> Self {
        Self::new(Reason::Message(reason.to_string()))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Reason::Missing(field))
    }
}
