//! The parts that were copied on this page. They follow renames in their document, so that pasted blocks still refer to
//! the same records.

use leptos::prelude::*;
use taskloom_document::{Clip, ClipError, Document, Edit, Kind, Name, RecordRef};

use super::Session;
use super::documents::OpenedDocument;
use super::follow::successor;

/// A clip that was copied on this page.
#[derive(Clone)]
pub struct Copied {
    /// The clip, with the names that its document has now.
    clip: Clip,
    /// The text in the clipboard.
    text: String,
    document: OpenedDocument,
    /// `true` until another application may have copied something.
    is_newest: bool,
    /// `true` if a rename couldn't be followed.
    is_lost: bool,
}

/// A clip to be pasted.
pub struct Clipboard {
    /// The clip.
    pub clip: Clip,
    /// `false` if records that it names may have been renamed in the open document since it was copied.
    pub is_current: bool,
}

impl Session {
    /// Remembers what was copied from the open document. Returns the text for the clipboard.
    pub fn note_copied(&self, clip: Clip) -> String {
        let clip = clip.with_source(&self.entry().id);
        let text = clip.to_text();
        self.desk.copied.set_value(Some(Copied {
            clip,
            text: text.clone(),
            document: self.opened_document(),
            is_newest: true,
            is_lost: false,
        }));
        text
    }

    /// Notes that another application, or a text field, may have copied something.
    pub fn doubt_copied(&self) {
        self.desk.copied.update_value(|copied| {
            if let Some(copied) = copied {
                copied.is_newest = false;
            }
        });
    }

    /// Returns what was copied on this page, unless something else may have been copied since.
    pub fn newest_copied(&self) -> Option<Clipboard> {
        let copied = self.desk.copied.get_value();
        Some(self.clipboard(copied.filter(|copied| copied.is_newest)?))
    }

    /// Returns what a text of the clipboard holds.
    ///
    /// # Errors
    /// Returns an error if it isn't a clip.
    pub fn read_clipboard(&self, text: &str) -> Result<Clipboard, ClipError> {
        // Windows changes the ends of lines.
        let lines = |text: &str| text.replace('\r', "");
        let copied = self.desk.copied.get_value();
        if let Some(copied) = copied.filter(|copied| lines(&copied.text) == lines(text)) {
            return Ok(self.clipboard(copied));
        }
        let clip = Clip::from_text(text)?;
        let is_current = clip.source() != Some(self.entry().id.as_str());
        Ok(Clipboard { clip, is_current })
    }

    fn clipboard(&self, copied: Copied) -> Clipboard {
        let is_followed = self.is_open(copied.document) && !copied.is_lost;
        let is_of_another = copied.clip.source() != Some(self.entry().id.as_str());
        Clipboard {
            is_current: is_followed || is_of_another,
            clip: copied.clip,
        }
    }

    /// Follows the renames in an edit.
    pub(super) fn follow_edit(&self, edit: &Edit) {
        match edit {
            Edit::Rename(record, to) => self.follow_rename(record, to),
            Edit::Batch(edits) => edits.iter().for_each(|edit| self.follow_edit(edit)),
            _ => {}
        }
    }

    /// Follows undo, redo and the like: a record whose name is gone is the only new one of its kind, if that is
    /// otherwise the same.
    pub(super) fn follow_step(&self, before: &Document, after: &Document) {
        for kind in Kind::ALL {
            let names = before.names(kind).into_iter();
            let records = names.map(|name| RecordRef::new(kind, name.clone()));
            let mut gone = records.filter(|record| !after.contains(record));
            let (Some(record), None) = (gone.next(), gone.next()) else {
                continue;
            };
            let Some(next) = successor(before, after, &record) else {
                continue;
            };
            let edit = Edit::Rename(record.clone(), next.name.clone());
            let renamed = before.apply(&edit);
            if renamed.is_ok_and(|renamed| renamed.get(&next) == after.get(&next)) {
                self.follow_rename(&record, &next.name);
            }
        }
    }

    fn follow_rename(&self, record: &RecordRef, to: &Name) {
        let open = self.opened_document();
        self.desk.copied.update_value(|copied| {
            let copied = copied.as_mut().filter(|copied| copied.document == open);
            if let Some(copied) = copied {
                copied.is_lost |= copied.clip.rename(record, to).is_err();
            }
        });
    }
}
