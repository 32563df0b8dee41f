//! Unsaved text of a page that is being left: it goes to local storage, which is synchronous. If
//! that is full, it goes to the tab's storage, where the page finds it after a reload.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use super::row::finite;
use crate::session::library::Entry;
use crate::web::platform::Platform;
use taskloom_document::sort::CompactSort;

/// The prefix of the keys, followed by a document's id, a dot, and the page's id, so that no page
/// overwrites another's text.
const LEFT: &str = "taskloom.left.";

/// A write whose result is unknown. Two pages may write the same revision in the same millisecond.
#[derive(Debug, Clone, PartialEq)]
struct PendingWrite {
    revision: f64,
    changed: f64,
    /// The id of the page that writes; `None` in texts that older versions of the editor left.
    writer: Option<String>,
}

impl PendingWrite {
    /// Creates the write of a row.
    fn of(entry: &Entry) -> Self {
        Self {
            revision: entry.revision,
            changed: entry.changed,
            writer: entry.writer.clone(),
        }
    }

    /// Returns `true` if this write has written a stored row, as far as the row's writer is known.
    fn has_written(&self, stored: &Entry) -> bool {
        let is_same_writer = stored.writer.is_none() || stored.writer == self.writer;
        (stored.revision, stored.changed) == (self.revision, self.changed) && is_same_writer
    }

    /// Parses a write from the line before a text. Older versions of the editor wrote no writer.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ':');
        Some(Self {
            revision: finite(parts.next()?)?,
            changed: finite(parts.next()?)?,
            writer: parts.next().map(str::to_owned),
        })
    }
}

impl Display for PendingWrite {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.revision, self.changed)?;
        match &self.writer {
            Some(writer) => write!(formatter, ":{writer}"),
            None => Ok(()),
        }
    }
}

/// The writes of a document that a text is based on. If anyone else has written it since, the text
/// is not the newest.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    /// The newest known revision.
    seen: f64,
    /// The writes whose result is unknown.
    pending: Vec<PendingWrite>,
}

impl Basis {
    /// Returns the basis of a document that is stored with this row.
    pub fn of(entry: &Entry) -> Self {
        Self {
            seen: entry.revision,
            pending: vec![],
        }
    }

    /// Records the start of a write of this row.
    pub fn begin(&mut self, entry: &Entry) {
        self.pending.push(PendingWrite::of(entry));
    }

    /// Returns `true` if the most recently started write is of this row.
    pub fn writes(&self, entry: &Entry) -> bool {
        self.pending.last() == Some(&PendingWrite::of(entry))
    }

    /// Records the end of the newest write.
    pub fn end(&mut self, is_written: bool) {
        if let Some(write) = self.pending.pop()
            && is_written
        {
            self.seen = write.revision;
        }
    }

    /// Returns `true` if nobody else wrote the version stored with this row.
    pub fn allows(&self, stored: &Entry) -> bool {
        let mut pending = self.pending.iter();
        stored.revision <= self.seen || pending.any(|write| write.has_written(stored))
    }
}

/// The origin of a document: its row, and the known writes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Its row.
    pub entry: Entry,
    /// The basis of its next write.
    pub basis: Basis,
}

impl From<Entry> for Origin {
    fn from(entry: Entry) -> Self {
        Self {
            basis: Basis::of(&entry),
            entry,
        }
    }
}

/// The fate of a text that a page left, at a start of the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stays, and becomes the unsaved text of its document when that is opened.
    Stay,
    /// It is forgotten: it is what is stored.
    Forget,
    /// It is stored as the text of its document.
    Store,
    /// It is stored as a separate document: somebody else has written its document since.
    StoreSeparately,
}

/// A text left in local storage, or in the tab's.
pub struct Left {
    /// The document's id.
    pub id: String,
    key: String,
    time: f64,
    basis: Basis,
    /// The document's file.
    pub text: String,
}

fn own_key(platform: &Platform, id: &str) -> String {
    format!("{LEFT}{id}.{}", platform.page.id())
}

impl Left {
    /// Returns all texts in local storage and in the tab's, newest first.
    pub fn all(platform: &Platform) -> Vec<Self> {
        let keys = [platform.notes.keys(LEFT), platform.notes.keys_of_tab(LEFT)];
        Self::read_all(platform, keys.into_iter().flatten())
    }

    /// Returns the texts in the tab's storage, for which local storage had no room, newest first.
    pub fn all_of_tab(platform: &Platform) -> Vec<Self> {
        Self::read_all(platform, platform.notes.keys_of_tab(LEFT))
    }

    fn read_all(platform: &Platform, keys: impl IntoIterator<Item = String>) -> Vec<Self> {
        let keys = BTreeSet::from_iter(keys);
        let read = |rest: String| {
            let key = format!("{LEFT}{rest}");
            let left = Self::parse(&get(platform, &key)?)?;
            // Older versions of the editor stored no page id.
            let id = rest.split('.').next().unwrap_or_default().to_owned();
            Some(Self { id, key, ..left })
        };
        let mut all: Vec<Self> = keys.into_iter().filter_map(read).collect();
        all.compact_sort_by(|a, b| b.time.total_cmp(&a.time));
        all
    }

    /// Returns the newest text left for a document, if it is newer than the stored version, if any.
    pub fn of(platform: &Platform, id: &str, stored: Option<&Entry>) -> Option<Self> {
        let all = Self::all(platform).into_iter();
        all.filter(|left| left.id == id)
            .find(|left| stored.is_none_or(|stored| left.follows(stored)))
    }

    /// Adopts this text as one that the current page left.
    pub fn take(&self, platform: &Platform) {
        let key = own_key(platform, &self.id);
        if key == self.key {
            return;
        }
        if let Some(text) = get(platform, &self.key) {
            // There is room once the old one is gone; in any case, it is in the tab's storage.
            remove(platform, &self.key);
            let _ = keep(platform, &key, &text);
        }
    }

    /// Removes the text: it is stored elsewhere. A page that is still open may have left another one since, which stays.
    pub fn forget(&self, platform: &Platform) {
        let now = get(platform, &self.key).and_then(|text| Self::parse(&text));
        let is_same =
            |now: Self| (now.time, &now.basis, &now.text) == (self.time, &self.basis, &self.text);
        if now.is_some_and(is_same) {
            remove(platform, &self.key);
        }
    }

    /// Parses a text from local storage. Older versions of the editor wrote only the time before
    /// the text.
    pub fn parse(text: &str) -> Option<Self> {
        let (head, text) = text.split_once('\n')?;
        let mut head = head.split(' ');
        let time = finite(head.next()?)?;
        let seen = match head.next() {
            Some(seen) => finite(seen)?,
            None => f64::INFINITY,
        };
        let pending = head.map(PendingWrite::parse);
        Some(Self {
            id: String::new(),
            key: String::new(),
            time,
            basis: Basis {
                seen,
                pending: pending.collect::<Option<_>>()?,
            },
            text: text.to_owned(),
        })
    }

    /// Returns the time when it was left.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns `true` if this is newer than the version stored with this row, and nobody else has
    /// written in between.
    pub fn follows(&self, stored: &Entry) -> bool {
        self.time > stored.changed && self.basis.allows(stored)
    }

    /// Decides the fate of this text. `stored` and `text` are the row and the text of its document,
    /// if that is stored. `can_stay` is `true` if this text can wait until the document is opened.
    pub fn fate(&self, stored: Option<&Entry>, text: Option<&str>, can_stay: bool) -> Fate {
        match stored {
            _ if text == Some(self.text.as_str()) => Fate::Forget,
            None => Fate::Store,
            Some(stored) if !self.basis.allows(stored) => Fate::StoreSeparately,
            Some(stored) if !can_stay && self.follows(stored) => Fate::Store,
            Some(_) => Fate::Stay,
        }
    }
}

/// Puts a text into local storage synchronously, since the page may end at any moment. Returns
/// `false` if there is no room for it, so that it only survives a reload.
#[must_use = "a failure must be reported"]
pub fn leave(platform: &Platform, id: &str, basis: &Basis, text: &str) -> bool {
    let mut head = format!("{} {}", platform.clock.now() as u64, basis.seen);
    for write in &basis.pending {
        head += &format!(" {write}");
    }
    keep(platform, &own_key(platform, id), &format!("{head}\n{text}"))
}

/// Returns `true` if a text is only in the tab's storage, so that it is lost if the tab is closed.
pub fn is_any_of_tab(platform: &Platform) -> bool {
    !platform.notes.keys_of_tab(LEFT).is_empty()
}

/// Returns the text that this page left for a document, with the line before it.
pub fn own(platform: &Platform, id: &str) -> Option<String> {
    get(platform, &own_key(platform, id))
}

/// Removes the text that this page left for a document, unless it has left another one since.
pub fn forget_unless_changed(platform: &Platform, id: &str, left: Option<&str>) {
    if own(platform, id).as_deref() == left {
        forget(platform, id);
    }
}

/// Removes what this page left: it is written, or no longer needed.
pub fn forget(platform: &Platform, id: &str) {
    remove(platform, &own_key(platform, id));
}

fn keep(platform: &Platform, key: &str, text: &str) -> bool {
    let is_kept = platform.notes.keep(key, text);
    if is_kept {
        platform.notes.remove_of_tab(key);
    } else {
        platform.notes.set_of_tab(key, text);
    }
    is_kept
}

/// Returns a text, which is newer in the tab's storage if it is in both.
fn get(platform: &Platform, key: &str) -> Option<String> {
    let of_tab = platform.notes.of_tab(key);
    of_tab.or_else(|| platform.notes.get(key))
}

fn remove(platform: &Platform, key: &str) {
    platform.notes.remove(key);
    platform.notes.remove_of_tab(key);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(revision: f64, changed: f64, writer: Option<&str>) -> Entry {
        Entry {
            revision,
            changed,
            writer: writer.map(str::to_owned),
            ..Entry::new("a".to_owned())
        }
    }

    #[test]
    fn left_text_follows_its_base_but_not_other_tabs_writes() {
        let left = Left::parse("500 3 4:400:mine 5:480:mine\n{}").unwrap();
        assert_eq!(left.text, "{}");
        for (stored, follows) in [
            (row(3.0, 300.0, Some("theirs")), true),
            (row(4.0, 400.0, Some("mine")), true),
            (row(5.0, 480.0, Some("mine")), true),
            // A deleted document's row has no writer.
            (row(5.0, 480.0, None), true),
            // It is written in this state.
            (row(3.0, 500.0, Some("mine")), false),
            // Another tab's writes.
            (row(4.0, 401.0, Some("theirs")), false),
            (row(6.0, 490.0, Some("theirs")), false),
        ] {
            assert_eq!(left.follows(&stored), follows, "{stored:?}");
        }
    }

    #[test]
    fn left_text_does_not_follow_another_tabs_write_of_the_same_revision_and_millisecond() {
        let mine = row(5.0, 480.0, Some("mine"));
        let theirs = row(5.0, 480.0, Some("theirs"));
        let mut basis = Basis::of(&row(4.0, 400.0, Some("theirs")));
        basis.begin(&mine);
        assert!(basis.writes(&mine) && !basis.writes(&theirs));
        assert!(basis.allows(&mine) && !basis.allows(&theirs));
        let left = Left::parse(&format!("500 4 {}\n{{}}", basis.pending[0])).unwrap();
        assert_eq!(left.basis, basis);
        assert_eq!(left.fate(Some(&mine), None, true), Fate::Stay);
        assert_eq!(left.fate(Some(&theirs), None, true), Fate::StoreSeparately);
    }

    #[test]
    fn left_text_of_older_versions_follows_by_time() {
        let left = Left::parse("500\n{}").unwrap();
        assert!(left.follows(&row(7.0, 400.0, None)));
        assert!(left.follows(&row(7.0, 400.0, Some("theirs"))));
        assert!(!left.follows(&row(7.0, 600.0, None)));
        assert!(Left::parse("soon\n{}").is_none());
    }

    #[test]
    fn pending_writes_of_older_versions_have_no_writer() {
        let left = Left::parse("500 3 4:400\n{}").unwrap();
        assert!(left.follows(&row(4.0, 400.0, None)));
        assert!(!left.follows(&row(4.0, 400.0, Some("theirs"))));
    }

    #[test]
    fn fate_of_a_left_text_depends_on_what_is_stored() {
        let left = Left::parse("500 3\nnew").unwrap();
        let (before, later) = (row(3.0, 300.0, None), row(4.0, 400.0, None));
        for (stored, text, can_stay, fate) in [
            (None, None, true, Fate::Store),
            (Some(&before), Some("old"), true, Fate::Stay),
            (Some(&before), Some("old"), false, Fate::Store),
            (Some(&before), Some("new"), false, Fate::Forget),
            (Some(&later), Some("other"), false, Fate::StoreSeparately),
            (Some(&later), Some("new"), true, Fate::Forget),
        ] {
            assert_eq!(left.fate(stored, text, can_stay), fate, "{stored:?}");
        }
    }
}
