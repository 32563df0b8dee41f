//! Retargets random edits to existing names: edits of nonexistent names are refused, and most
//! random edits would be.

use taskloom_document::{Block, CompoundTask, Document, Edit, Kind, Name, RecordRef};

fn pick<T>(items: Vec<T>, number: usize) -> Option<T> {
    let place = number.checked_rem(items.len())?;
    items.into_iter().nth(place)
}

/// Returns the edit with its target replaced by an existing one, chosen by a number; unchanged if
/// the document has nothing of the kind.
pub fn aim(edit: &Edit, document: &Document, number: usize) -> Edit {
    aimed(edit, document, number).unwrap_or_else(|| edit.clone())
}

fn aimed(edit: &Edit, document: &Document, number: usize) -> Option<Edit> {
    let record = || pick(document.records().collect(), number);
    let text = || pick(document.texts(), number);
    Some(match edit {
        Edit::Replace(_, value) => {
            let name = pick(document.names(value.kind()), number)?;
            Edit::Replace(name.clone(), value.clone())
        }
        Edit::Remove(_) => Edit::Remove(record()?),
        Edit::RemoveWithUses(_) => Edit::RemoveWithUses(record()?),
        Edit::Rename(_, to) => Edit::Rename(record()?, to.clone()),
        Edit::RenameVariable(_, _, to) => {
            let (record, from) = pick(variables(document), number)?;
            Edit::RenameVariable(record, from, to.clone())
        }
        Edit::SetText(_, _, new) => {
            let text = text()?;
            Edit::SetText(text.record, text.field, new.clone())
        }
        Edit::InsertText(_, _, new) => {
            let text = text()?;
            Edit::InsertText(text.record, text.field, new.clone())
        }
        Edit::RemoveText(..) => {
            let text = text()?;
            Edit::RemoveText(text.record, text.field)
        }
        Edit::MoveCards(moves) => {
            let moves = moves.iter().map(|(_, to)| Some((record()?, *to)));
            Edit::MoveCards(moves.collect::<Option<_>>()?)
        }
        Edit::CollapseCards(records, on) => {
            let records = records.iter().map(|_| record());
            Edit::CollapseCards(records.collect::<Option<_>>()?, *on)
        }
        Edit::ChooseMap(_) => {
            Edit::ChooseMap(pick(document.facts.keys().cloned().collect(), number))
        }
        Edit::MovePlaces(moves) => {
            let objects: Vec<_> = document.objects.keys().cloned().collect();
            let moves = moves
                .iter()
                .map(|(_, to)| Some((pick(objects.clone(), number)?, *to)));
            Edit::MovePlaces(moves.collect::<Option<_>>()?)
        }
        Edit::SetFrame(sheet, id, frame) => {
            let tasks = document.compound_tasks.keys().cloned().collect();
            let sheet = sheet.as_ref().and_then(|_| pick(tasks, number));
            let known = document.layout.frames(sheet.as_ref()).keys().cloned();
            let known = pick(known.collect(), number / 3).filter(|_| frame.is_none());
            Edit::SetFrame(sheet, known.unwrap_or_else(|| id.clone()), frame.clone())
        }
        Edit::Batch(edits) => {
            let edits = edits.iter().map(|edit| aim(edit, document, number));
            Edit::Batch(edits.collect())
        }
        Edit::SetInfo(_) | Edit::Add(..) => return None,
        chart_edit => {
            let (name, task) = pick(document.compound_tasks.iter().collect(), number)?;
            return aimed_at_chart(chart_edit, name, task, number / 3);
        }
    })
}

fn aimed_at_chart(edit: &Edit, name: &Name, task: &CompoundTask, number: usize) -> Option<Edit> {
    let name = name.clone();
    let block = |number| pick(task.method.blocks.keys().cloned().collect(), number);
    Some(match edit {
        Edit::AddBlock { id, block, at, .. } => Edit::AddBlock {
            task: name,
            id: id.clone(),
            block: block.clone(),
            at: *at,
        },
        Edit::SetBlock(_, _, value) => Edit::SetBlock(name, block(number)?, value.clone()),
        Edit::RemoveBlocks(..) => Edit::RemoveBlocks(name, vec![block(number)?]),
        Edit::MoveBlocks(_, moves) => {
            let moves = moves.iter().map(|(_, to)| Some((block(number)?, *to)));
            Edit::MoveBlocks(name, moves.collect::<Option<_>>()?)
        }
        Edit::Connect(_, wire) => {
            let mut wire = wire.clone();
            wire.from = block(number)?;
            wire.to = block(number / 7)?;
            let ports = task
                .method
                .blocks
                .get(&wire.from)
                .map(|block| Block::ports(block));
            wire.port = pick(ports?, number)?;
            Edit::Connect(name, wire)
        }
        Edit::Disconnect(..) => Edit::Disconnect(name, pick(task.method.wires.clone(), number)?),
        Edit::Mute(_, ids, on) => {
            let ids = ids.iter().map(|_| block(number));
            Edit::Mute(name, ids.collect::<Option<_>>()?, *on)
        }
        Edit::Collapse(_, ids, on) => {
            let ids = ids.iter().map(|_| block(number));
            Edit::Collapse(name, ids.collect::<Option<_>>()?, *on)
        }
        Edit::Bend(_, _, points) => {
            let wire = pick(task.method.wires.clone(), number)?;
            Edit::Bend(name, wire, points.clone())
        }
        _ => return None,
    })
}

fn variables(document: &Document) -> Vec<(RecordRef, Name)> {
    let mut found = vec![];
    for record in document.records() {
        let view = document.view(&record);
        for param in view.map(|view| view.params()).unwrap_or_default() {
            found.push((record.clone(), param.name.clone()));
        }
    }
    for (name, task) in &document.compound_tasks {
        for block in task.method.blocks.values() {
            if let Block::Bind { variable, .. } = &**block {
                let record = RecordRef::new(Kind::CompoundTask, name.clone());
                found.push((record, variable.name.clone()));
            }
        }
    }
    found
}
