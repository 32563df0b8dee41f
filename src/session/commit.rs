//! Edits, undo and redo.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Document, Edit, History, Info, Kind, Name, Record, RecordRef};

use super::autosave::Input;
use super::last_types::LastTypes;
use super::signature::Signature;
use super::{Deletion, Offer, Selection, Session, addition, follow};

/// The pause after which a series of edits by keys has ended, in milliseconds.
const SERIES: f64 = 1_000.0;

impl Session {
    /// Applies an edit as one undo step. If it is refused, a toast says why.
    pub fn commit(&self, label: &str, edit: Edit) -> bool {
        self.commit_with(edit, |history, document| history.commit(label, document))
    }

    /// Works like [`Session::commit`], but merges the edit with the previous step if that had the
    /// same key.
    pub fn commit_typing(&self, label: &str, key: &str, edit: Edit) -> bool {
        self.commit_with(edit, |history, document| {
            history.commit_merging(label, key, document);
        })
    }

    /// Works like [`Session::commit`], but merges the edit with the previous one of a series, such as moves by arrow
    /// keys: those of the same thing, without a pause or another selection in between.
    pub fn commit_in_series(&self, label: &str, key: &str, edit: Edit) -> bool {
        let now = self.platform().clock.now();
        let series = self.open.series;
        let goes_on = |(last, at): &(String, f64)| last == key && now - at <= SERIES;
        if !series.with_value(|series| series.as_ref().is_some_and(goes_on)) {
            self.open.seal();
        }
        let is_done = self.commit_typing(label, key, edit);
        series.set_value(Some((key.to_owned(), now)));
        is_done
    }

    fn commit_with(&self, edit: Edit, step: impl FnOnce(&mut History, Document)) -> bool {
        let before = self.document_untracked();
        match before.apply(&edit) {
            Ok(after) if after == *before => true,
            Ok(after) => {
                let learn = |last: &mut LastTypes| last.learn(&before, &edit);
                self.desk.last_types.update(learn);
                self.open
                    .content
                    .update_value(|open| step(&mut open.history, after));
                self.follow_edit(&edit);
                self.show_current(&before);
                true
            }
            Err(refusal) => {
                self.complain(refusal.message);
                false
            }
        }
    }

    /// Undoes the last step.
    pub fn undo(&self) {
        self.step(|history| history.undo().is_some());
    }

    /// Redoes the step that was undone last.
    pub fn redo(&self) {
        self.step(|history| history.redo().is_some());
    }

    fn step(&self, step: impl FnOnce(&mut History) -> bool) {
        let before = self.document_untracked();
        let moved = self
            .open
            .content
            .try_update_value(|open| step(&mut open.history));
        if moved == Some(true) {
            self.desk.messages.close_undone();
            self.show_current(&before);
            self.follow_step(&before, &self.document_untracked());
        } else {
            // A stored step that couldn't be read is no longer there.
            self.open.show_labels();
        }
    }

    /// Updates the signals to the history's current document.
    fn show_current(&self, before: &Document) {
        let after = self
            .open
            .content
            .with_value(|open| open.history.current().clone());
        self.desk.messages.withdraw_undo();
        self.follow_names(before, &after);
        self.open.document.set(after);
        self.open.show_labels();
        self.notify_saver(Input::Edited);
    }

    /// Keeps view, scenario and selection on the same records after a rename, and drops records
    /// that no longer exist.
    pub(super) fn follow_names(&self, before: &Document, after: &Document) {
        let find = |record: &RecordRef| follow::successor(before, after, record);
        self.open.follow_names(&find);
        let scenario = self.plan.scenario.get_untracked();
        let next = match &scenario {
            Some(name) => find(&RecordRef::new(Kind::Scenario, name.clone())).map(|r| r.name),
            None => None,
        };
        match (&scenario, &next) {
            (Some(from), Some(to)) if from != to => self.rename_scenario_of_log(from, to),
            (_, None) => self.plan.drop_interventions(),
            _ => {}
        }
        let next = next.or_else(|| after.scenarios.keys().next().cloned());
        if next != scenario {
            self.plan.scenario.set(next);
        }
        self.open.follow_selection(after, &find);
    }

    /// Goes to the state of the history at a position.
    pub fn go_to(&self, position: usize) {
        self.step(|history| history.go_to(position));
    }

    /// Replaces the open document's content as one undo step.
    pub(super) fn replace(&self, label: &str, document: Document) {
        let before = self.document_untracked();
        if document != *before {
            self.open
                .content
                .update_value(|open| open.history.commit(label, document));
            self.show_current(&before);
            self.follow_step(&before, &self.document_untracked());
        }
    }

    /// Returns the type of a new parameter.
    pub fn parameter_type(&self) -> Name {
        let document = self.document_untracked();
        let last = self.desk.last_types;
        last.with_untracked(|last| last.of_parameter(&document))
    }

    /// Adds a record under an unused name, selects it and starts renaming it.
    pub fn add(&self, base: &str, mut record: Record) -> Option<RecordRef> {
        let kind = record.kind();
        let document = self.document_untracked();
        if let Record::Object(object) = &mut record {
            let last = self.desk.last_types;
            Arc::make_mut(object).of = last.with_untracked(|last| last.of_object(&document));
        }
        let name = document.fresh_name(kind, base);
        let label = format!("Add {} {name}", kind.label());
        let edit = addition(name.clone(), record, self.fresh_block_id());
        if !self.commit_typing(&label, &first_name_key(kind, &name), edit) {
            return None;
        }
        let added = RecordRef::new(kind, name);
        self.select(added.clone());
        if kind == Kind::Scenario {
            self.plan.drop_interventions();
            self.plan.scenario.set(Some(added.name.clone()));
        }
        self.desk.begin_renaming(added.clone());
        Some(added)
    }

    /// Renames a record and all its uses. With parameters, as in `stocked(?i: item)`, it gets those
    /// as well. Returns the reason if that fails.
    pub fn rename(&self, record: &RecordRef, to: &str) -> Result<(), String> {
        let signature = Signature::parse(to)?;
        let name = signature.name.clone();
        let document = self.document_untracked();
        let edits = signature.edits(&document, record, &self.parameter_type())?;
        if edits.is_empty() {
            return Ok(());
        }
        let key = first_name_key(record.kind, &record.name);
        let label = match self.is_new(record) {
            true => format!("Add {} {name}", record.kind.label()),
            false if name.same_spelling(&record.name) => format!("Change parameters of {name}"),
            false => format!("Rename {} to {name}", record.name),
        };
        // The first name typed for a new record is part of adding it; a later rename is a separate
        // step.
        self.commit_typing(&label, &key, Edit::Batch(edits));
        self.open.seal();
        Ok(())
    }

    /// Returns `true` if adding a record was the last step, so that its first name belongs to it.
    pub fn is_new(&self, record: &RecordRef) -> bool {
        let key = first_name_key(record.kind, &record.name);
        self.open
            .content
            .with_value(|open| open.history.merges(&key))
    }

    /// Renames a variable of a record and all its uses. Returns the reason if that fails.
    pub fn rename_variable(&self, record: RecordRef, from: Name, to: &str) -> Result<(), String> {
        let name = Name::new(to.trim().trim_start_matches('?')).map_err(|e| e.to_string())?;
        if name.same_spelling(&from) {
            return Ok(());
        }
        let label = format!("Rename ?{from} of {} to ?{name}", record.name);
        let edit = Edit::RenameVariable(record, from, name);
        self.document_untracked()
            .apply(&edit)
            .map_err(|e| e.message)?;
        self.commit(&label, edit);
        Ok(())
    }

    /// Sets the document's title.
    pub fn set_title(&self, title: &str) {
        let info = Info {
            title: title.to_owned(),
            note: self.document_untracked().info.note.clone(),
        };
        self.commit_typing("Change the title", "title", Edit::SetInfo(info));
    }

    /// Shows the uses of the selected record. Returns `true` if exactly one is selected.
    pub fn show_uses(&self) -> bool {
        let record = self.open.selection.with_untracked(Selection::only_record);
        record.is_some_and(|record| {
            self.desk.show_uses(record);
            true
        })
    }

    /// Deletes records, in one step with other edits. If other records use them, the user is asked
    /// first.
    pub fn delete(&self, records: impl IntoIterator<Item = RecordRef>, extra_edits: Vec<Edit>) {
        let document = self.document_untracked();
        let deletion = Deletion::new(&document, records.into_iter().collect(), extra_edits);
        if deletion.uses.is_empty() {
            self.delete_with_uses(deletion);
        } else {
            self.desk.boxes.deleting.set(Some(deletion));
        }
    }

    /// Deletes records and all their uses, and offers to undo that.
    pub fn delete_with_uses(&self, deletion: Deletion) {
        self.desk.boxes.deleting.set(None);
        if deletion.records.is_empty() && deletion.extra_edits.is_empty() {
            return;
        }
        let (what, uses) = (deletion.words(), deletion.uses.len());
        let edits = deletion.records.into_iter().map(Edit::RemoveWithUses);
        let edits = edits.chain(deletion.extra_edits).collect();
        if self.commit(&format!("Delete {what}"), Edit::Batch(edits)) {
            let text = match uses {
                0 => format!("Deleted {what}."),
                1 => format!("Deleted {what} and its one use."),
                n => format!("Deleted {what} and its {n} uses."),
            };
            self.toast(text, Some(Offer::Undo));
        }
    }

    /// Returns the document as file text.
    pub fn file_text(&self) -> String {
        Arc::as_ref(&self.document_untracked()).to_json()
    }
}

/// Returns the key that merges adding a record with typing its first name into one undo step.
fn first_name_key(kind: Kind, name: &Name) -> String {
    format!("add {} {name}", kind.label())
}
