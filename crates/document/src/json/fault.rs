//! What is wrong with a value, and where.

use super::Value;

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
    /// Whether it is the key at the path's end that is wrong, not what it stands for.
    pub is_of_key: bool,
    /// The innermost step first.
    path: Vec<Step>,
}

impl Fault {
    /// The steps from the outermost value to the one that is wrong.
    pub fn into_path(mut self) -> Vec<Step> {
        self.path.reverse();
        self.path
    }
}

/// Everything that is wrong with a value: one fault at least.
#[derive(Debug)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// One thing that is wrong, in a sentence without a full stop.
    pub fn new(reason: String) -> Self {
        Self(vec![Fault {
            reason,
            is_of_key: false,
            path: vec![],
        }])
    }

    /// Of what was read in parts: the whole, if each of its parts could be read.
    ///
    /// # Errors
    /// What is wrong with the parts.
    pub fn none_in<T>(whole: Option<T>, found: Vec<Fault>) -> Result<T, Self> {
        match whole {
            Some(whole) if found.is_empty() => Ok(whole),
            _ => Err(Self(found)),
        }
    }

    /// The faults of what stands there.
    pub fn inside(mut self, step: &Step) -> Self {
        for fault in &mut self.0 {
            fault.path.push(step.clone());
        }
        self
    }

    /// The faults of what stands at this key.
    pub fn at(self, key: &str) -> Self {
        self.inside(&Step::Key(key.to_owned()))
    }

    /// The faults of a key itself.
    pub fn of_key(mut self, key: &str) -> Self {
        for fault in &mut self.0 {
            fault.is_of_key = true;
        }
        self.at(key)
    }

    /// A value of another type than the one that is expected.
    pub fn instead_of(value: &Value, expected: &str) -> Self {
        Self::new(format!("invalid type: {value}, expected {expected}"))
    }

    /// A field or variant of another name than the `known` ones.
    pub fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let known = match names.as_slice() {
            [] => format!("there are no {what}s"),
            [one] => format!("expected {one}"),
            [one, other] => format!("expected {one} or {other}"),
            names => format!("expected one of {}", names.join(", ")),
        };
        Self::new(format!("unknown {what} `{name}`, {known}"))
    }

    /// A field that is not there.
    pub fn missing(name: &str) -> Self {
        Self::new(format!("missing field `{name}`"))
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
