//! Applies edits to a document.

use std::sync::Arc;

use super::edit::Edit;
use super::edit_error::EditError;
use super::invariants::check_not_reserved;
use super::point::Point;
use super::record::{Kind, Record, RecordRef};
use super::wire::Wire;
use super::{Document, Name};

impl Document {
    /// Returns the document after an edit. It shares with this one every record that the edit did
    /// not change.
    ///
    /// # Errors
    /// Returns a sentence for the designer if the edit cannot be applied as a whole.
    pub fn apply(&self, edit: &Edit) -> Result<Self, EditError> {
        let mut next = self.clone();
        let edits = edit.single_edits();
        for run in edits.chunk_by(|edit, other| edit.continues_with(other)) {
            next.apply_run(run)?;
        }
        debug_assert!(
            next.invariants().is_ok() || self.invariants().is_err(),
            "{edit:?} broke the document: {:?}",
            next.invariants()
        );
        Ok(next)
    }

    /// Applies consecutive edits that [continue](Edit::continues_with) each other.
    fn apply_run<'e>(&mut self, run: &[&'e Edit]) -> Result<(), EditError> {
        let Some((edit, _)) = run.split_first() else {
            return Ok(());
        };
        match edit {
            Edit::SetInfo(info) => {
                self.info = Arc::new(info.clone());
                Ok(())
            }
            Edit::Add(name, record) => self.add(name, record),
            Edit::Replace(name, record) => self.replace(name, record),
            Edit::Remove(record) => self.remove(record),
            Edit::RemoveWithUses(_) => {
                let record = |edit: &&Edit| match edit {
                    Edit::RemoveWithUses(record) => Some(record.clone()),
                    _ => None,
                };
                self.remove_with_uses(&Vec::from_iter(run.iter().filter_map(record)))
            }
            Edit::Rename(record, name) => self.rename(&[(record.clone(), name.clone())]),
            Edit::RenameVariable(record, from, to) => self.rename_variable(record, from, to),
            Edit::SetText(record, field, text) => {
                self.change(record, |record| match record.text_mut(field) {
                    Some(known) => {
                        text.clone_into(known);
                        true
                    }
                    None => record.append_text(field, text),
                })
            }
            Edit::InsertText(record, field, text) => {
                self.change(record, |record| record.insert_text(field, text))
            }
            Edit::ReplaceText(record, field, part, text) => self.change(record, |record| {
                let known = record.text_mut(field);
                let known = known.filter(|known| known.get(part.range()).is_some());
                known
                    .map(|known| known.replace_range(part.range(), text))
                    .is_some()
            }),
            Edit::SetName(record, field, name) => self.change(record, |record| {
                let known = record.name_mut(field);
                known.map(|known| *known = name.clone()).is_some()
            }),
            Edit::RemoveText(record, field) => {
                self.change(record, |record| record.remove_entry(field))
            }
            Edit::AddBlock {
                task,
                id,
                block,
                at,
            } => self.add_block(task, id, block, *at),
            Edit::SetBlock(task, id, block) => self.set_block(task, id, block),
            Edit::RemoveBlocks(task, ids) => self.remove_blocks(task, ids),
            Edit::Connect(task, _) => self.connect(task, &wires(run)),
            Edit::Disconnect(task, _) => self.disconnect(task, &wires(run)),
            Edit::MoveBlocks(task, moves) => self.move_blocks(task, moves),
            Edit::MoveCards(moves) => self.move_cards(moves),
            Edit::Mute(task, ids, on) => self.mute(task, ids, *on),
            Edit::Collapse(task, ids, on) => self.collapse(task, ids, *on),
            Edit::CollapseCards(records, on) => self.collapse_cards(records, *on),
            Edit::SetFrame(sheet, id, frame) => self.set_frame(sheet.as_ref(), id, frame.as_ref()),
            Edit::Bend(task, ..) => {
                let bend = |edit: &'e Edit| match edit {
                    Edit::Bend(_, wire, points) => Some((wire, points.as_slice())),
                    _ => None,
                };
                self.bend(task, run.iter().copied().filter_map(bend))
            }
            Edit::ChooseMap(fact) => self.choose_map(fact.as_ref()),
            Edit::ChooseAxes(axes) => self.choose_axes(axes.as_ref()),
            Edit::MovePlaces(moves) => self.move_places(moves),
            Edit::Batch(_) => {
                let edits = edit.single_edits();
                edits.iter().try_for_each(|edit| self.apply_run(&[edit]))
            }
        }
    }

    fn add(&mut self, name: &Name, record: &Record) -> Result<(), EditError> {
        let reference = RecordRef::new(record.kind(), name.clone());
        self.check_name_is_free(&reference)?;
        record.view().invariants().map_err(EditError::new)?;
        self.put(name.clone(), record.clone());
        Ok(())
    }

    /// Checks that a record may have this name.
    pub(super) fn check_name_is_free(&self, record: &RecordRef) -> Result<(), EditError> {
        check_not_reserved(record).map_err(EditError::new)?;
        match self.named(record.kind, &record.name) {
            None => Ok(()),
            Some(other) => Err(EditError::new(format!(
                "there is already a {} '{}'",
                other.kind.label(),
                other.name
            ))),
        }
    }

    fn replace(&mut self, name: &Name, record: &Record) -> Result<(), EditError> {
        self.exists(&RecordRef::new(record.kind(), name.clone()))?;
        record.view().invariants().map_err(EditError::new)?;
        self.put(name.clone(), record.clone());
        match record.kind() {
            Kind::CompoundTask => self.prune_layout(),
            Kind::Scenario => self.prune_stage(),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn exists(&self, record: &RecordRef) -> Result<Record, EditError> {
        self.get(record).ok_or_else(|| {
            EditError::new(format!(
                "there is no {} '{}'",
                record.kind.label(),
                record.name
            ))
        })
    }

    pub(super) fn remove(&mut self, record: &RecordRef) -> Result<(), EditError> {
        self.exists(record)?;
        self.take(record);
        self.layout.forget(record);
        self.prune_stage();
        Ok(())
    }

    /// Changes a record; `change` returns `false` if it has no such entry.
    fn change(
        &mut self,
        reference: &RecordRef,
        change: impl FnOnce(&mut Record) -> bool,
    ) -> Result<(), EditError> {
        let mut record = self.exists(reference)?;
        if !change(&mut record) {
            return Err(EditError::new(format!(
                "the {} '{}' has no such entry",
                reference.kind.label(),
                reference.name
            )));
        }
        self.put(reference.name.clone(), record);
        Ok(())
    }

    fn move_cards(&mut self, moves: &[(RecordRef, Option<Point>)]) -> Result<(), EditError> {
        for (record, to) in moves {
            let spelled = self.spelled(record);
            let spelled = spelled
                .ok_or_else(|| EditError::new(format!("there is no card for {record} to move")))?;
            match to {
                Some(to) => drop(self.layout.board.insert(spelled, *to)),
                None => drop(self.layout.board.remove(record)),
            }
        }
        Ok(())
    }
}

/// Returns the wires of edits that each draw or remove one.
fn wires<'e>(run: &[&'e Edit]) -> Vec<&'e Wire> {
    let wire = |edit: &&'e Edit| match edit {
        Edit::Connect(_, wire) | Edit::Disconnect(_, wire) => Some(wire),
        _ => None,
    };
    run.iter().filter_map(wire).collect()
}
