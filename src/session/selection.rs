//! The view and the selection: ephemeral, so not in the undo history.

use std::collections::BTreeSet;

use taskloom_document::{BlockId, Name, RecordRef, Wire};

/// The open view: a canvas, or what a run and its scenarios look like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum View {
    /// All records, in columns.
    #[default]
    Board,
    /// The flowchart of this compound task.
    Method(Name),
    /// The run on its map.
    Stage,
    /// All scenarios, as a table of tests.
    Scenarios,
}

impl View {
    /// Returns the task whose method is open.
    pub fn method(&self) -> Option<&Name> {
        match self {
            Self::Method(task) => Some(task),
            Self::Board | Self::Stage | Self::Scenarios => None,
        }
    }

    /// Returns `true` for the Board and for methods.
    pub fn is_canvas(&self) -> bool {
        matches!(self, Self::Board | Self::Method(_))
    }
}

/// The selection. Blocks, wires and frames are those of the open canvas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Records, selected in the outline and on the Board.
    pub records: BTreeSet<RecordRef>,
    /// Blocks of the open method.
    pub blocks: BTreeSet<BlockId>,
    /// Wires of the open method.
    pub wires: BTreeSet<Wire>,
    /// Bend points of those wires, by index.
    pub bends: BTreeSet<(Wire, usize)>,
    /// Frames of the open canvas.
    pub frames: BTreeSet<BlockId>,
}

impl Selection {
    /// Selects a single record.
    pub fn record(record: RecordRef) -> Self {
        Self {
            records: [record].into(),
            ..Self::default()
        }
    }

    /// Returns the selected record, if it is the only one.
    pub fn only_record(&self) -> Option<RecordRef> {
        let mut records = self.records.iter();
        records.next().filter(|_| records.next().is_none()).cloned()
    }

    /// Selects a single block.
    pub fn block(block: BlockId) -> Self {
        Self {
            blocks: [block].into(),
            ..Self::default()
        }
    }
}
