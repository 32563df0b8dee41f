//! Pasting a clip: fresh ids, free names, and missing records.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::block::Block;
use super::clip::{Blocks, Clip};
use super::drawing::Drawing;
use super::edit::Edit;
use super::edit_error::EditError;
use super::point::Point;
use super::record::{self, Kind, RecordRef};
use super::tables::Numbers;
use super::wire::{BlockId, Wire};
use super::{CompoundTask, Document, Name};
use crate::sort::set_of;
use crate::syntax::free_variables;

/// The offset of a copy from its original, in graph units.
const ASIDE: i32 = 40;

/// The result of pasting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pasted {
    /// The changes, to be committed as one step.
    pub edits: Vec<Edit>,
    /// The new blocks.
    pub blocks: BTreeSet<BlockId>,
    /// The new frames.
    pub frames: BTreeSet<BlockId>,
    /// The new records.
    pub records: BTreeSet<RecordRef>,
    /// Records that the pasted ones name and that were missing; they are added, too.
    pub brought: Vec<RecordRef>,
    /// Records that the pasted ones name, and that exist here with the same names but other
    /// content.
    pub others: Vec<RecordRef>,
    /// Variables that the pasted blocks name and that nothing in the method binds.
    pub unbound: Vec<Name>,
}

impl Document {
    /// Computes the result of pasting a clip. Blocks are pasted `into` a compound task's method and
    /// get ids by `fresh`; copied records get free names; records that they name are added only if
    /// no record here has that name. The upper left corner of what is pasted is placed `at` a
    /// point, or next to its original. If `keep_wires` is set, wires from the originals'
    /// predecessors are drawn if those exist here.
    ///
    /// # Errors
    /// Returns an error if there are blocks but no method to paste them into.
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
        let mut renames = vec![];
        let mut numbers = Numbers::default();
        for record in &clip.records {
            let free = |name: &RecordRef| {
                name == record || !part.contains(name) && !pasted.records.contains(name)
            };
            let base = record.name.as_str();
            let name = self.fresh_name_where(record.kind, base, &mut numbers, free);
            pasted
                .records
                .insert(RecordRef::new(record.kind, name.clone()));
            renames.push((record.clone(), name));
        }
        part.rename(&renames)?;
        let places = pasted.records.iter();
        let places = places.filter_map(|r| part.layout.board.get(r).copied());
        let taken = self.layout.board.values().copied().collect();
        let by = displacement(places.collect(), at, &taken);
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
        let own = record.method.blocks.keys();
        let taken = own.map(|id| self.layout.block(task, id)).collect();
        let by = displacement(places.collect(), at, &taken);
        let mut copies: BTreeMap<&BlockId, BlockId> = BTreeMap::new();
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
        let chosen = |ids: &BTreeSet<BlockId>| -> Vec<BlockId> {
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
        pasted.blocks = set_of(copies.into_values());
    }
}

/// Returns the offset of the pasted parts from their original positions.
fn displacement(places: Vec<Point>, at: Option<Point>, taken: &FxHashSet<Point>) -> Point {
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
    // Avoid positions that are exactly occupied.
    for _ in 0..1000 {
        if !places
            .iter()
            .any(|place| taken.contains(&shifted(*place, by)))
        {
            break;
        }
        by = shifted(by, Point { x: ASIDE, y: ASIDE });
    }
    by
}

fn shifted(point: Point, by: Point) -> Point {
    Point {
        x: point.x.wrapping_add(by.x),
        y: point.y.wrapping_add(by.y),
    }
}

/// Returns the edits that add a record, with the layout of its method.
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

/// Returns the variables of copied blocks that neither they nor the method bind.
fn unbound(clip: &Blocks, into: &CompoundTask) -> Vec<Name> {
    let mut bound = set_of(into.params.iter().map(|param| &param.name));
    let both = clip
        .method
        .blocks
        .values()
        .chain(into.method.blocks.values());
    for block in both {
        if let Some(variable) = block.binds() {
            bound.insert(&variable.name);
        }
    }
    let mut unbound = BTreeSet::new();
    for block in clip.method.blocks.values() {
        for (.., text) in block.texts() {
            let free = free_variables(text).into_iter().map(|v| v.name);
            unbound.extend(free.filter(|name| !bound.contains(name)));
        }
    }
    unbound.into_iter().collect()
}
