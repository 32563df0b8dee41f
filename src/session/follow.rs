//! Keeping what is shown and selected on the same records when the document changes.

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{Document, Kind, Name, RecordRef, Wire};

use super::open::DocumentState;
use super::{Selection, View};

/// Returns the record with the same name; if there is none and exactly one record of its kind is
/// new, returns that one, since it was renamed. Returns `None` if the record no longer exists.
pub fn successor(before: &Document, after: &Document, record: &RecordRef) -> Option<RecordRef> {
    if let Some(found) = after.spelled(record) {
        return Some(found);
    }
    let mut fresh = after
        .names(record.kind)
        .into_iter()
        .filter(|name| !before.contains(&RecordRef::new(record.kind, (*name).clone())));
    let (only, other) = (fresh.next()?, fresh.next());
    let gone = before
        .names(record.kind)
        .into_iter()
        .filter(|name| !after.contains(&RecordRef::new(record.kind, (*name).clone())))
        .count();
    (other.is_none() && gone == 1).then(|| RecordRef::new(record.kind, only.clone()))
}

impl DocumentState {
    /// Keeps the open canvas and the trail on the same methods; `find` returns a record's successor.
    pub(super) fn follow_names(&self, find: &impl Fn(&RecordRef) -> Option<RecordRef>) {
        let follow = |task: &Name| {
            let record = RecordRef::new(Kind::CompoundTask, task.clone());
            find(&record).map(|record| record.name)
        };
        if let View::Method(task) = self.view.get_untracked() {
            match follow(&task) {
                Some(found) if found.same_spelling(&task) => {}
                Some(found) => self.view.set(View::Method(found)),
                None => self.view.set(View::Board),
            }
        }
        let trail = self.trail.get_untracked();
        // A deleted task also removes those that were entered from it.
        let followed: Vec<Name> = trail.iter().map_while(follow).collect();
        let is_same = followed.len() == trail.len()
            && followed.iter().zip(&trail).all(|(a, b)| a.same_spelling(b));
        if !is_same {
            self.trail.set(followed);
        }
    }

    /// Keeps the selection on the same records and on what is still on the open canvas.
    pub(super) fn follow_selection(
        &self,
        after: &Document,
        find: &impl Fn(&RecordRef) -> Option<RecordRef>,
    ) {
        let selection = self.selection.get_untracked();
        let mut kept = Selection {
            records: set_of(selection.records.iter().filter_map(find)),
            ..selection.clone()
        };
        let view = self.view.get_untracked();
        let frames = after.layout.frames(view.method());
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
}
