//! Positions on the canvases, separate from the document's meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::drawing::{Drawing, Frame};
use super::flowchart::BlockId;
use super::json::unique;
use super::name::Name;
use super::record::{Kind, RecordRef};
#[cfg(test)]
use super::schema::schema_of_text;
use super::stage::Stage;

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

/// Positions (upper left corners) of blocks and cards, and other drawn elements.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Cards of the Board that are not in their default position in a column.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub board: BTreeMap<RecordRef, Point>,
    /// Blocks of each compound task's method.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub methods: BTreeMap<Name, Arc<BTreeMap<BlockId, Point>>>,
    /// Cards of the Board that show only their title.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub collapsed_cards: BTreeSet<RecordRef>,
    /// Frames of the Board.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub board_frames: BTreeMap<BlockId, Arc<Frame>>,
    /// Frames, collapsed blocks and bends of each compound task's method.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub drawings: BTreeMap<Name, Arc<Drawing>>,
    /// The map on which a run is shown.
    #[serde(default, skip_serializing_if = "Stage::is_empty")]
    pub stage: Stage,
}

impl Layout {
    /// Returns the position of a block; the origin if it is unknown.
    pub fn block(&self, task: &Name, block: &BlockId) -> Point {
        self.methods
            .get(task)
            .and_then(|m| m.get(block))
            .copied()
            .unwrap_or_default()
    }

    /// Returns the frames, collapsed blocks and bends of a method.
    pub fn drawing(&self, task: &Name) -> &Drawing {
        static NOTHING: Drawing = Drawing::NOTHING;
        self.drawings.get(task).map_or(&NOTHING, |drawing| drawing)
    }

    /// Returns the frames of a method, or of the Board if no task is given.
    pub fn frames(&self, sheet: Option<&Name>) -> &BTreeMap<BlockId, Arc<Frame>> {
        match sheet {
            None => &self.board_frames,
            Some(task) => &self.drawing(task).frames,
        }
    }

    /// Drops a record, and everything in its method.
    pub(super) fn forget(&mut self, record: &RecordRef) {
        self.board.remove(record);
        self.collapsed_cards.remove(record);
        if record.kind == Kind::CompoundTask {
            self.methods.remove(&record.name);
            self.drawings.remove(&record.name);
        }
    }

    /// Moves the entries of a renamed record to its new name.
    pub(super) fn rename(&mut self, from: &RecordRef, to: &RecordRef) {
        self.stage.rename(from, to);
        if let Some(at) = self.board.remove(from) {
            self.board.insert(to.clone(), at);
        }
        if self.collapsed_cards.remove(from) {
            self.collapsed_cards.insert(to.clone());
        }
        if from.kind == Kind::CompoundTask {
            if let Some(points) = self.methods.remove(&from.name) {
                self.methods.insert(to.name.clone(), points);
            }
            if let Some(drawing) = self.drawings.remove(&from.name) {
                self.drawings.insert(to.name.clone(), drawing);
            }
        }
    }
}
