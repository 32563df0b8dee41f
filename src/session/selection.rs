//! What is looked at and what is selected: ephemeral, so no undo step.

use std::collections::BTreeSet;

use taskloom::document::{BlockId, Name, RecordRef, Wire};
use taskloom::runtime::Entry;

/// Which canvas is open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum View {
    /// All records in columns.
    #[default]
    Board,
    /// The flowchart of this compound task.
    Method(Name),
}

/// What is selected. Blocks, wires and frames are those of the open canvas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Records, in the outline and on the Board.
    pub records: BTreeSet<RecordRef>,
    /// Blocks of the open method.
    pub blocks: BTreeSet<BlockId>,
    /// Wires of the open method.
    pub wires: BTreeSet<Wire>,
    /// Points of those wires, by their numbers.
    pub bends: BTreeSet<(Wire, usize)>,
    /// Frames of the open canvas.
    pub frames: BTreeSet<BlockId>,
}

impl Selection {
    /// One record alone.
    pub fn record(record: RecordRef) -> Self {
        Self {
            records: [record].into(),
            ..Self::default()
        }
    }

    /// One block alone.
    pub fn block(block: BlockId) -> Self {
        Self {
            blocks: [block].into(),
            ..Self::default()
        }
    }
}

/// Which step of which plan is looked at, or which line of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Which of the run's plans; none: the plan of the situation as it stands.
    pub plan: Option<usize>,
    /// The step of that plan; none: the plan as a whole.
    pub step: Option<usize>,
    /// What is looked at of the run: what happened, not what was planned.
    pub happened: Option<Happened>,
}

/// A part of the run that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    /// A line of its record.
    Line(Entry),
    /// All of a tick.
    Tick(u32),
}

impl Cursor {
    /// The line of the run, where that is what is looked at.
    pub fn entry(&self) -> Option<Entry> {
        match self.happened? {
            Happened::Line(entry) => Some(entry),
            Happened::Tick(_) => None,
        }
    }
}
