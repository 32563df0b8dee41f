//! Wires between blocks.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde_with::{DeserializeFromStr, SerializeDisplay};

#[cfg(test)]
use super::schema::schema_of_text;

/// The id of a block, unique in its flowchart: 1 to 16 ASCII letters and digits.
///
/// Ids are drawn at random, so that two people's branches don't both create the same one.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub struct BlockId(Arc<str>);

impl BlockId {
    /// Validates and wraps an id.
    pub fn new(text: &str) -> Result<Self, String> {
        let fits = (1..=16).contains(&text.len());
        if fits && text.bytes().all(|b| b.is_ascii_alphanumeric()) {
            Ok(Self(text.into()))
        } else {
            Err(format!(
                "'{text}' is not a block id: 1 to 16 letters and digits"
            ))
        }
    }

    /// Returns the id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl FromStr for BlockId {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::new(text)
    }
}
#[cfg(test)]
schema_of_text!(
    BlockId,
    r"^[A-Za-z0-9]{1,16}$",
    "A block: 1 to 16 letters and digits, drawn at random."
);

/// An output of a block.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub enum Port {
    /// The single output of Begin, Task and Bind.
    Out,
    /// The output of a Branch whose condition holds.
    True,
    /// The output of a Branch whose condition does not hold.
    False,
    /// The output of a Choice for the alternative with this id.
    Alternative(u16),
}
impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Out => f.write_str("out"),
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::Alternative(id) => write!(f, "{id}"),
        }
    }
}
impl FromStr for Port {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "out" => Ok(Self::Out),
            "true" => Ok(Self::True),
            "false" => Ok(Self::False),
            _ => text.parse().map(Self::Alternative).map_err(|_| {
                format!(
                    "'{text}' is not an output: 'out', 'true', 'false' or an alternative's number"
                )
            }),
        }
    }
}
#[cfg(test)]
schema_of_text!(Port, r"^(out|true|false|[0-9]+)$", "An output of a block.");

/// A wire from an output of one block to the input of another, written
/// `b1.true -> b2`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub struct Wire {
    /// The block that it leaves.
    pub from: BlockId,
    /// The output of that block.
    pub port: Port,
    /// The block that it enters.
    pub to: BlockId,
}
impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} -> {}", self.from, self.port, self.to)
    }
}
impl FromStr for Wire {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || format!("'{text}' is not a wire: 'block.output -> block'");
        let (from, to) = text.split_once("->").ok_or_else(malformed)?;
        let (from, port) = from.trim().split_once('.').ok_or_else(malformed)?;
        Ok(Self {
            from: from.parse()?,
            port: port.parse()?,
            to: to.trim().parse()?,
        })
    }
}
#[cfg(test)]
schema_of_text!(
    Wire,
    r"^\s*[A-Za-z0-9]{1,16}\.(out|true|false|[0-9]+)\s*->\s*[A-Za-z0-9]{1,16}\s*$",
    "A wire: 'b1.true -> b2'."
);
