//! Edits, undo and redo.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Document, Edit, History, Info, Kind, Name, Record, RecordRef, Wire};

use super::autosave::Input;
use super::{Offer, Selection, Session, Toast, View, addition, follow};

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

    /// Ends a series of [`Session::commit_typing`], as when a field loses the focus.
    pub fn seal(&self) {
        self.open.update_value(|open| open.history.seal());
    }

    fn commit_with(&self, edit: Edit, step: impl FnOnce(&mut History, Document)) -> bool {
        let before = self.document_untracked();
        match before.apply(&edit) {
            Ok(after) if after == *before => true,
            Ok(after) => {
                self.open
                    .update_value(|open| step(&mut open.history, after));
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
        let moved = self.open.try_update_value(|open| step(&mut open.history));
        if moved == Some(true) {
            self.show_current(&before);
        }
    }

    /// Updates the signals to the history's current document.
    fn show_current(&self, before: &Document) {
        let after = self.open.with_value(|open| open.history.current().clone());
        self.withdraw_undo();
        self.follow_names(before, &after);
        self.document.set(after);
        self.show_labels();
        self.saver.with_value(|saver| saver.handle(Input::Edited));
    }

    /// Keeps view, scenario and selection on the same records after a rename, and drops records
    /// that no longer exist.
    pub(super) fn follow_names(&self, before: &Document, after: &Document) {
        let find = |record: &RecordRef| follow::successor(before, after, record);
        if let View::Method(task) = self.view.get_untracked() {
            let record = RecordRef::new(Kind::CompoundTask, task.clone());
            match find(&record) {
                Some(found) if found.name.same_spelling(&task) => {}
                Some(found) => self.set_view.set(View::Method(found.name)),
                None => self.set_view.set(View::Board),
            }
        }
        let trail = self.trail.get_untracked();
        let follow = |task: &Name| {
            let record = RecordRef::new(Kind::CompoundTask, task.clone());
            find(&record).map(|record| record.name)
        };
        // A deleted task also removes those that were entered from it.
        let followed: Vec<Name> = trail.iter().map_while(follow).collect();
        let is_same = followed.len() == trail.len()
            && followed.iter().zip(&trail).all(|(a, b)| a.same_spelling(b));
        if !is_same {
            self.trail.set(followed);
        }
        let scenario = self.scenario.get_untracked();
        let next = match &scenario {
            Some(name) => find(&RecordRef::new(Kind::Scenario, name.clone())).map(|r| r.name),
            None => None,
        };
        if next.is_none() {
            self.drop_interventions();
        }
        let next = next.or_else(|| after.scenarios.keys().next().cloned());
        if next != scenario {
            self.scenario.set(next);
        }
        let selection = self.selection.get_untracked();
        let mut kept = Selection {
            records: BTreeSet::from_iter(selection.records.iter().filter_map(find)),
            ..selection.clone()
        };
        let view = self.view.get_untracked();
        let sheet = match &view {
            View::Method(task) => Some(task),
            View::Board => None,
        };
        let frames = after.layout.frames(sheet);
        kept.frames.retain(|frame| frames.contains_key(frame));
        if let View::Method(task) = view {
            let method = after.compound_tasks.get(&task).map(|t| &t.method);
            kept.blocks
                .retain(|b| method.is_some_and(|m| m.blocks.contains_key(b)));
            kept.wires
                .retain(|w| method.is_some_and(|m| m.wires.contains(w)));
            let bends = &after.layout.drawing(&task).bends;
            let points = |wire: &Wire| bends.get(wire).map_or(0, Vec::len);
            kept.bends.retain(|(wire, number)| *number < points(wire));
        } else {
            kept.blocks.clear();
            kept.wires.clear();
            kept.bends.clear();
        }
        let respelled = !kept
            .records
            .iter()
            .zip(&selection.records)
            .all(|(a, b)| a.name.same_spelling(&b.name));
        if kept != selection || respelled {
            self.selection.set(kept);
        }
    }

    /// Goes to the state of the history at a position.
    pub fn go_to(&self, position: usize) {
        self.step(|history| history.go_to(position));
    }

    /// Returns the labels of all states, oldest first, and the index of the current one. Tracked.
    pub fn steps(&self) -> (Vec<String>, usize) {
        self.document.track();
        self.open.with_value(|open| {
            let history = &open.history;
            let labels = history.labels().map(str::to_owned).collect();
            (labels, history.position())
        })
    }

    /// Replaces the open document's content as one undo step.
    pub(super) fn replace(&self, label: &str, document: Document) {
        let before = self.document_untracked();
        if document != *before {
            self.open
                .update_value(|open| open.history.commit(label, document));
            self.show_current(&before);
        }
    }

    pub(super) fn show_labels(&self) {
        let labels = self.open.with_value(|open| {
            let history = &open.history;
            let undo = history.undo_label().map(str::to_owned);
            (undo, history.redo_label().map(str::to_owned))
        });
        if self.labels.with_untracked(|l| *l != labels) {
            self.labels.set(labels);
        }
    }

    /// Adds a record under an unused name, selects it and starts renaming it.
    pub fn add(&self, base: &str, record: Record) -> Option<RecordRef> {
        let kind = record.kind();
        let name = self.document_untracked().fresh_name(kind, base);
        let label = format!("Add {} {name}", kind.label());
        let edit = addition(name.clone(), record, self.fresh_block_id());
        if !self.commit_typing(&label, &first_name_key(kind, &name), edit) {
            return None;
        }
        let added = RecordRef::new(kind, name);
        self.select(added.clone());
        if kind == Kind::Scenario {
            self.drop_interventions();
            self.scenario.set(Some(added.name.clone()));
        }
        self.renaming.set(Some(added.clone()));
        Some(added)
    }

    /// Renames a record and all its uses. Returns the reason if that fails.
    pub fn rename(&self, record: &RecordRef, to: &str) -> Result<(), String> {
        let name = Name::new(to.trim()).map_err(|e| e.to_string())?;
        if name.same_spelling(&record.name) {
            return Ok(());
        }
        let edit = Edit::Rename(record.clone(), name.clone());
        self.document_untracked()
            .apply(&edit)
            .map_err(|e| e.message)?;
        let key = first_name_key(record.kind, &record.name);
        let is_new = self.open.with_value(|open| open.history.merges(&key));
        let label = match is_new {
            true => format!("Add {} {name}", record.kind.label()),
            false => format!("Rename {} to {name}", record.name),
        };
        // The first name typed for a new record is part of adding it; a later rename is a separate
        // step.
        self.commit_typing(&label, &key, edit);
        self.seal();
        Ok(())
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

    /// Shows an error message.
    pub fn complain(&self, text: impl Into<String>) {
        self.toast(text.into(), true, None);
    }

    /// Shows a message for a few seconds.
    pub fn toast(&self, text: String, failed: bool, offer: Option<Offer>) {
        // Never reused: the timer of one message must not close another.
        let id = self.next_toast_id.get_value();
        self.next_toast_id.set_value(id + 1);
        let toast = Toast::new(id, &text, failed, offer);
        self.toasts.update(|toasts| {
            toasts
                .retain(|t| t.text != toast.text && (t.offer.is_none() || t.offer != toast.offer));
            toasts.push(toast);
            if toasts.len() > 3 {
                toasts.remove(0);
            }
        });
        let toasts = self.toasts;
        let seconds = if failed { 12 } else { 8 };
        let end = move || {
            toasts.try_update(|t| t.retain(|t| t.id != id));
        };
        let clock = self.platform.with_value(|platform| platform.clock.clone());
        clock.after(seconds * 1000, Box::new(end));
    }

    /// Withdraws the Undo offers of messages: the document has changed, so the step they refer to
    /// is no longer the last one.
    fn withdraw_undo(&self) {
        let offers = |toast: &Toast| toast.offer == Some(Offer::Undo);
        if self.toasts.with_untracked(|all| all.iter().any(offers)) {
            self.toasts.update(|all| {
                for toast in all.iter_mut().filter(|toast| offers(toast)) {
                    toast.offer = None;
                }
            });
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
