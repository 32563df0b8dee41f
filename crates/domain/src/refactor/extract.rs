//! Extraction: turns blocks of a method into a new compound task.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::inline::inline;
use super::region::Region;
use crate::flow::Chart;
use crate::lang::free_variables;
use taskloom_document::sort::set_of;
use taskloom_document::syntax::ast::Reference;
use taskloom_document::syntax::print_reference;
use taskloom_document::{
    Block, BlockId, CompoundTask, Document, Edit, Field, Flowchart, Kind, Name, Param, Point, Port,
    Record, RecordRef, Wire,
};

/// Space for the Begin block of the new method, in graph units.
const BEGIN: i32 = 140;

/// The result of an extraction.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// The change.
    pub edit: Edit,
    /// The new compound task.
    pub task: Name,
    /// The block that calls it.
    pub block: BlockId,
}

/// Moves blocks of a task's method to a new compound task, which has parameters for the variables
/// that they use, and puts a Task block in their place. These frames move too. Begin stays where it
/// is. `fresh` generates ids.
///
/// # Errors
/// Returns a sentence for the designer if the meaning would change.
pub fn extract(
    document: &Document,
    task: &Name,
    blocks: &BTreeSet<BlockId>,
    frames: &BTreeSet<BlockId>,
    fresh: &mut dyn FnMut() -> BlockId,
) -> Result<Extracted, String> {
    let record = document.compound_tasks.get(task);
    let record = record.ok_or_else(|| format!("There is no compound task '{task}'."))?;
    let flow = &record.method;
    let chosen = |id: &&BlockId| flow.blocks.contains_key(*id) && !flow.is_begin(id);
    let inside = set_of(blocks.iter().filter(chosen).cloned());
    if inside.is_empty() {
        return Err("Select the blocks to move into a new task.".into());
    }
    let part = Region::new(flow, &inside)?;
    part.can_be_decided_later(document, task)?;
    let params = parameters(document, task, flow, &inside)?;
    let name = document.fresh_name(Kind::CompoundTask, &format!("{task}-part"));
    let (begin, call) = (fresh(), fresh());
    let inner = inner_method(flow, &inside, &part, &begin);
    let outer = CompoundTask {
        method: outer_method(
            flow,
            &inside,
            &call,
            print_reference(&Reference::to_params(&name, &params)),
        ),
        ..CompoundTask::clone(record)
    };
    let added = CompoundTask {
        params,
        method: inner,
        ..CompoundTask::default()
    };
    let place = |id: &BlockId| document.layout.block(task, id);
    let places = inside.iter().map(|id| (id.clone(), place(id)));
    let mut places: Vec<(BlockId, Point)> = places.collect();
    let left = places.iter().map(|(_, at)| at.x).min().unwrap_or_default();
    let top = part
        .entries
        .first()
        .map_or(Point::default(), |id| place(id))
        .y;
    places.push((
        begin,
        Point {
            x: left.saturating_sub(BEGIN),
            y: top,
        },
    ));
    let at = Point { x: left, y: top };
    let mut edits = vec![
        Edit::Add(name.clone(), Record::CompoundTask(Arc::new(added))),
        Edit::MoveBlocks(name.clone(), places),
        Edit::Replace(task.clone(), Record::CompoundTask(Arc::new(outer))),
        Edit::MoveBlocks(task.clone(), vec![(call.clone(), at)]),
    ];
    edits.extend(drawing(document, task, &inside, frames, &name));
    let extracted = Extracted {
        edit: Edit::Batch(edits),
        task: name,
        block: call,
    };
    check_round_trip(document, task, &extracted, fresh)?;
    Ok(extracted)
}

/// Checks that inlining restores the flowchart, so that unordered tasks are tried in the same order
/// as before.
fn check_round_trip(
    document: &Document,
    task: &Name,
    extracted: &Extracted,
    fresh: &mut dyn FnMut() -> BlockId,
) -> Result<(), String> {
    let after = document.apply(&extracted.edit).map_err(|e| e.message)?;
    let (edit, _) = inline(&after, task, &extracted.block, fresh)?;
    let again = after.apply(&edit).map_err(|e| e.message)?;
    let order = |document: &Document| {
        let chart = Chart::new(&document.compound_tasks.get(task)?.method)?;
        let blocks = chart.blocks.into_iter().map(|block| block.id);
        let wires = chart.wires.into_iter().map(|wire| wire.wire);
        Some((blocks.collect::<Vec<_>>(), wires.collect::<Vec<_>>()))
    };
    match order(document) == order(&again) {
        true => Ok(()),
        false => Err("Unordered tasks would be tried in a different order.".into()),
    }
}

/// Returns the variables that the blocks use and others bind, with their types.
fn parameters(
    document: &Document,
    task: &Name,
    flow: &Flowchart,
    inside: &BTreeSet<BlockId>,
) -> Result<Vec<Param>, String> {
    let reference = RecordRef::new(Kind::CompoundTask, task.clone());
    let mut own = BTreeSet::new();
    let mut params: Vec<Param> = vec![];
    for id in inside {
        if let Some(variable) = flow.blocks.get(id).and_then(|block| block.binds()) {
            own.insert(variable.name.clone());
        }
    }
    for (id, block) in &flow.blocks {
        let is_inside = inside.contains(id);
        if let Some(variable) = block.binds()
            && !is_inside
            && own.contains(&variable.name)
        {
            let name = &variable.name;
            return Err(format!(
                "'?{name}' is bound both inside and outside the selection. Rename one."
            ));
        }
        for (.., text) in block.texts() {
            for variable in free_variables(text) {
                let name = variable.name;
                let is_own = own.contains(&name);
                if is_own && !is_inside {
                    return Err(format!(
                        "'?{name}' is bound inside the selection and used outside."
                    ));
                }
                if is_own || !is_inside || params.iter().any(|p| p.name == name) {
                    continue;
                }
                let scope = document.scope(&reference, &Field::BlockText(id.clone()));
                let known = scope.into_iter().find(|param| param.name == name);
                match known {
                    Some(param) => params.push(param),
                    None => return Err(format!("Nothing binds '?{name}'.")),
                }
            }
        }
    }
    Ok(params)
}

fn inner_method(
    flow: &Flowchart,
    inside: &BTreeSet<BlockId>,
    part: &Region,
    begin: &BlockId,
) -> Flowchart {
    let mut method = flow.clone();
    method.blocks.retain(|id, _| inside.contains(id));
    method.muted.retain(|id| inside.contains(id));
    method
        .blocks
        .insert(begin.clone(), Arc::new(Block::Begin {}));
    let first = part.entries.iter().map(|entry| Wire {
        from: begin.clone(),
        port: Port::Out,
        to: (*entry).clone(),
    });
    let within = |w: &&Wire| inside.contains(&w.from) && inside.contains(&w.to);
    let rest = flow.wires.iter().filter(within).cloned();
    method.wires = first.chain(rest).collect();
    method
}

fn outer_method(
    flow: &Flowchart,
    inside: &BTreeSet<BlockId>,
    call: &BlockId,
    text: String,
) -> Flowchart {
    let mut method = flow.clone();
    method.blocks.retain(|id, _| !inside.contains(id));
    method.muted.retain(|id| !inside.contains(id));
    let block = Block::task(text);
    method.blocks.insert(call.clone(), Arc::new(block));
    method.wires.clear();
    for wire in &flow.wires {
        let mut wire = wire.clone();
        if inside.contains(&wire.from) && inside.contains(&wire.to) {
            continue;
        }
        if inside.contains(&wire.from) {
            (wire.from, wire.port) = (call.clone(), Port::Out);
        }
        if inside.contains(&wire.to) {
            wire.to = call.clone();
        }
        if !method.wires.contains(&wire) {
            method.wires.push(wire);
        }
    }
    method
}

/// Moves the drawing of the blocks with them; a frame moves if it contains no other blocks.
fn drawing(
    document: &Document,
    task: &Name,
    inside: &BTreeSet<BlockId>,
    frames: &BTreeSet<BlockId>,
    name: &Name,
) -> Vec<Edit> {
    let drawing = document.layout.drawing(task);
    let mut edits = vec![];
    let collapsed = drawing.collapsed.iter().filter(|id| inside.contains(*id));
    let collapsed: Vec<BlockId> = collapsed.cloned().collect();
    if !collapsed.is_empty() {
        edits.push(Edit::Collapse(name.clone(), collapsed, true));
    }
    for (wire, points) in &drawing.bends {
        if inside.contains(&wire.from) && inside.contains(&wire.to) {
            edits.push(Edit::Bend(name.clone(), wire.clone(), points.clone()));
        }
    }
    for (id, frame) in drawing.frames.iter().filter(|(id, _)| frames.contains(*id)) {
        let moved = Some((**frame).clone());
        edits.push(Edit::SetFrame(Some(task.clone()), id.clone(), None));
        edits.push(Edit::SetFrame(Some(name.clone()), id.clone(), moved));
    }
    edits
}
