//! Inlining: replaces a call of a compound task by the blocks of its method.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::region::Region;
use crate::Domain;
use crate::check::check_record;
use crate::lang::ast::ExprKind;
use crate::lang::{free_variables, parse_call};
use taskloom_document::diagnostic::{Diagnostic, Severity};
use taskloom_document::sort::set_of;
use taskloom_document::{
    BlockId, CompoundTask, Document, Edit, Field, Flowchart, Kind, Name, Point, Record, RecordRef,
};

mod splice;

use splice::spliced;

/// Replaces a Task block by the method of the compound task that it calls. The task is removed if
/// nothing else uses it. Returns the edit and the new blocks; `fresh` generates ids.
///
/// # Errors
/// Returns a sentence for the designer if the meaning would change.
pub fn inline(
    document: &Document,
    task: &Name,
    block: &BlockId,
    fresh: &mut dyn FnMut() -> BlockId,
) -> Result<(Edit, BTreeSet<BlockId>), String> {
    let outer = document.compound_tasks.get(task);
    let outer = outer.ok_or_else(|| format!("There is no compound task '{task}'."))?;
    let called = Called::read(document, outer, block)?;
    check_is_executed(document, task, outer, block)?;
    let mut ids = BTreeMap::new();
    for id in called.method.blocks.keys() {
        let kept = !outer.method.blocks.contains_key(id);
        ids.insert(id, if kept { id.clone() } else { fresh() });
    }
    let (flow, new) = spliced(outer, block, &called, &ids, fresh);
    flow.invariants()
        .map_err(|reason| format!("It can't be inlined: {reason}."))?;
    if !new.is_empty() {
        let part = Region::new(&flow, &new);
        let same = part.and_then(|part| part.can_be_decided_later(document, task));
        same.map_err(|_| {
            format!(
                "'{}' is decided when it is reached; inlined, it would be decided together with '{task}'.",
                called.name
            )
        })?;
    }
    let changed = CompoundTask {
        method: flow,
        ..CompoundTask::clone(outer)
    };
    let changed = Record::CompoundTask(Arc::new(changed));
    let mut edits = vec![
        Edit::Replace(task.clone(), changed),
        Edit::MoveBlocks(
            task.clone(),
            places(document, task, block, &called, &ids, &new),
        ),
    ];
    let drawing = document.layout.drawing(&called.name);
    let collapsed = drawing.collapsed.iter().filter_map(|id| ids.get(id));
    let collapsed: Vec<BlockId> = collapsed.filter(|id| new.contains(*id)).cloned().collect();
    if !collapsed.is_empty() {
        edits.push(Edit::Collapse(task.clone(), collapsed, true));
    }
    let reference = RecordRef::new(Kind::CompoundTask, called.name.clone());
    let after = document
        .apply(&Edit::Batch(edits.clone()))
        .map_err(|e| e.message)?;
    if let Some(wrong) = new_mistake(document, &after, task, &reference, &new) {
        return Err(format!(
            "Inlined here, '{}' would have an error: {wrong}",
            called.name
        ));
    }
    if after
        .uses(&reference)
        .iter()
        .all(|(user, _)| *user == reference)
    {
        edits.push(Edit::Remove(reference));
    }
    Ok((Edit::Batch(edits), new))
}

/// Returns a mistake of the new blocks that the original task doesn't have: a quantifier may bind a
/// name that is already bound here.
fn new_mistake(
    document: &Document,
    after: &Document,
    task: &Name,
    called: &RecordRef,
    new: &BTreeSet<BlockId>,
) -> Option<String> {
    let is_wrong = |d: &Diagnostic| d.severity == Severity::Error;
    if check_record(&Domain::from(document), called)
        .iter()
        .any(is_wrong)
    {
        return None;
    }
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let is_new = |d: &Diagnostic| match &d.place.field {
        Field::BlockText(id)
        | Field::BlockWhile(id)
        | Field::BlockAbort(id)
        | Field::BlockQuery(id)
        | Field::BlockOrder(id)
        | Field::BlockScore(id, _) => new.contains(id),
        _ => false,
    };
    let mut found = check_record(&Domain::from(after), &record).into_iter();
    let wrong = found.find(|d| is_wrong(d) && is_new(d));
    wrong.map(|wrong| wrong.message)
}

/// Checks that a call is executed at all: one that isn't must not be dropped silently.
fn check_is_executed(
    document: &Document,
    task: &Name,
    outer: &CompoundTask,
    block: &BlockId,
) -> Result<(), String> {
    if outer.method.muted.contains(block) {
        return Err("The call is muted, but its method wouldn't be. Unmute it first.".into());
    }
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let call = Field::BlockText(block.clone());
    let mut found = check_record(&Domain::from(document), &record).into_iter();
    match found.find(|d| d.severity == Severity::Error && d.place.field == call) {
        Some(wrong) => Err(format!("Fix the call first: {}", wrong.message)),
        None => Ok(()),
    }
}

/// A compound task as called: its texts with the arguments substituted.
struct Called {
    name: Name,
    preconditions: Vec<String>,
    method: Flowchart,
    begin: BlockId,
}

impl Called {
    fn read(document: &Document, outer: &CompoundTask, block: &BlockId) -> Result<Self, String> {
        let block = outer.method.blocks.get(block);
        let Some((block, call)) = block.and_then(|block| Some((block, block.call()?))) else {
            return Err("Select a Task block that calls a compound task.".into());
        };
        if block.repetitions() > 1 || block.repeat_while().is_some() {
            return Err("The call repeats, which can't be inlined.".into());
        }
        if block.timeout().is_some() {
            return Err("The call has a timeout, which can't be inlined.".into());
        }
        if block.retry().is_some() {
            return Err("The call limits its retries, which can't be inlined.".into());
        }
        if block.on_abort().is_some() {
            return Err("The call has a cleanup, which can't be inlined.".into());
        }
        if block.is_background() {
            return Err("The call is in the background, which can't be inlined.".into());
        }
        let reference = parse_call(call).value;
        let known = reference
            .as_ref()
            .and_then(|r| document.compound_tasks.get_key_value(&r.name));
        let (Some(reference), Some((name, record))) = (&reference, known) else {
            return Err(format!("'{call}' doesn't call a compound task."));
        };
        if !record.integrity.is_empty() {
            return Err(format!(
                "'{name}' has integrity rules, which can't be inlined."
            ));
        }
        if record
            .method
            .blocks
            .values()
            .any(|block| block.is_background())
        {
            return Err(format!(
                "'{name}' has tasks in the background, which can't be inlined."
            ));
        }
        if record.cooldown > 0 {
            return Err(format!("'{name}' has a cooldown, which can't be inlined."));
        }
        if record.params.len() != reference.args.len() {
            return Err(format!(
                "'{call}' has the wrong number of arguments for '{name}'."
            ));
        }
        let mut arguments = BTreeMap::new();
        for (param, arg) in record.params.iter().zip(&reference.args) {
            let text = call.get(arg.span.range()).unwrap_or_default();
            match &arg.kind {
                ExprKind::Variable(_) => {}
                ExprKind::Reference(object) if object.args.is_empty() => {}
                _ => return Err(format!("'{text}' is neither a variable nor an object.")),
            }
            arguments.insert(param.name.clone(), text);
        }
        let record = with_own_variables(document, outer, name, record)?;
        let begin = record
            .method
            .blocks
            .keys()
            .find(|id| record.method.is_begin(id));
        let begin = begin
            .ok_or_else(|| format!("The method of '{name}' has no Begin."))?
            .clone();
        let preconditions = record.preconditions.iter();
        let preconditions = preconditions.map(|text| with_arguments(text, &arguments));
        let preconditions = preconditions.collect::<Result<_, _>>()?;
        let mut method = record.method.clone();
        for block in method.blocks.values_mut() {
            for (_, text) in Arc::make_mut(block).texts_mut() {
                *text = with_arguments(text, &arguments)?;
            }
        }
        Ok(Self {
            name: name.clone(),
            preconditions,
            method,
            begin,
        })
    }
}

/// Substitutes arguments for parameters in a text.
fn with_arguments(text: &str, arguments: &BTreeMap<Name, &str>) -> Result<String, String> {
    let mut replaced = text.to_owned();
    for variable in free_variables(text).into_iter().rev() {
        let Some(argument) = arguments.get(&variable.name) else {
            continue;
        };
        let caught = |by: &Name| argument.strip_prefix('?').is_some_and(|name| *by == *name);
        if variable.within.iter().any(caught) {
            return Err(format!(
                "In '{text}', a quantifier would capture '{argument}'."
            ));
        }
        // The question mark is replaced too.
        replaced.replace_range(variable.range.start - 1..variable.range.end, argument);
    }
    Ok(replaced)
}

/// Returns the variables that a task's parameters and Bind blocks declare.
fn declared(task: &CompoundTask) -> BTreeSet<Name> {
    let blocks = task.method.blocks.values();
    let binds = blocks.filter_map(|block| block.binds());
    set_of(
        task.params
            .iter()
            .chain(binds)
            .map(|param| param.name.clone()),
    )
}

/// Returns the called task with its variables renamed so that none clashes with the caller's.
fn with_own_variables(
    document: &Document,
    outer: &CompoundTask,
    name: &Name,
    record: &Arc<CompoundTask>,
) -> Result<Arc<CompoundTask>, String> {
    let taken = declared(outer);
    let mut own = declared(record);
    let mut renamed = document.clone();
    for block in record.method.blocks.values() {
        let Some(variable) = block.binds() else {
            continue;
        };
        let from = &variable.name;
        if record.params.iter().any(|param| param.name == *from) {
            return Err(format!(
                "In '{name}', a Bind block hides the parameter '?{from}'."
            ));
        }
        if !taken.contains(from) {
            continue;
        }
        let numbered = (2..).filter_map(|n: u64| Name::new(&format!("{from}-{n}")).ok());
        let to = numbered
            .into_iter()
            .find(|to| !taken.contains(to) && !own.contains(to));
        let Some(to) = to else { continue };
        own.insert(to.clone());
        let reference = RecordRef::new(Kind::CompoundTask, name.clone());
        let edit = Edit::RenameVariable(reference, from.clone(), to);
        // Two Bind blocks with the same name were renamed together.
        if let Ok(next) = renamed.apply(&edit) {
            renamed = next;
        }
    }
    let found = renamed.compound_tasks.get(name).cloned();
    Ok(found.unwrap_or_else(|| record.clone()))
}

/// Positions the new blocks where the call was; blocks to the right make room.
fn places(
    document: &Document,
    task: &Name,
    block: &BlockId,
    called: &Called,
    ids: &BTreeMap<&BlockId, BlockId>,
    new: &BTreeSet<BlockId>,
) -> Vec<(BlockId, Point)> {
    let layout = &document.layout;
    let at = layout.block(task, block);
    let inner = ids.iter().filter(|(_, copy)| new.contains(*copy));
    let inner: Vec<(&BlockId, Point)> = inner
        .map(|(id, copy)| (copy, layout.block(&called.name, id)))
        .collect();
    let least = |part: fn(&Point) -> i32| inner.iter().map(|(_, p)| part(p)).min().unwrap_or(0);
    let (left, top) = (least(|p| p.x), least(|p| p.y));
    let width = inner.iter().map(|(_, p)| p.x.saturating_sub(left)).max();
    let mut places: Vec<(BlockId, Point)> = vec![];
    for (copy, p) in &inner {
        let x = p.x.saturating_sub(left).saturating_add(at.x);
        let y = p.y.saturating_sub(top).saturating_add(at.y);
        places.push(((*copy).clone(), Point { x, y }));
    }
    // Guards, one below the other.
    let placed = set_of(places.iter().map(|(id, _)| id.clone()));
    for (n, id) in (1..).zip(new.difference(&placed)) {
        let y = at.y.saturating_sub(120 * n);
        places.push((id.clone(), Point { x: at.x, y }));
    }
    if let Some(outer) = document.compound_tasks.get(task) {
        for id in outer.method.blocks.keys().filter(|id| *id != block) {
            let p = layout.block(task, id);
            if p.x > at.x {
                let x = p.x.saturating_add(width.unwrap_or(0));
                places.push((id.clone(), Point { x, y: p.y }));
            }
        }
    }
    places
}
