//! Points of the canvases.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};

#[cfg(test)]
use super::schema::schema_of_text;

/// A point in graph units (one unit is one CSS pixel at zoom 1), written `120,80`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub struct Point {
    /// The distance to the right.
    pub x: i32,
    /// The distance downwards.
    pub y: i32,
}
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}
impl FromStr for Point {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let point = text.split_once(',').and_then(|(x, y)| {
            Some(Self {
                x: x.trim().parse().ok()?,
                y: y.trim().parse().ok()?,
            })
        });
        point.ok_or_else(|| format!("'{text}' is not a point: two whole numbers, 'x,y'"))
    }
}
#[cfg(test)]
schema_of_text!(
    Point,
    r"^\s*-?[0-9]+\s*,\s*-?[0-9]+\s*$",
    "A point, 'x,y'; one unit is one CSS pixel at zoom 1."
);
