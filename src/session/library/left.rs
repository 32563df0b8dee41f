//! Unsaved text of a page that is being left: it goes to local storage, which is synchronous. If that is full, it goes to
//! the tab's storage, where the page finds it after a reload.

use std::collections::BTreeSet;

use super::row::finite;
use crate::session::library::Entry;
use crate::web::platform::Platform;
use taskloom_document::sort::CompactSort;

/// The prefix of the keys, followed by a document's id, a dot, and the page's id, so that no page
/// overwrites another's text.
const LEFT: &str = "taskloom.left.";

/// The writes of a document that a text is based on. If anyone else has written it since, the text
/// is not the newest.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    /// The newest known revision.
    seen: f64,
    /// The revisions and times of writes whose result is unknown.
    pending: Vec<(f64, f64)>,
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
        self.pending.push((entry.revision, entry.changed));
    }

    /// Returns `true` if the most recently started write is of this row.
    pub fn writes(&self, entry: &Entry) -> bool {
        self.pending.last() == Some(&(entry.revision, entry.changed))
    }

    /// Records the end of the newest write.
    pub fn end(&mut self, is_written: bool) {
        if let Some((revision, _)) = self.pending.pop()
            && is_written
        {
            self.seen = revision;
        }
    }

    /// Returns `true` if nobody else wrote the version stored with this row.
    pub fn allows(&self, stored: &Entry) -> bool {
        let write = (stored.revision, stored.changed);
        stored.revision <= self.seen || self.pending.contains(&write)
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

/// A text left in local storage.
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

    /// Returns the texts for which local storage had no room, newest first.
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

    /// Removes the text: it is stored elsewhere.
    pub fn forget(&self, platform: &Platform) {
        remove(platform, &self.key);
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
        let pending = head.map(|write| {
            let (revision, changed) = write.split_once(':')?;
            Some((finite(revision)?, finite(changed)?))
        });
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

    /// Returns `true` if somebody else has written the document since, so that this is a different
    /// version of it.
    pub fn is_another_version(&self, stored: &Entry) -> bool {
        !self.basis.allows(stored)
    }
}

/// Puts a text into local storage synchronously, since the page may end at any moment. Returns
/// `false` if there is no room for it, so that it only survives a reload.
#[must_use = "a failure must be reported"]
pub fn leave(platform: &Platform, id: &str, basis: &Basis, text: &str) -> bool {
    let mut head = format!("{} {}", platform.clock.now() as u64, basis.seen);
    for (revision, changed) in &basis.pending {
        head += &format!(" {revision}:{changed}");
    }
    keep(platform, &own_key(platform, id), &format!("{head}\n{text}"))
}

/// Returns the text that this page left for a document, as it is in local storage.
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

    fn row(revision: f64, changed: f64) -> Entry {
        Entry {
            revision,
            changed,
            ..Entry::new("a".to_owned())
        }
    }

    #[test]
    fn left_text_follows_its_base_but_not_other_tabs_writes() {
        let left = Left::parse("500 3 4:400 5:480\n{}").unwrap();
        assert_eq!(left.text, "{}");
        for (stored, follows) in [
            (row(3.0, 300.0), true),
            (row(4.0, 400.0), true),
            (row(5.0, 480.0), true),
            // It is written in this state.
            (row(3.0, 500.0), false),
            // Another tab's writes.
            (row(4.0, 401.0), false),
            (row(6.0, 490.0), false),
        ] {
            assert_eq!(left.follows(&stored), follows, "{stored:?}");
        }
    }

    #[test]
    fn left_text_of_older_versions_follows_by_time() {
        let left = Left::parse("500\n{}").unwrap();
        assert!(left.follows(&row(7.0, 400.0)));
        assert!(!left.follows(&row(7.0, 600.0)));
        assert!(Left::parse("soon\n{}").is_none());
    }
}
