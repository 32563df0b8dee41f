//! The clipboard: blocks of a method, or records, as a text that another
//! document, tab or machine can paste.
//!
//! ```json
//! { "taskloom_clip": 1, "records": ["primitive:walk-to"], "document": { "taskloom": 1, ... } }
//! ```
//!
//! With what was copied go the records that it names, so that pasting elsewhere
//! brings along what is missing there.

use std::fmt;
use std::sync::Arc;

use taskloom_record::Record;

use super::drawing::Drawing;
use super::edit::{Edit, EditError};
use super::file::{FileError, read_json};
use super::flowchart::{Block, BlockId, Flowchart, Wire};
use super::json::{Read, Value, Writer};
use super::layout::Point;
use super::record::{self, Kind, RecordRef, RecordView};
use super::{CompoundTask, Document, Name};
use crate::lang::free_variables;
use crate::sorted::{SortedMap, SortedSet};

/// The version of the text that is written, and the newest that is read.
const VERSION: u32 = 1;
/// How far a copy stands from what it is a copy of, in graph units.
const ASIDE: i32 = 40;

/// What was copied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// The records that were copied.
    records: Vec<RecordRef>,
    /// The blocks that were copied.
    blocks: Option<Blocks>,
    /// The copied records, and those that are named in what was copied.
    document: Document,
}

/// Blocks of one method.
#[derive(Debug, Clone, PartialEq, Default, Record)]
#[serde(deny_unknown_fields)]
struct Blocks {
    /// The blocks and the wires between them.
    method: Flowchart,
    /// Where they stand.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    at: SortedMap<BlockId, Point>,
    /// What is drawn besides.
    #[serde(default)]
    drawing: Drawing,
    /// The wires from other blocks to these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    entering: Vec<Wire>,
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

/// What pasting comes to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pasted {
    /// The changes, which are one step.
    pub edits: Vec<Edit>,
    /// The new blocks.
    pub blocks: SortedSet<BlockId>,
    /// The new frames.
    pub frames: SortedSet<BlockId>,
    /// The new records.
    pub records: SortedSet<RecordRef>,
    /// Records that the pasted ones name and that were missing.
    pub brought: Vec<RecordRef>,
    /// Records that the pasted ones name, and that are others here of the same names.
    pub others: Vec<RecordRef>,
    /// Variables that the pasted blocks name and that nothing here binds.
    pub unbound: Vec<Name>,
}

impl Clip {
    /// Reads the text of a clipboard.
    ///
    /// # Errors
    /// Where it is no clip, is damaged, or comes from a newer Taskloom.
    pub fn from_text(text: &str) -> Result<Self, ClipError> {
        let ours = text.contains("\"taskloom_clip\"");
        let value = match read_json(text) {
            Ok(value) if ours => value,
            Err(error) if ours => return Err(ClipError::Damaged(error)),
            _ => return Err(ClipError::NotOurs),
        };
        Self::from_value(value).map_err(ClipError::Damaged)
    }

    fn from_value(value: Value) -> Result<Self, FileError> {
        let Value::Object(mut object) = value else {
            return Err(FileError::new("it is no JSON object"));
        };
        match object.get("taskloom_clip") {
            Some(Value::Number(version)) if *version == f64::from(VERSION) => {}
            Some(Value::Number(newer)) if *newer > f64::from(VERSION) => {
                return Err(FileError::new("it comes from a newer Taskloom"));
            }
            _ => return Err(FileError::new("it does not say its version")),
        }
        let fault = |part: &str, reason: &str| FileError::new(format!("In {part}: {reason}"));
        let records = match object.get("records") {
            Some(value) => Vec::read(value).map_err(|f| fault("records", f.reason()))?,
            None => vec![],
        };
        let blocks = match object.get("blocks") {
            Some(value) => Some(Blocks::read(value).map_err(|f| fault("blocks", f.reason()))?),
            None => None,
        };
        let document = match object.remove("document") {
            Some(Value::Object(document)) => Document::from_object(document)?,
            _ => return Err(FileError::new("it holds no document")),
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
            Writer::write(&self.records)
        );
        if let Some(blocks) = &self.blocks {
            text += &format!("\"blocks\": {},\n", Writer::write(blocks));
        }
        text + &format!("\"document\": {}}}\n", self.document.to_json())
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
    /// Copies blocks of a method, with the wires between them, and frames with the
    /// blocks in them; none where there are none. A method begins once: Begin is
    /// left out.
    pub fn copy_blocks(
        &self,
        task: &Name,
        blocks: &SortedSet<BlockId>,
        frames: &SortedSet<BlockId>,
    ) -> Option<Clip> {
        let record = self.compound_tasks.get(task)?;
        let method = &record.method;
        let mut drawing = self.layout.drawing(task).clone();
        drawing.frames.retain(|id, _| frames.contains(id));
        let copied = |id: &BlockId| {
            let at = self.layout.block(task, id);
            let framed = || drawing.frames.values().any(|frame| frame.holds(at));
            method.blocks.contains_key(id)
                && !method.is_begin(id)
                && (blocks.contains(id) || framed())
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
        let at = crate::order::map(at);
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
    pub fn copy_records(&self, records: &SortedSet<RecordRef>) -> Option<Clip> {
        let spelled = records.iter().filter_map(|record| self.spelled(record));
        let records: Vec<RecordRef> = spelled.collect();
        let document = self.with_named(crate::order::set(records.iter().cloned()));
        (!records.is_empty()).then_some(Clip {
            records,
            blocks: None,
            document,
        })
    }

    /// These records and all that they name, and what those name.
    fn with_named(&self, records: SortedSet<RecordRef>) -> Self {
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

    /// What pasting a clip comes to. Blocks go `into` a compound task's method and
    /// get ids by `fresh`; copied records get names that are free, those that they
    /// name are only added where there are none of their names. The upper left
    /// corner of what is placed comes to stand `at` a point, or beside its original.
    /// With `keep_wires` the wires from the originals' predecessors are drawn, where
    /// those are there.
    ///
    /// # Errors
    /// Where there are blocks and no method to put them into.
    pub fn paste(
        &self,
        clip: &Clip,
        into: Option<&Name>,
        at: Option<Point>,
        keep_wires: bool,
        fresh: &mut dyn FnMut() -> BlockId,
    ) -> Result<Pasted, EditError> {
        let mut pasted = Pasted::default();
        self.paste_records(clip, at, &mut pasted)?;
        if let Some(blocks) = &clip.blocks {
            let known = into.and_then(|task| self.compound_tasks.get_key_value(task));
            let (task, _) = known.ok_or_else(|| {
                EditError::new("Open the method of a compound task to paste blocks into it.")
            })?;
            self.paste_blocks(blocks, task, at, keep_wires, fresh, &mut pasted);
        }
        Ok(pasted)
    }

    fn paste_records(
        &self,
        clip: &Clip,
        at: Option<Point>,
        pasted: &mut Pasted,
    ) -> Result<(), EditError> {
        let mut part = clip.document.clone();
        for record in &clip.records {
            let free = |name: &RecordRef| name == record || !part.contains(name);
            let name = self.fresh_name_where(record.kind, record.name.as_str(), free);
            part.rename(record, &name)?;
            pasted.records.insert(RecordRef::new(record.kind, name));
        }
        let places = pasted.records.iter();
        let places = places.filter_map(|r| part.layout.board.get(r).copied());
        let by = self.displacement(places.collect(), at, |p| {
            self.layout.board.values().any(|taken| *taken == p)
        });
        for record in part.records() {
            let Some(value) = part.get(&record) else {
                continue;
            };
            let copied = pasted.records.contains(&record);
            match self.named(record.kind, &record.name).filter(|_| !copied) {
                Some(own) => {
                    let original = clip.document.get(&record);
                    if own.kind != record.kind || self.get(&own) != original {
                        pasted.others.push(own);
                    }
                }
                None => {
                    pasted.edits.extend(additions(&part, &record, value));
                    match copied {
                        false => pasted.brought.push(record),
                        true => {
                            let place = part.layout.board.get(&record);
                            pasted.edits.extend(place.map(|place| {
                                Edit::MoveCards(vec![(record, Some(shifted(*place, by)))])
                            }));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn paste_blocks(
        &self,
        clip: &Blocks,
        task: &Name,
        at: Option<Point>,
        keep_wires: bool,
        fresh: &mut dyn FnMut() -> BlockId,
        pasted: &mut Pasted,
    ) {
        let Some(record) = self.compound_tasks.get(task) else {
            return;
        };
        let place = |id: &BlockId| clip.at.get(id).copied().unwrap_or_default();
        let places = clip.method.blocks.keys().map(place);
        let places = places.chain(clip.drawing.frames.values().map(|frame| frame.at));
        let by = self.displacement(places.collect(), at, |p| {
            let mut own = record.method.blocks.keys();
            own.any(|id| self.layout.block(task, id) == p)
        });
        let mut copies: SortedMap<&BlockId, BlockId> = SortedMap::new();
        for (id, block) in &clip.method.blocks {
            let copy = fresh();
            pasted.edits.push(Edit::AddBlock {
                task: task.clone(),
                id: copy.clone(),
                block: Block::clone(block),
                at: shifted(place(id), by),
            });
            copies.insert(id, copy);
        }
        let moved = |wire: &Wire| {
            Some(Wire {
                from: copies.get(&wire.from)?.clone(),
                port: wire.port,
                to: copies.get(&wire.to)?.clone(),
            })
        };
        let connect = |wire| Edit::Connect(task.clone(), wire);
        let inner = clip.method.wires.iter().filter_map(moved);
        pasted.edits.extend(inner.map(connect));
        if keep_wires {
            let kept = clip.entering.iter().filter_map(|wire| {
                let from = record.method.blocks.get(&wire.from)?;
                let to = copies.get(&wire.to)?.clone();
                let wire = wire.clone();
                from.ports()
                    .contains(&wire.port)
                    .then_some(Wire { to, ..wire })
            });
            pasted.edits.extend(kept.map(connect));
        }
        let chosen = |ids: &SortedSet<BlockId>| -> Vec<BlockId> {
            let chosen = ids.iter().filter_map(|id| copies.get(id).cloned());
            chosen.collect()
        };
        let muted = chosen(&clip.method.muted);
        if !muted.is_empty() {
            pasted.edits.push(Edit::Mute(task.clone(), muted, true));
        }
        let collapsed = chosen(&clip.drawing.collapsed);
        if !collapsed.is_empty() {
            let edit = Edit::Collapse(task.clone(), collapsed, true);
            pasted.edits.push(edit);
        }
        for (wire, points) in &clip.drawing.bends {
            let points = points.iter().map(|p| shifted(*p, by)).collect();
            let edit = moved(wire).map(|wire| Edit::Bend(task.clone(), wire, points));
            pasted.edits.extend(edit);
        }
        for frame in clip.drawing.frames.values() {
            let id = fresh();
            let mut frame = (**frame).clone();
            frame.at = shifted(frame.at, by);
            pasted.frames.insert(id.clone());
            let edit = Edit::SetFrame(Some(task.clone()), id, Some(frame));
            pasted.edits.push(edit);
        }
        pasted.unbound = unbound(clip, record);
        pasted.blocks = crate::order::set(copies.into_iter().map(|(_, copy)| copy));
    }

    /// How far pasted things go from where they stood.
    fn displacement(
        &self,
        places: Vec<Point>,
        at: Option<Point>,
        taken: impl Fn(Point) -> bool,
    ) -> Point {
        let corner = places.iter().copied().reduce(|a, b| Point {
            x: a.x.min(b.x),
            y: a.y.min(b.y),
        });
        let corner = corner.unwrap_or_default();
        let mut by = match at {
            Some(at) => Point {
                x: at.x.wrapping_sub(corner.x),
                y: at.y.wrapping_sub(corner.y),
            },
            None => Point { x: ASIDE, y: ASIDE },
        };
        // Not exactly over what stands there already.
        for _ in 0..1000 {
            if !places.iter().any(|place| taken(shifted(*place, by))) {
                break;
            }
            by = shifted(by, Point { x: ASIDE, y: ASIDE });
        }
        by
    }
}

fn shifted(point: Point, by: Point) -> Point {
    Point {
        x: point.x.wrapping_add(by.x),
        y: point.y.wrapping_add(by.y),
    }
}

/// The edits that add a record, and what its method looks like.
fn additions(part: &Document, record: &RecordRef, value: record::Record) -> Vec<Edit> {
    let name = &record.name;
    let mut edits = vec![Edit::Add(name.clone(), value)];
    if record.kind != Kind::CompoundTask {
        return edits;
    }
    if let Some(points) = part.layout.methods.get(name) {
        let moves = points.iter().map(|(id, at)| (id.clone(), *at));
        edits.push(Edit::MoveBlocks(name.clone(), moves.collect()));
    }
    let Drawing {
        collapsed,
        frames,
        bends,
    } = part.layout.drawing(name).clone();
    if !collapsed.is_empty() {
        let collapsed = collapsed.into_iter().collect();
        edits.push(Edit::Collapse(name.clone(), collapsed, true));
    }
    for (id, frame) in frames {
        let frame = (*frame).clone();
        edits.push(Edit::SetFrame(Some(name.clone()), id, Some(frame)));
    }
    for (wire, points) in bends {
        edits.push(Edit::Bend(name.clone(), wire, points));
    }
    edits
}

/// The variables of copied blocks that neither they nor the method bind.
fn unbound(clip: &Blocks, into: &CompoundTask) -> Vec<Name> {
    let mut bound: SortedSet<&Name> = into.params.iter().map(|param| &param.name).collect();
    let both = clip
        .method
        .blocks
        .values()
        .chain(into.method.blocks.values());
    for block in both {
        if let Block::Bind { variable, .. } = &**block {
            bound.insert(&variable.name);
        }
    }
    let mut unbound = SortedSet::new();
    for block in clip.method.blocks.values() {
        for text in block.texts() {
            let free = free_variables(text).into_iter().map(|v| v.name);
            unbound.extend(free.filter(|name| !bound.contains(name)));
        }
    }
    unbound.into_iter().collect()
}
