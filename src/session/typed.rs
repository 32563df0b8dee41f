//! Changes of one record of a known kind.

use std::sync::Arc;

use leptos::prelude::*;

use taskloom_document::{Edit, Name, RecordType};

use super::Session;
use super::open::DocumentState;

impl DocumentState {
    /// Returns a memo of one record of a known kind; `None` if it no longer exists.
    pub fn follow<R: RecordType>(&self, name: Name) -> Memo<Option<Arc<R>>> {
        let document = self.document;
        Memo::new_with_compare(
            move |_| document.with(|d| R::table(d).get(&name).cloned()),
            |before, now| match (
                before.and_then(Option::as_ref),
                now.and_then(Option::as_ref),
            ) {
                (Some(before), Some(now)) => !Arc::ptr_eq(before, now),
                (None, None) => before.is_none(),
                _ => true,
            },
        )
    }
}

impl Session {
    /// Changes a record as one undo step.
    pub fn change<R: RecordType>(&self, name: &Name, label: &str, change: impl FnOnce(&mut R)) {
        if let Some(edit) = self.replacing(name, change) {
            self.commit(label, edit);
        }
    }

    /// Works like [`Session::change`], but merges the change with the previous step if that had the
    /// same key.
    pub fn change_typing<R: RecordType>(
        &self,
        name: &Name,
        label: &str,
        key: &str,
        change: impl FnOnce(&mut R),
    ) {
        if let Some(edit) = self.replacing(name, change) {
            self.commit_typing(label, key, edit);
        }
    }

    fn replacing<R: RecordType>(&self, name: &Name, change: impl FnOnce(&mut R)) -> Option<Edit> {
        let document = self.document_untracked();
        let mut record = R::clone(R::table(&document).get(name)?);
        change(&mut record);
        Some(Edit::Replace(name.clone(), record.into_record()))
    }
}
