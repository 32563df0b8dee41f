//! The document that the editor starts with, and the maintenance done before that.

use taskloom_document::{Document, History};

use super::left::{Basis, Fate, Left};
use super::{Content, Entry, Keep, Library, Newest, lock_name};
use crate::examples;
use crate::session::{OpenFile, open};
use crate::web::platform::{CAMERAS, FOLDED, Lock, PLACE, Platform};
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
        Err(_) => remembered(platform).find_map(|id| unstored_left(platform, id)),
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

/// Returns a document that isn't stored, with the text that a page left for it, which becomes this
/// page's.
fn unstored_left(platform: &Platform, id: String) -> Option<(Entry, Newest)> {
    let left = Left::of(platform, &id, None)?;
    left.take(platform);
    let content = Content::of(left.text.clone());
    let left = Some(left.text);
    Some((Entry::new(id), Newest { content, left }))
}

async fn last(library: &Library) -> Option<(Entry, Newest)> {
    // Anything that can't be done now is retried at the next start.
    let _ = library.settle().await;
    let entries = library.list().await.ok()?;
    if let Some(id) = library.platform.notes.of_tab(OPEN)
        && entries.iter().all(|entry| entry.id != id)
        && let Some(found) = unstored_left(&library.platform, id)
    {
        // It couldn't be stored: there is no room, or another tab has it open.
        return Some(found);
    }
    let kept = || entries.iter().filter(|entry| entry.deleted.is_none());
    let mut remembered = remembered(&library.platform);
    let remembered = remembered.find_map(|id| kept().find(|entry| entry.id == id));
    let entry = remembered.or_else(|| kept().next())?.clone();
    // Texts of the document that is about to be opened become its unsaved text.
    let of_tab = Left::all_of_tab(&library.platform).into_iter();
    let others = of_tab.filter(|left| left.id != entry.id);
    library.settle_left(others, &entries, false).await;
    let newest = library.newest(&entry).await?;
    Some((entry, newest))
}

impl Library {
    /// Stores texts that pages left, removes documents that were deleted long ago, and migrates
    /// data of older versions of the editor.
    async fn settle(&self) -> Result<(), String> {
        let entries = self.list().await?;
        self.settle_left(Left::all(&self.platform), &entries, true)
            .await;
        let now = self.platform.clock.now();
        for entry in &entries {
            if entry.deleted.is_some_and(|time| now - time > KEPT_DELETED) {
                self.remove(entry).await?;
            }
        }
        let newest = self.settle_slots().await?;
        self.settle_oldest_left(newest).await
    }

    /// Stores or forgets texts that pages left. Texts that follow the stored versions of their
    /// documents stay if `can_stay` is `true`, until those are opened.
    async fn settle_left(
        &self,
        texts: impl IntoIterator<Item = Left>,
        entries: &[Entry],
        can_stay: bool,
    ) {
        for left in texts {
            let entry = entries.iter().find(|entry| entry.id == left.id);
            // A text that can't be stored now stays, and the next start tries again.
            if self.settle_text(&left, entry, can_stay).await == Ok(true) {
                left.forget(&self.platform);
            }
        }
    }

    /// Stores a text that a page left, if necessary. Returns `true` if it is stored now.
    async fn settle_text(
        &self,
        left: &Left,
        entry: Option<&Entry>,
        can_stay: bool,
    ) -> Result<bool, String> {
        let stored = self.stored(&left.id).await;
        match left.fate(entry, stored.as_deref(), can_stay) {
            Fate::Stay => Ok(false),
            Fate::Forget => Ok(true),
            Fate::Store => match self.locked(&left.id).await {
                // Nobody has written it in the meantime.
                Some((_lock, entry)) if left.follows(&entry) => {
                    self.adopt(entry, left.time(), &left.text).await
                }
                _ => Ok(false),
            },
            Fate::StoreSeparately => {
                let entry = Entry::fresh(&self.platform);
                self.adopt(entry, left.time(), &left.text).await
            }
        }
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
                let id = old_slot.then_some(key.as_str());
                if !self.adopt_newer(id, time, text).await? {
                    // The next start tries again.
                    continue;
                }
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
            let id = before.as_ref().map(|(_, id)| id.as_str());
            if !self.adopt_newer(id, left.time(), &left.text).await? {
                return Ok(());
            }
        }
        notes.remove(OLDEST);
        Ok(())
    }

    /// Locks a document, and returns its row, which is a new one if it isn't stored. Returns `None`
    /// if another tab has it open.
    async fn locked(&self, id: &str) -> Option<(Lock, Entry)> {
        let lock = self.platform.take_lock(&lock_name(id), 0, || {}).await?;
        let stored = self.entry(id).await;
        Some((lock, stored.unwrap_or_else(|| Entry::new(id.to_owned()))))
    }

    /// Stores a text under an id, or as a new document, unless a newer one is stored there. Returns
    /// `false` if that isn't possible now: another tab has the document open, or has written it.
    async fn adopt_newer(&self, id: Option<&str>, time: f64, text: &str) -> Result<bool, String> {
        let Some(id) = id else {
            return self.adopt(Entry::fresh(&self.platform), time, text).await;
        };
        match self.locked(id).await {
            None => Ok(false),
            Some((_, entry)) if entry.changed >= time => Ok(true),
            Some((_lock, entry)) => self.adopt(entry, time, text).await,
        }
    }

    /// Stores a text as the next version of a row. Returns `false` if somebody else has written it
    /// since. No other tab may have the document open.
    async fn adopt(&self, mut entry: Entry, time: f64, text: &str) -> Result<bool, String> {
        let title = match Document::from_json(text) {
            Ok(document) => document.info.title.clone(),
            Err(_) => "(unreadable)".to_owned(),
        };
        let basis = Basis::of(&entry);
        entry.next(&title, time, &self.platform.page.id());
        let content = Content::of(text.to_owned());
        self.write(&entry, &basis, &content, Keep::Nothing).await
    }
}
