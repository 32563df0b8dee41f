//! Facts and tasks with objects as arguments, and the values of such facts.

use std::fmt;

use serde::{Deserialize, Serialize};

use taskloom_document::Name;

/// A value of a ground fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// The value of a boolean fact.
    Bool(bool),
    /// The value of a number fact.
    Number(f64),
    /// The value of an object fact; `None` if undefined.
    Object(Option<Name>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Object(Some(value)) => write!(f, "{value}"),
            Self::Object(None) => f.write_str("none"),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}
impl From<Option<Name>> for Value {
    fn from(value: Option<Name>) -> Self {
        Self::Object(value)
    }
}
impl From<Name> for Value {
    fn from(value: Name) -> Self {
        Self::Object(Some(value))
    }
}

/// A fact with objects as arguments: `at(box)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Atom {
    /// The fact.
    pub fact: Name,
    /// The objects.
    pub args: Vec<Name>,
}

/// A task with objects as arguments: `walk-to(box)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroundTask {
    /// The task.
    pub task: Name,
    /// The objects.
    pub args: Vec<Name>,
}

fn call(f: &mut fmt::Formatter<'_>, name: &Name, args: &[Name]) -> fmt::Result {
    write!(f, "{name}")?;
    for (i, arg) in args.iter().enumerate() {
        write!(f, "{}{arg}", if i == 0 { "(" } else { ", " })?;
    }
    f.write_str(if args.is_empty() { "" } else { ")" })
}
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        call(f, &self.fact, &self.args)
    }
}
impl fmt::Display for GroundTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        call(f, &self.task, &self.args)
    }
}

/// A change of one ground fact by a step or an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The ground fact.
    pub atom: Atom,
    /// Its value before.
    pub before: Value,
    /// Its value after.
    pub after: Value,
}
