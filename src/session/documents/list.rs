//! The list of this browser's documents.

use leptos::prelude::*;
use taskloom::document::{Document, Info};

use crate::session::Session;
use crate::session::library::{Basis, Entry, Keep, Library, Origin, Text, left, lock_name};

/// A document of the list, and who has it open.
#[derive(Clone, PartialEq)]
pub struct Listed {
    /// The document's row.
    pub entry: Entry,
    /// Whether it is the open one.
    pub here: bool,
    /// Whether another tab has it open.
    pub elsewhere: bool,
}

/// Why there is nothing to open.
const GONE: &str = "it is not in this browser any more";

/// A document of the list, read.
pub(super) struct Stored {
    pub(super) origin: Origin,
    pub(super) document: Document,
    /// Whether its newest state is not stored yet.
    pub(super) is_unsaved: bool,
}

impl Session {
    /// All documents, the one that was changed last first; deleted ones as well.
    pub async fn list(&self) -> Result<Vec<Listed>, String> {
        let entries = self.library()?.list().await?;
        let open = self.entry();
        let held = self.platform().locks.held().await;
        let row = |entry: Entry| {
            let here = entry.id == open.id;
            Listed {
                elsewhere: !here && held.contains(&lock_name(&entry.id)),
                here,
                entry,
            }
        };
        Ok(entries.into_iter().map(row).collect())
    }

    /// Counts the changes of the list of documents, by whichever tab. Tracked.
    pub fn listed(&self) -> u32 {
        self.listed.get()
    }

    /// Returns `true` if the browser keeps the documents even when space is short; `None` where
    /// it doesn't tell, and the reason where it keeps none.
    pub async fn is_storage_persistent(&self) -> Result<Option<bool>, String> {
        self.library()?;
        Ok(self.platform().storage.is_persistent().await)
    }

    /// A document of the list as it is stored now, by whichever tab.
    pub(super) async fn kept(&self, id: &str) -> Result<Stored, String> {
        let library = self.library()?;
        let entry = library.entry(id).await;
        if entry.as_ref().is_some_and(|entry| entry.deleted.is_some()) {
            return Err("it was deleted".to_owned());
        }
        // This tab itself may only just be writing it.
        let owed = self.saver.with_value(|saver| saver.owed(id));
        let (origin, text, is_unsaved) = match owed {
            Some(owed) => (owed.origin(), owed.text, true),
            None => {
                let entry = entry.ok_or(GONE)?;
                let Text { text, is_left } = library.text(&entry).await.ok_or(GONE)?;
                (entry.into(), text, is_left)
            }
        };
        let document = Document::from_json(&text);
        Ok(Stored {
            document: document.map_err(|error| error.to_string())?,
            origin,
            is_unsaved,
        })
    }

    /// Changes a document of the list that no other tab has open: its text, its
    /// row, or both. Returns `false` where there is no such document any more.
    async fn change_kept(
        &self,
        id: &str,
        change: impl AsyncFnOnce(&Library, Entry) -> Result<bool, String>,
    ) -> Result<bool, String> {
        let library = self.library()?;
        // This tab itself may only just be letting go of it.
        let _lock = self
            .platform()
            .take_lock(&lock_name(id), 8, || {})
            .await
            .ok_or("it is open in another tab")?;
        let Some(entry) = library.entry(id).await else {
            return Ok(false);
        };
        if change(&library, entry).await? {
            return Ok(true);
        }
        Err("another tab has changed it; try again".to_owned())
    }

    /// Gives a document of the list another title.
    pub async fn rename_kept(&self, id: &str, title: String) -> Result<(), String> {
        if *id == self.entry().id {
            self.set_title(&title);
            self.seal();
            self.flush().await;
            return Ok(());
        }
        let platform = self.platform();
        let is_there = self.change_kept(id, async |library, mut entry| {
            let text = library.text(&entry).await.ok_or(GONE)?;
            let mut document =
                Document::from_json(&text.text).map_err(|error| error.to_string())?;
            document.info = titled(&document, title);
            let basis = Basis::of(&entry);
            entry.next(&document.info.title, platform.clock.now());
            let text = document.to_json();
            let written = library.write(&entry, &basis, &text, Keep::Nothing);
            let is_written = written.await?;
            if is_written {
                left::forget(&platform, &entry.id);
            }
            Ok(is_written)
        });
        is_there.await?.then_some(()).ok_or(GONE.to_owned())
    }

    /// Adds a copy of a document to the list.
    pub async fn duplicate_kept(&self, id: &str) -> Result<(), String> {
        let library = self.library()?;
        let mut document = if *id == self.entry().id {
            (*self.document_untracked()).clone()
        } else {
            self.kept(id).await?.document
        };
        let title = format!("{} (copy)", document.info.title);
        document.info = titled(&document, title.trim_start().to_owned());
        let platform = self.platform();
        let mut copy = Entry::fresh(&platform);
        copy.next(&document.info.title, platform.clock.now());
        let text = document.to_json();
        library.add(&copy, &text).await.map(drop)
    }

    /// Marks a document of the list as deleted. Where it is the open one, `instead` is opened,
    /// or an empty one.
    pub async fn delete_kept(&self, id: &str, instead: Option<String>) -> Result<(), String> {
        if *id == self.entry().id {
            let opening = self.begin_opening();
            self.flush().await;
            let next = match &instead {
                Some(instead) => self.kept(instead).await.ok(),
                None => None,
            };
            // Something else may have been opened meanwhile.
            if *id == self.entry().id && self.is_wanted(opening) {
                match next {
                    Some(kept) => self.open_read(kept),
                    None => self.open_document(Document::default()),
                }
            }
        }
        if *id == self.entry().id {
            return Ok(());
        }
        let now = self.platform().clock.now();
        self.mark_kept(id, Some(now)).await.map(drop)
    }

    /// Brings a document back that was marked as deleted.
    pub async fn undelete_kept(&self, id: &str) -> Result<(), String> {
        let is_there = self.mark_kept(id, None).await?;
        is_there.then_some(()).ok_or(GONE.to_owned())
    }

    async fn mark_kept(&self, id: &str, deleted: Option<f64>) -> Result<bool, String> {
        self.change_kept(id, async |library, mut entry| {
            entry.deleted = deleted;
            library.mark(&entry).await
        })
        .await
    }
}

fn titled(document: &Document, title: String) -> std::sync::Arc<Info> {
    let note = document.info.note.clone();
    std::sync::Arc::new(Info { title, note })
}
