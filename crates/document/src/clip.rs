//! The clipboard: blocks of a method, or records, as text that can be pasted into another document,
//! tab or machine.
//!
//! ```json
//! { "taskloom_clip": 1, "records": ["primitive:walk-to"], "document": { "taskloom": 4, ... } }
//! ```
//!
//! The clip includes the records that the copied parts name, so that pasting elsewhere adds those
//! that are missing there. `from` may be the id of the document that it was copied from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::drawing::Drawing;
use super::edit_error::EditError;
use super::file::{FileError, ValueError, read_json, without_mark};
use super::flowchart::Flowchart;
use super::json::{Fault, read, write};
use super::migrations::migrate_method;
use super::point::Point;
use super::record::{Kind, Record, RecordRef, RecordView};
use super::tables::Numbers;
use super::wire::{BlockId, Wire};
use super::{CompoundTask, Document, Name};
use crate::sort::{map_of, set_of};
use crate::stop::Stop;

/// The version of the text that is written, and the newest that can be read.
const VERSION: u32 = 1;
/// The content of the clipboard.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// The records that were copied.
    pub(super) records: Vec<RecordRef>,
    /// The blocks that were copied.
    pub(super) blocks: Option<Blocks>,
    /// The copied records, and those that the copied parts name.
    pub(super) document: Document,
    /// The id of the document that they were copied from, if it has one.
    source: Option<String>,
}

/// Blocks of one method.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blocks {
    /// The blocks and the wires between them.
    pub(super) method: Flowchart,
    /// Their positions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) at: BTreeMap<BlockId, Point>,
    /// The frames, collapsed blocks and bends.
    #[serde(default)]
    pub(super) drawing: Drawing,
    /// The wires from other blocks to these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entering: Vec<Wire>,
}

/// The reasons why a text cannot be pasted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClipError {
    /// The text was not copied from Taskloom.
    NotOurs,
    /// The text was copied from Taskloom, but is damaged.
    Damaged(FileError),
}

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs => f.write_str("The clipboard has nothing copied from Taskloom."),
            Self::Damaged(error) => write!(f, "The clipboard content is damaged: {error}."),
        }
    }
}

impl std::error::Error for ClipError {}

impl Clip {
    /// Reads the text of a clipboard.
    ///
    /// # Errors
    /// Returns an error if it is not a clip, is damaged, or comes from a newer version of Taskloom.
    pub fn from_text(text: &str) -> Result<Self, ClipError> {
        let ours = text.contains("\"taskloom_clip\"");
        let value = match read_json(without_mark(text), &Stop::default()) {
            Ok(value) if ours => value,
            Err(error) if ours => return Err(ClipError::Damaged(error)),
            _ => return Err(ClipError::NotOurs),
        };
        Self::from_value(value).map_err(|errors| ClipError::Damaged(FileError::of_whole(errors)))
    }

    fn from_value(value: Value) -> Result<Self, Vec<ValueError>> {
        let Value::Object(mut object) = value else {
            return Err(ValueError::with_file("it is not a JSON object"));
        };
        match object.get("taskloom_clip").and_then(Value::as_f64) {
            Some(version) if version == f64::from(VERSION) => {}
            Some(newer) if newer > f64::from(VERSION) => {
                return Err(ValueError::with_file(
                    "it comes from a newer version of Taskloom",
                ));
            }
            _ => return Err(ValueError::with_file("its version is missing")),
        }
        let fault =
            |part: &str, reason: &str| ValueError::with_file(format!("In {part}: {reason}"));
        let faults = |part: &str, found: Vec<Fault>| -> Vec<ValueError> {
            let error = |found: Fault| fault(part, &found.reason);
            found.into_iter().flat_map(error).collect()
        };
        let records = match object.get("records") {
            Some(value) => read(value).map_err(|found| faults("records", found))?,
            None => vec![],
        };
        let version = object
            .get("document")
            .and_then(|document| document.get("taskloom")?.as_u64());
        if let (Some(version), Some(Value::Object(blocks))) = (version, object.get_mut("blocks")) {
            migrate_method(blocks, version);
        }
        let blocks = match object.get("blocks") {
            Some(value) => Some(read::<Blocks>(value).map_err(|found| faults("blocks", found))?),
            None => None,
        };
        let source = object.get("from").and_then(Value::as_str);
        let source = source.map(str::to_owned);
        let document = match object.remove("document") {
            Some(Value::Object(document)) => Document::from_object(document, &Stop::default())?,
            _ => return Err(ValueError::with_file("it contains no document")),
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
                return Err(fault(
                    "blocks",
                    "the drawing refers to blocks or wires that do not exist",
                ));
            }
        }
        let missing = records.iter().find(|r| !document.contains(r));
        match missing {
            Some(record) => Err(fault("records", &format!("{record} does not exist"))),
            None => Ok(Self {
                records,
                blocks,
                document,
                source,
            }),
        }
    }

    /// Returns the text for the clipboard.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{{\n\"taskloom_clip\": {VERSION},\n\"records\": {},\n",
            write(&self.records)
        );
        if let Some(source) = &self.source {
            text += &format!("\"from\": {},\n", write(source));
        }
        if let Some(blocks) = &self.blocks {
            text += &format!("\"blocks\": {},\n", write(blocks));
        }
        text + &format!("\"document\": {}}}\n", self.document.to_json())
    }

    /// Returns it with the id of the document that it was copied from.
    pub fn with_source(self, id: &str) -> Self {
        Self {
            source: Some(id.to_owned()),
            ..self
        }
    }

    /// Returns the id of the document that it was copied from, if that is known.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Renames a record as it was renamed where the clip was copied, so that what is pasted still names it.
    ///
    /// # Errors
    /// Returns an error if another part of the clip has the name.
    pub fn rename(&mut self, record: &RecordRef, to: &Name) -> Result<(), EditError> {
        if !self.document.contains(record) {
            return Ok(());
        }
        let mut document = self.document.clone();
        let renamed = RecordRef::new(record.kind, to.clone());
        let free = |name: &RecordRef| name.name != *to && !self.document.contains(name);
        let carrier =
            document.fresh_name_where(Kind::CompoundTask, "copied", &mut Numbers::default(), free);
        let carrier = RecordRef::new(Kind::CompoundTask, carrier);
        if let Some(blocks) = &self.blocks {
            let method = blocks.method.clone();
            let task = CompoundTask {
                method,
                ..CompoundTask::default()
            };
            document.put(carrier.name.clone(), Record::CompoundTask(task.into()));
        }
        document.rename(&[(record.clone(), to.clone())])?;
        if let (Some(Record::CompoundTask(task)), Some(blocks)) =
            (document.take(&carrier), &mut self.blocks)
        {
            blocks.method.clone_from(&task.method);
        }
        for copied in self.records.iter_mut().filter(|copied| **copied == *record) {
            copied.clone_from(&renamed);
        }
        self.document = document;
        Ok(())
    }

    /// Returns `true` if it holds blocks or frames of a method.
    pub fn has_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    /// Returns the ids that the blocks had where they were copied.
    pub fn block_ids(&self) -> Vec<BlockId> {
        let blocks = self.blocks.iter().flat_map(|b| b.method.blocks.keys());
        blocks.cloned().collect()
    }

    /// Describes the content in words: `3 blocks`.
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
    /// Copies blocks and frames of a method, with the wires between the blocks; none if there are
    /// none. Begin is never copied, since a method has only one.
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
        let at = map_of(at);
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
            source: None,
        })
    }

    /// Copies records; none if none of them exist.
    pub fn copy_records(&self, records: &BTreeSet<RecordRef>) -> Option<Clip> {
        let spelled = records.iter().filter_map(|record| self.spelled(record));
        let records: Vec<RecordRef> = spelled.collect();
        let document = self.with_named(set_of(records.iter().cloned()));
        (!records.is_empty()).then_some(Clip {
            records,
            blocks: None,
            document,
            source: None,
        })
    }

    /// Returns a document of these records and everything that they name, transitively.
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
