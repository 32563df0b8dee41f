//! The clipboard: blocks of a method, or records, as a text that another
//! document, tab or machine can paste.
//!
//! ```json
//! { "taskloom_clip": 1, "records": ["primitive:walk-to"], "document": { "taskloom": 2, ... } }
//! ```
//!
//! With what was copied go the records that it names, so that pasting elsewhere
//! brings along what is missing there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::drawing::Drawing;
use super::file::{FileError, Wrong, read_json, without_mark};
use super::flowchart::{BlockId, Flowchart, Wire};
use super::json::{Fault, read, write};
use super::layout::Point;
use super::record::{Kind, RecordRef, RecordView};
use super::{CompoundTask, Document, Name};
use crate::stop::Stop;

/// The version of the text that is written, and the newest that is read.
const VERSION: u32 = 1;
/// What was copied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// The records that were copied.
    pub(super) records: Vec<RecordRef>,
    /// The blocks that were copied.
    pub(super) blocks: Option<Blocks>,
    /// The copied records, and those that are named in what was copied.
    pub(super) document: Document,
}

/// Blocks of one method.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blocks {
    /// The blocks and the wires between them.
    pub(super) method: Flowchart,
    /// Where they stand.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) at: BTreeMap<BlockId, Point>,
    /// What is drawn besides.
    #[serde(default)]
    pub(super) drawing: Drawing,
    /// The wires from other blocks to these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entering: Vec<Wire>,
}

/// Why a text cannot be pasted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClipError {
    /// It does not come from a copy in Taskloom.
    NotOurs,
    /// It does, and something is wrong with it.
    Damaged(FileError),
}

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs => {
                f.write_str("The clipboard holds nothing that was copied in Taskloom.")
            }
            Self::Damaged(error) => write!(f, "What is on the clipboard is damaged: {error}."),
        }
    }
}

impl std::error::Error for ClipError {}

impl Clip {
    /// Reads the text of a clipboard.
    ///
    /// # Errors
    /// Where it is no clip, is damaged, or comes from a newer Taskloom.
    pub fn from_text(text: &str) -> Result<Self, ClipError> {
        let ours = text.contains("\"taskloom_clip\"");
        let value = match read_json(without_mark(text), &Stop::default()) {
            Ok(value) if ours => value,
            Err(error) if ours => return Err(ClipError::Damaged(error)),
            _ => return Err(ClipError::NotOurs),
        };
        Self::from_value(value).map_err(|wrong| ClipError::Damaged(FileError::of_whole(wrong)))
    }

    fn from_value(value: Value) -> Result<Self, Vec<Wrong>> {
        let Value::Object(mut object) = value else {
            return Err(Wrong::with_file("it is not a JSON object"));
        };
        match object.get("taskloom_clip").and_then(Value::as_f64) {
            Some(version) if version == f64::from(VERSION) => {}
            Some(newer) if newer > f64::from(VERSION) => {
                return Err(Wrong::with_file("it comes from a newer Taskloom"));
            }
            _ => return Err(Wrong::with_file("it does not say its version")),
        }
        let fault = |part: &str, reason: &str| Wrong::with_file(format!("In {part}: {reason}"));
        let faults = |part: &str, found: Vec<Fault>| -> Vec<Wrong> {
            let wrong = |found: Fault| fault(part, &found.reason);
            found.into_iter().flat_map(wrong).collect()
        };
        let records = match object.get("records") {
            Some(value) => read(value).map_err(|found| faults("records", found))?,
            None => vec![],
        };
        let blocks = match object.get("blocks") {
            Some(value) => Some(read::<Blocks>(value).map_err(|found| faults("blocks", found))?),
            None => None,
        };
        let document = match object.remove("document") {
            Some(Value::Object(document)) => Document::from_object(document, &Stop::default())?,
            _ => return Err(Wrong::with_file("it holds no document")),
        };
        if let Some(blocks) = &blocks {
            let method = &blocks.method;
            method.invariants().map_err(|r| fault("blocks", &r))?;
            let known = blocks
                .at
                .keys()
                .chain(blocks.entering.iter().map(|w| &w.to));
            if let Some(id) = known
                .into_iter()
                .find(|id| !method.blocks.contains_key(*id))
            {
                return Err(fault("blocks", &format!("there is no block {id}")));
            }
            if !blocks.drawing.fits(method) {
                return Err(fault("blocks", "the drawing mentions what does not exist"));
            }
        }
        let missing = records.iter().find(|r| !document.contains(r));
        match missing {
            Some(record) => Err(fault("records", &format!("{record} does not exist"))),
            None => Ok(Self {
                records,
                blocks,
                document,
            }),
        }
    }

    /// The text for the clipboard.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{{\n\"taskloom_clip\": {VERSION},\n\"records\": {},\n",
            write(&self.records)
        );
        if let Some(blocks) = &self.blocks {
            text += &format!("\"blocks\": {},\n", write(blocks));
        }
        text + &format!("\"document\": {}}}\n", self.document.to_json())
    }

    /// Returns `true` if it holds blocks or frames of a method.
    pub fn has_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    /// The ids that the blocks have where they were copied.
    pub fn block_ids(&self) -> Vec<BlockId> {
        let blocks = self.blocks.iter().flat_map(|b| b.method.blocks.keys());
        blocks.cloned().collect()
    }

    /// What it holds, in words: `3 blocks`.
    pub fn words(&self) -> String {
        let count = |n: usize, one: &str, many: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {many}"),
        };
        match (&self.blocks, self.records.as_slice()) {
            (Some(blocks), _) => match blocks.method.blocks.len() {
                0 => count(blocks.drawing.frames.len(), "frame", "frames"),
                n => count(n, "block", "blocks"),
            },
            (None, [one]) => format!("{} {}", one.kind.label(), one.name),
            (None, all) => count(all.len(), "record", "records"),
        }
    }
}

impl Document {
    /// Copies blocks and frames of a method, with the wires between the blocks; none
    /// where there are none. A method begins once: Begin is left out.
    pub fn copy_blocks(
        &self,
        task: &Name,
        blocks: &BTreeSet<BlockId>,
        frames: &BTreeSet<BlockId>,
    ) -> Option<Clip> {
        let record = self.compound_tasks.get(task)?;
        let method = &record.method;
        let mut drawing = self.layout.drawing(task).clone();
        drawing.frames.retain(|id, _| frames.contains(id));
        let copied = |id: &BlockId| {
            method.blocks.contains_key(id) && !method.is_begin(id) && blocks.contains(id)
        };
        let mut part = method.clone();
        part.blocks.retain(|id, _| copied(id));
        part.muted.retain(copied);
        part.wires.retain(|w| copied(&w.from) && copied(&w.to));
        if part.blocks.is_empty() && drawing.frames.is_empty() {
            return None;
        }
        let at = part.blocks.keys();
        let at = at.map(|id| (id.clone(), self.layout.block(task, id)));
        let at = BTreeMap::from_iter(at);
        let entering = |w: &&Wire| !copied(&w.from) && copied(&w.to);
        let entering = method.wires.iter().filter(entering).cloned().collect();
        drawing.prune(&part);
        let carrier = Arc::new(CompoundTask {
            method: part,
            ..CompoundTask::default()
        });
        let named = self.named_in(RecordView::CompoundTask(&carrier));
        Some(Clip {
            records: vec![],
            blocks: Some(Blocks {
                at,
                drawing,
                entering,
                method: carrier.method.clone(),
            }),
            document: self.with_named(named),
        })
    }

    /// Copies records; none where there are none of them.
    pub fn copy_records(&self, records: &BTreeSet<RecordRef>) -> Option<Clip> {
        let spelled = records.iter().filter_map(|record| self.spelled(record));
        let records: Vec<RecordRef> = spelled.collect();
        let document = self.with_named(BTreeSet::from_iter(records.iter().cloned()));
        (!records.is_empty()).then_some(Clip {
            records,
            blocks: None,
            document,
        })
    }

    /// These records and all that they name, and what those name.
    fn with_named(&self, records: BTreeSet<RecordRef>) -> Self {
        let mut part = Self::default();
        let mut open: Vec<RecordRef> = records.into_iter().collect();
        while let Some(record) = open.pop() {
            let Some(view) = self.view(&record).filter(|_| !part.contains(&record)) else {
                continue;
            };
            part.put(record.name.clone(), view.to_record());
            open.extend(self.named_in(view));
            let layout = &self.layout;
            if let Some(at) = layout.board.get(&record) {
                part.layout.board.insert(record.clone(), *at);
            }
            if record.kind == Kind::CompoundTask {
                let name = &record.name;
                if let Some(points) = layout.methods.get(name) {
                    part.layout.methods.insert(name.clone(), points.clone());
                }
                if let Some(drawing) = layout.drawings.get(name) {
                    part.layout.drawings.insert(name.clone(), drawing.clone());
                }
            }
        }
        part
    }
}
