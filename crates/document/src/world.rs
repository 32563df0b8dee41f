//! The world: types, objects, facts and named conditions (semantics, section 1).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::Document;
use super::name::Name;
#[cfg(test)]
use super::schema::schema_of_text;

/// A named class of objects. Types form a tree under `object`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// The supertype; `object` is the root and not a record.
    pub parent: Name,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A named constant of a type, of the domain or of one scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Its type.
    #[serde(rename = "type")]
    pub of: Name,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A typed variable, written `?place: place`.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Param {
    /// The variable, without its question mark.
    pub name: Name,
    /// The type of its objects.
    pub of: Name,
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "?{}: {}", self.name, self.of)
    }
}

impl FromStr for Param {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (variable, of) = text.split_once(':').unwrap_or((text, "object"));
        let variable = variable.trim();
        let name = variable
            .strip_prefix('?')
            .ok_or_else(|| format!("'{variable}' is not a variable: it starts with '?'"))?;
        Ok(Self {
            name: Name::new(name).map_err(|e| e.to_string())?,
            of: Name::new(of.trim()).map_err(|e| e.to_string())?,
        })
    }
}
#[cfg(test)]
schema_of_text!(
    Param,
    r"^\s*\?[A-Za-z][A-Za-z0-9_-]*\s*(:\s*[A-Za-z][A-Za-z0-9_-]*\s*)?$",
    "A variable and its type: '?place: place'."
);

/// The kind of a fact's values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ValueKind {
    /// A predicate under the closed-world assumption: false unless set.
    #[default]
    Boolean,
    /// A number, 0 unless set; its range, if given, is checked and is an applicability condition of
    /// effects.
    Number {
        /// If `true`, only integers are allowed.
        #[serde(default)]
        integer: bool,
        /// The minimum.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f64>,
        /// The maximum.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
    },
    /// An object of a type; undefined unless set.
    Object(Name),
}

/// A file contains no NaN, so equality is total, and two `Arc`s of one record can be compared by
/// pointer.
impl Eq for ValueKind {}

/// The source of a fact's value in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// An agent method that the engine implements (Krylov & Abramov 2020, section 5).
    Sensor,
    /// A memory of each actor, written only by its own effects.
    #[default]
    Memory,
    /// A value shared by all actors, which all read at once; written by everybody's effects.
    Blackboard,
}

/// A state variable: a value for every tuple of objects.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// The kind of its values.
    #[serde(default)]
    pub value: ValueKind,
    /// The source of its values.
    #[serde(default)]
    pub source: Source,
    /// `true` if the objects for which it is true are absent: no variable ranges over them, and no
    /// primitive task can be executed with them. Only for a boolean fact of one object.
    #[serde(default, skip_serializing_if = "super::tasks::is_off")]
    pub absence: bool,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Fact {
    /// Returns the type of the objects that are absent if it is true for them; `None` if it has
    /// nothing to do with absence, or can't.
    pub fn absent_type(&self) -> Option<&Name> {
        match (self.absence, &self.value, self.params.as_slice()) {
            (true, ValueKind::Boolean, [param]) => Some(&param.of),
            _ => None,
        }
    }
}

impl Document {
    /// Returns the facts that make objects absent, each with the type of these objects.
    pub fn absences(&self) -> impl Iterator<Item = (&Name, &Name)> {
        let facts = self.facts.iter();
        facts.filter_map(|(name, fact)| Some((name, fact.absent_type()?)))
    }

    /// Returns the facts that can make an object of a type absent.
    pub fn absences_of<'d>(&'d self, of: &'d Name) -> impl Iterator<Item = &'d Name> {
        let absences = self.absences();
        let of_type = absences.filter(|(_, wanted)| self.is_kind_of(of, wanted));
        of_type.map(|(fact, _)| fact)
    }
}

/// A named, typed, reusable formula.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// The formula, as typed.
    #[serde(default)]
    pub formula: String,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}
