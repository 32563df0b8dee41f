//! Positions on the canvases, separate from the document's meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drawing::{Drawing, Frame};
use super::json::unique;
use super::name::Name;
use super::point::Point;
use super::record::{Kind, RecordRef};
use super::rename::Renames;
use super::stage::Stage;
use super::wire::BlockId;
use crate::sort::{map_of, set_of};

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

    /// Moves the entries of renamed records to their new names, all at the same time.
    pub(super) fn rename(&mut self, renames: &Renames) {
        let cards = std::mem::take(&mut self.board).into_iter();
        self.board = map_of(cards.map(|(card, at)| (renames.renamed(card), at)));
        let collapsed = std::mem::take(&mut self.collapsed_cards).into_iter();
        self.collapsed_cards = set_of(collapsed.map(|card| renames.renamed(card)));
        renames.move_entries(Kind::CompoundTask, &mut self.methods);
        renames.move_entries(Kind::CompoundTask, &mut self.drawings);
        self.stage.rename(renames);
    }
}
