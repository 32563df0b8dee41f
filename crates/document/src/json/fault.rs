//! What is wrong with a value, and where.

use std::fmt::{self, Display};

use serde::de;
use serde_json::Value;

/// So many letters of a string are shown in a message.
const MOST_SHOWN: usize = 60;

/// A step from a value to one inside of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To a member of an object.
    Key(String),
    /// To an item of a list, from 0.
    Item(usize),
}

/// Why a value is not of the wanted form, and where in it.
#[derive(Debug)]
pub struct Fault {
    /// What is wrong, in a sentence without a full stop.
    pub reason: String,
    /// Whether it is the key at the way's end that is wrong, not what it stands for.
    pub is_of_key: bool,
    /// The steps from the outermost value to the one that is wrong.
    pub way: Vec<Step>,
}

impl Fault {
    /// What is wrong with a whole value.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            is_of_key: false,
            way: vec![],
        }
    }

    /// What is wrong with a key.
    pub fn of_key(key: &str, reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            is_of_key: true,
            way: vec![Step::Key(key.to_owned())],
        }
    }

    /// The fault of what stands at this key.
    pub fn at(mut self, key: &str) -> Self {
        self.way.insert(0, Step::Key(key.to_owned()));
        self
    }

    /// A value of another type than the one that is expected.
    pub fn instead_of(value: &Value, expected: &str) -> Self {
        let found = found(value);
        Self::new(format!("invalid type: {found}, expected {expected}"))
    }
}

/// What a value is, for messages.
pub fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("boolean `{value}`"),
        Value::Number(number) if number.is_f64() => format!("floating point `{number}`"),
        Value::Number(number) => format!("integer `{number}`"),
        Value::String(text) => match text.char_indices().nth(MOST_SHOWN) {
            None => format!("string \"{text}\""),
            Some((end, _)) => format!("string \"{}…\"", &text[..end]),
        },
        Value::Array(_) => "list".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}

/// That two names are equal.
pub fn twins(one: &impl Display, other: &impl Display) -> String {
    format!("'{one}' and '{other}' are the same name: names are case-insensitive")
}

/// What is left out in the next reading, by its address in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Value(*const Value),
    /// The key of a value, in whose place another stands.
    KeyOf(*const Value),
}

/// What ends a reading.
#[derive(Debug)]
pub(super) struct Error {
    pub(super) reason: Reason,
    pub(super) is_of_key: bool,
    /// The innermost step first.
    pub(super) way: Vec<Step>,
    pub(super) left_out: Option<Part>,
}

#[derive(Debug)]
pub(super) enum Reason {
    Told(String),
    /// This field is not there.
    Missing(&'static str),
    /// A part that has been told is left out, and without it this cannot be read.
    Known,
}

impl Error {
    pub(super) fn new(reason: Reason) -> Self {
        Self {
            reason,
            is_of_key: false,
            way: vec![],
            left_out: None,
        }
    }

    pub(super) fn instead_of(value: &Value, expected: &str) -> Self {
        Self::new(Reason::Told(Fault::instead_of(value, expected).reason))
    }

    /// The error of what stands one step inside.
    pub(super) fn inside(mut self, step: Step) -> Self {
        self.way.push(step);
        self
    }

    /// The error of a part that the next reading can leave out.
    pub(super) fn of_part(mut self, step: Step, part: Part) -> Self {
        self.left_out.get_or_insert(part);
        self.inside(step)
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        let reason = match &self.reason {
            Reason::Told(reason) => reason.clone(),
            Reason::Missing(field) => format!("missing field `{field}`"),
            Reason::Known => return None,
        };
        let mut way = self.way.clone();
        way.reverse();
        Some(Fault {
            reason,
            is_of_key: self.is_of_key,
            way,
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
        Self::new(Reason::Told(reason.to_string()))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Reason::Missing(field))
    }
}
