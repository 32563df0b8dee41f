//! The view and the selection: ephemeral, so not in the undo history.

use std::collections::BTreeSet;

use taskloom::document::{BlockId, Name, RecordRef, Wire};
use taskloom::runtime::Entry;

/// The open canvas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum View {
    /// All records, in columns.
    #[default]
    Board,
    /// The flowchart of this compound task.
    Method(Name),
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

    /// Selects a single block.
    pub fn block(block: BlockId) -> Self {
        Self {
            blocks: [block].into(),
            ..Self::default()
        }
    }
}

/// The current step of a plan, or the current line of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// The index of a plan in the run; `None` for the plan of the initial situation.
    pub plan: Option<usize>,
    /// The step of that plan; `None` for the plan as a whole.
    pub step: Option<usize>,
    /// The current part of the run: what happened, rather than what was planned.
    pub happened: Option<Happened>,
}

/// A part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    /// A line of the run's log.
    Line(Entry),
    /// An entire tick.
    Tick(u32),
}

impl Cursor {
    /// Returns the line of the run, if one is current.
    pub fn entry(&self) -> Option<Entry> {
        match self.happened? {
            Happened::Line(entry) => Some(entry),
            Happened::Tick(_) => None,
        }
    }
}
