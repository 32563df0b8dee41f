//! Positions on the canvases, separate from the document's meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drawing::{Drawing, Frame};
use super::json::unique;
use super::name::Name;
use super::point::Point;
use super::record::{Kind, RecordRef};
use super::stage::Stage;
use super::wire::BlockId;

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
