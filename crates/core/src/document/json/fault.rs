//! What is wrong with a value, and where.

use super::Value;

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
    /// What is wrong, in a sentence without a full stop.
    pub fn new(reason: String) -> Self {
        Self(Box::new(Inner {
            reason,
            path: vec![],
        }))
    }

    /// What is wrong.
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
