//! The list of documents in this browser.

use leptos::prelude::*;
use taskloom_document::{Document, History, Info};

use crate::session::library::{
    Basis, Content, Entry, Keep, Library, Newest, Origin, left, lock_name,
};
use crate::session::{OpenFile, Session, open};
use crate::web::platform::Value;

/// A document in the list, and which tab has it open.
#[derive(Clone, PartialEq)]
pub struct Listed {
    /// The document's row.
    pub entry: Entry,
    /// `true` if it is the open document.
    pub here: bool,
    /// `true` if another tab has it open.
    pub elsewhere: bool,
}

/// The reason why there is nothing to open.
const GONE: &str = "it is no longer in this browser";

/// A loaded document from the list.
pub(super) struct Stored {
    pub(super) origin: Origin,
    /// The document, with its undo history.
    pub(super) history: History,
    /// The image below its map, if that isn't stored yet.
    pub(super) image: Option<Option<Value>>,
    /// The file that it belongs to.
    pub(super) file: Option<OpenFile>,
    /// `true` if its newest state isn't stored yet.
    pub(super) is_unsaved: bool,
}

impl Session {
    /// Returns all documents, including deleted ones, the most recently changed first.
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

    /// Returns the number of changes to the list of documents, by any tab. Tracked.
    pub fn listed(&self) -> u32 {
        self.storage.listed.get()
    }

    /// Returns `true` if the browser keeps the documents even when space is short, `None` if it
    /// doesn't say, and the reason if it stores none.
    pub async fn is_storage_persistent(&self) -> Result<Option<bool>, String> {
        self.library()?;
        Ok(self.platform().storage.is_persistent().await)
    }

    /// Returns a document from the list in its stored state, whichever tab wrote it.
    pub(super) async fn kept(&self, id: &str) -> Result<Stored, String> {
        let library = self.library()?;
        let entry = library.entry(id).await;
        if entry.as_ref().is_some_and(|entry| entry.deleted.is_some()) {
            return Err("it was deleted".to_owned());
        }
        // This tab may be writing it right now.
        let pending = self.storage.saver.with_value(|saver| saver.pending(id));
        let (origin, newest, is_unsaved) = match pending {
            Some(pending) => {
                let (origin, content) = (pending.origin(), pending.content);
                let left = None;
                (origin, Newest { content, left }, true)
            }
            None => {
                let entry = entry.ok_or(GONE)?;
                let newest = library.newest(&entry).await.ok_or(GONE)?;
                let is_left = newest.left.is_some();
                (entry.into(), newest, is_left)
            }
        };
        let file = match &newest.content.file {
            Some(file) => file.clone(),
            None => library.file(id).await,
        };
        Ok(Stored {
            file: file.and_then(|file| OpenFile::of_stored(&file, id)),
            history: open::history_of(&newest)?,
            image: newest.content.image,
            origin,
            is_unsaved,
        })
    }

    /// Changes the text, the row, or both, of a document that no other tab has open. Returns
    /// `false` if the document no longer exists.
    async fn change_kept(
        &self,
        id: &str,
        change: impl AsyncFnOnce(&Library, Entry) -> Result<bool, String>,
    ) -> Result<bool, String> {
        let library = self.library()?;
        // This tab may be releasing it right now.
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

    /// Renames a document in the list.
    pub async fn rename_kept(&self, id: &str, title: String) -> Result<(), String> {
        if *id == self.entry().id {
            self.set_title(&title);
            self.open.seal();
            self.flush().await;
            return Ok(());
        }
        let platform = self.platform();
        let is_there = self.change_kept(id, async |library, mut entry| {
            // The page may leave another text in the meantime.
            let left = left::own(&platform, &entry.id);
            let newest = library.newest(&entry).await.ok_or(GONE)?;
            let mut history = open::history_of(&newest)?;
            let mut renamed = (**history.current()).clone();
            renamed.info = titled(&renamed, title);
            let basis = Basis::of(&entry);
            let (now, page_id) = (platform.clock.now(), platform.page.id());
            entry.next(&renamed.info.title, now, &page_id);
            history.commit("Change the title", renamed);
            let (text, history) = history.store();
            let content = Content {
                history,
                ..Content::of(text)
            };
            let written = library.write(&entry, &basis, &content, Keep::Nothing);
            let is_written = written.await?;
            if is_written {
                left::forget_unless_changed(&platform, &entry.id, left.as_deref());
            }
            Ok(is_written)
        });
        is_there.await?.then_some(()).ok_or(GONE.to_owned())
    }

    /// Adds a copy of a document to the list.
    pub async fn duplicate_kept(&self, id: &str) -> Result<(), String> {
        let library = self.library()?;
        let (mut document, image) = if *id == self.entry().id {
            let document = (*self.document_untracked()).clone();
            (document, self.open.image())
        } else {
            let kept = self.kept(id).await?;
            ((**kept.history.current()).clone(), kept.image)
        };
        let image = match image {
            Some(image) => image,
            None => library.image(id).await?,
        };
        let title = format!("{} (copy)", document.info.title);
        document.info = titled(&document, title.trim_start().to_owned());
        let platform = self.platform();
        let mut copy = Entry::fresh(&platform);
        let (now, page_id) = (platform.clock.now(), platform.page.id());
        copy.next(&document.info.title, now, &page_id);
        let content = Content {
            image: Some(image),
            ..Content::of(document.to_json())
        };
        library.add(&copy, &content).await.map(drop)
    }

    /// Marks a document as deleted. If it is the open one, opens `instead`, or an empty document.
    pub async fn delete_kept(&self, id: &str, instead: Option<String>) -> Result<(), String> {
        if *id == self.entry().id {
            let opening = self.begin_opening();
            self.flush().await;
            let next = match &instead {
                Some(instead) => self.kept(instead).await.ok(),
                None => None,
            };
            // Something else may have been opened in the meantime.
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

    /// Restores a document that was marked as deleted.
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
