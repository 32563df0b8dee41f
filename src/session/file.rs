//! The file on the disk that a document belongs to, and writing it without losing what other programs wrote there.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use taskloom_document::hash_of;

use super::Session;
use super::autosave::Input;
use crate::web::platform::{Handle, Stamp, Value};

/// The number of times that a file is tried if it is touched, but not changed, in the meantime.
const TRIES: u32 = 3;

/// The content of a file that was last read or written here.
#[derive(Debug, Clone, PartialEq)]
pub struct FileBasis {
    stamp: Stamp,
    hash: String,
}

impl FileBasis {
    /// Returns the basis of a document that has the text of its file.
    pub fn of(text: &str, stamp: Stamp) -> Self {
        Self {
            stamp,
            hash: hash_of(text),
        }
    }
}

/// A file that has a different content than the one last read or written here.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedFile {
    /// Its name.
    pub name: String,
    /// Its content when that was noticed.
    pub found: FileBasis,
}

/// A file, and the document that may be written to it.
#[derive(Clone)]
pub struct OpenFile {
    /// The file.
    pub handle: Handle,
    /// The id of the document's row. A copy has a different one, and is not written to the
    /// original's file.
    document_id: String,
    /// Shared by all clones: a save that waits has to know what the one before it wrote.
    basis: Rc<RefCell<FileBasis>>,
}

impl OpenFile {
    /// Creates the file of the document with this row.
    pub fn new(handle: Handle, document_id: String, basis: FileBasis) -> Self {
        Self {
            handle,
            document_id,
            basis: Rc::new(RefCell::new(basis)),
        }
    }

    /// Returns `true` if the document with this row may be written to it.
    pub fn is_of(&self, id: &str) -> bool {
        self.document_id == id
    }

    /// Returns it as it is stored beside the document.
    pub(super) fn value(&self) -> Value {
        let FileBasis { stamp, hash } = &*self.basis.borrow();
        Value::List(vec![
            Value::File(self.handle.clone()),
            Value::Number(stamp.modified),
            Value::Number(stamp.size),
            Value::Text(hash.clone()),
        ])
    }

    /// Returns the file that is stored beside the document with this row.
    pub(super) fn of_stored(value: &Value, document_id: &str) -> Option<Self> {
        let [handle, modified, size, hash] = value.list() else {
            return None;
        };
        let stamp = Stamp {
            modified: modified.number()?,
            size: size.number()?,
        };
        let hash = hash.text()?.to_owned();
        let basis = FileBasis { stamp, hash };
        Some(Self::new(
            handle.file()?.clone(),
            document_id.to_owned(),
            basis,
        ))
    }

    /// Writes a text, unless another program has changed the file since the basis: then writes nothing and returns what
    /// was found.
    ///
    /// # Errors
    /// Returns the reason why the file can't be written.
    pub async fn write(
        &self,
        text: &str,
        overwritten: Option<FileBasis>,
    ) -> Result<Option<FileBasis>, String> {
        let mut basis = overwritten.unwrap_or_else(|| self.basis.borrow().clone());
        for _ in 0..TRIES {
            let written = self
                .handle
                .write(text.to_owned(), Some(basis.stamp))
                .await?;
            if let Some(stamp) = written {
                self.basis.replace(FileBasis::of(text, stamp));
                return Ok(None);
            }
            let (found, stamp) = self.handle.read().await?;
            let found = FileBasis::of(&found, stamp);
            if found.hash == hash_of(text) {
                self.basis.replace(found);
                return Ok(None);
            }
            if found.hash != basis.hash {
                return Ok(Some(found));
            }
            basis = found;
        }
        Ok(Some(basis))
    }
}

impl Session {
    /// Returns the file that the open document is saved to without asking.
    pub fn file(&self) -> Option<OpenFile> {
        let id = self.entry().id;
        self.open
            .content
            .with_value(|open| open.file.clone().filter(|file| file.is_of(&id)))
    }

    /// Sets the file that the open document was read from or written to. It is stored with the document.
    pub fn set_file(&self, file: OpenFile) {
        self.open.content.update_value(|open| {
            open.file = Some(file);
            open.is_file_new = true;
        });
        self.notify_saver(Input::FileSet);
        // A page that is closed after saving must know later what it has written.
        self.notify_saver(Input::Flush);
    }

    /// Asks what to do about a file that another program has changed.
    pub fn ask_about_file(&self, changed: ChangedFile) {
        self.desk.boxes.changed_file.set(Some(changed));
    }

    /// Closes the question about the changed file.
    pub fn end_file_question(&self) {
        self.desk.boxes.changed_file.set(None);
    }
}
