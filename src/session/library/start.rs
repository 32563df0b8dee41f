//! The document that the editor starts with, and the maintenance done before that.

use taskloom_document::{Document, History};

use super::left::{Basis, Left};
use super::{Content, Entry, Keep, Library, Newest};
use crate::examples;
use crate::session::{OpenFile, open};
use crate::web::platform::{CAMERAS, FOLDED, PLACE, Platform};
use crate::worker::Answer;

/// The key of this tab's document, and of that of the most recently used tab.
const OPEN: &str = "taskloom.document";
/// The time during which a deleted document can be restored, in milliseconds.
const KEPT_DELETED: f64 = 30.0 * 24.0 * 3600.0 * 1000.0;

/// The state that the editor starts with.
pub struct Start {
    /// The document's row.
    pub entry: Entry,
    /// The document, with its undo history.
    pub history: History,
    /// The file that it belongs to.
    pub file: Option<OpenFile>,
    /// The planner's stored answers to it, if it is an example.
    pub answers: Vec<Answer>,
    /// `true` if the document's current state isn't stored.
    pub is_left: bool,
    /// `true` if no document was stored, so that this is an example.
    pub is_first: bool,
    /// The reason why the last document can't be opened.
    pub trouble: Option<String>,
    /// The documents in this browser, or the reason why there are none.
    pub library: Result<Library, String>,
}

impl Start {
    /// Starts with another document instead, and the planner's stored answers to it.
    pub fn show(&mut self, document: Document, answers: Vec<Answer>) {
        self.history = open::history(document, None);
        self.file = None;
        self.answers = answers;
    }
}

/// Remembers the document that this tab has open.
pub fn remember(platform: &Platform, id: &str) {
    platform.notes.set_of_tab(OPEN, id);
    // If storage is full, the next tab opens the most recently changed document.
    let _ = platform.notes.keep(OPEN, id);
}

/// Returns `true` if this browser has had a document open before.
pub fn is_returning(platform: &Platform) -> bool {
    remembered(platform).next().is_some()
}

fn remembered(platform: &Platform) -> impl Iterator<Item = String> {
    let notes = &platform.notes;
    [notes.of_tab(OPEN), notes.get(OPEN)].into_iter().flatten()
}

/// Returns the document that this tab, or the most recently used tab, had open, or the first
/// example if there is none. A document that can't be opened stays in the list.
pub async fn start(platform: &Platform) -> Start {
    let library = Library::open(platform).await;
    let newest = match &library {
        Ok(library) => last(library).await,
        Err(_) => remembered(platform).find_map(|id| {
            let left = Left::of(platform, &id, None)?;
            left.take(platform);
            let content = Content::of(left.text.clone());
            let left = Some(left.text);
            Some((Entry::new(id), Newest { content, left }))
        }),
    };
    let (opened, trouble) = match newest {
        None => (None, None),
        Some((entry, newest)) => match open::history_of(&newest) {
            Ok(history) => (Some((entry, history, newest.left.is_some())), None),
            Err(reason) => (None, Some(reason)),
        },
    };
    let is_first = opened.is_none() && trouble.is_none();
    let (entry, history, is_left) = match opened {
        Some(opened) => opened,
        None => {
            let history = open::history(examples::first(), None);
            (unstored(platform), history, false)
        }
    };
    let file = match &library {
        Ok(library) => library.file(&entry.id).await,
        Err(_) => None,
    };
    Start {
        file: file.and_then(|file| OpenFile::of_stored(&file, &entry.id)),
        entry,
        history,
        answers: vec![],
        is_left,
        is_first,
        trouble,
        library,
    }
}

/// Returns the row of an example that isn't stored. After a reload, the tab shows of it what it
/// showed of its earlier row, which may be about to be stored and so isn't used again.
fn unstored(platform: &Platform) -> Entry {
    let entry = Entry::fresh(platform);
    if let Some(before) = platform.notes.of_tab(OPEN) {
        for key in [PLACE, CAMERAS] {
            if let Some(text) = platform.notes.of_tab(key) {
                let text = text.replace(&before, &entry.id);
                platform.notes.set_of_tab(key, &text);
            }
        }
        if let Some(text) = platform.notes.get(FOLDED) {
            // If storage is full, nothing is folded.
            let text = text.replace(&before, &entry.id);
            let _ = platform.notes.keep(FOLDED, &text);
        }
    }
    entry
}

async fn last(library: &Library) -> Option<(Entry, Newest)> {
    // Anything that can't be done now is retried at the next start.
    let _ = library.settle().await;
    let mut entries = library.list().await.ok()?;
    entries.retain(|entry| entry.deleted.is_none());
    let mut remembered = remembered(&library.platform);
    let at = remembered.find_map(|id| entries.iter().position(|entry| entry.id == id));
    let entry = entries.get(at.unwrap_or(0))?.clone();
    let _ = library.settle_left_of_tab(&entries, &entry.id).await;
    let newest = library.newest(&entry).await?;
    Some((entry, newest))
}

impl Library {
    /// Migrates data of older versions of the editor, stores texts that pages left in local
    /// storage, and removes documents that were deleted long ago.
    async fn settle(&self) -> Result<(), String> {
        let entries = self.list().await?;
        let now = self.platform.clock.now();
        for entry in &entries {
            if entry.deleted.is_some_and(|time| now - time > KEPT_DELETED) {
                self.remove(entry).await?;
            }
        }
        let newest = self.settle_slots().await?;
        self.settle_oldest_left(newest).await?;
        for left in Left::all(&self.platform) {
            let entry = entries.iter().find(|entry| entry.id == left.id);
            // Somebody else has written that document since: both stay.
            let is_another = entry.is_some_and(|entry| left.is_another_version(entry));
            let is_stored = self.stored(&left.id).await.as_deref() == Some(&left.text);
            if is_stored {
                left.forget(&self.platform);
            } else if entry.is_none() || is_another {
                let id = match entry {
                    Some(_) => Entry::fresh(&self.platform).id,
                    None => left.id.clone(),
                };
                self.adopt(id, left.time(), &left.text).await?;
                left.forget(&self.platform);
            }
        }
        Ok(())
    }

    /// Stores texts that only the tab's storage has, and so would be lost with the tab, except for that of the document
    /// that is about to be opened: it becomes the unsaved text of that document.
    async fn settle_left_of_tab(&self, entries: &[Entry], opened: &str) -> Result<(), String> {
        for left in Left::all_of_tab(&self.platform) {
            let entry = entries.iter().find(|entry| entry.id == left.id);
            if left.id != opened && entry.is_some_and(|entry| left.follows(entry)) {
                let (id, time) = (left.id.clone(), left.time());
                self.adopt(id, time, &left.text).await?;
                left.forget(&self.platform);
            }
        }
        Ok(())
    }

    /// Migrates the oldest format, which stored a time and a text under the tab's name. Returns the
    /// newest of them.
    async fn settle_slots(&self) -> Result<Option<(f64, String)>, String> {
        let mut newest: Option<(f64, String)> = None;
        for key in self.database.keys("").await? {
            let old_slot = !key.contains('-');
            if !old_slot && !key.starts_with("unreadable-") {
                continue;
            }
            let value = self.database.get(&key).await?;
            if let Some([time, text]) = value.as_ref().map(|value| value.list())
                && let (Some(time), Some(text)) = (time.number(), text.text())
            {
                let id = if old_slot {
                    key.clone()
                } else {
                    Entry::fresh(&self.platform).id
                };
                self.adopt(id, time, text).await?;
                if old_slot && newest.as_ref().is_none_or(|(newest, _)| *newest < time) {
                    newest = Some((time, key.clone()));
                }
            }
            self.database.write(vec![(key, None)]).await?;
        }
        Ok(newest)
    }

    /// Migrates a text left by the oldest versions, which kept one for all documents: it belongs to
    /// the newest.
    async fn settle_oldest_left(&self, newest: Option<(f64, String)>) -> Result<(), String> {
        const OLDEST: &str = "taskloom.left";
        let notes = &self.platform.notes;
        if let Some(left) = notes.get(OLDEST).as_deref().and_then(Left::parse) {
            let before = newest.filter(|(saved, _)| *saved < left.time());
            let id = before.map_or_else(|| Entry::fresh(&self.platform).id, |(_, id)| id);
            self.adopt(id, left.time(), &left.text).await?;
        }
        notes.remove(OLDEST);
        Ok(())
    }

    /// Stores a text under an id, unless a newer one is stored there.
    async fn adopt(&self, id: String, time: f64, text: &str) -> Result<(), String> {
        let mut entry = Entry::new(id);
        if let Some(known) = self.entry(&entry.id).await {
            if known.changed >= time {
                return Ok(());
            }
            entry = known;
        }
        let title = match Document::from_json(text) {
            Ok(document) => document.info.title.clone(),
            Err(_) => "(unreadable)".to_owned(),
        };
        let basis = Basis::of(&entry);
        entry.next(&title, time);
        let content = Content::of(text.to_owned());
        let written = self.write(&entry, &basis, &content, Keep::Nothing);
        written.await.map(drop)
    }
}
