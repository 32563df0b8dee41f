//! Unsaved text of a page that is being left: it goes to local storage, which is synchronous.

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
    /// Returns all texts in local storage, newest first.
    pub fn all(platform: &Platform) -> Vec<Self> {
        let keys = platform.notes.keys(LEFT).into_iter();
        let read = |rest: String| {
            let key = format!("{LEFT}{rest}");
            let left = Self::parse(&platform.notes.get(&key)?)?;
            // Older versions of the editor stored no page id.
            let id = rest.split('.').next().unwrap_or_default().to_owned();
            Some(Self { id, key, ..left })
        };
        let mut all: Vec<Self> = keys.filter_map(read).collect();
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
        if let Some(text) = platform.notes.get(&self.key)
            && platform.notes.keep(&key, &text)
        {
            platform.notes.remove(&self.key);
        }
    }

    /// Removes the text: it is stored elsewhere.
    pub fn forget(&self, platform: &Platform) {
        platform.notes.remove(&self.key);
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
/// `false` if there is no room for it.
#[must_use = "a failure must be reported"]
pub fn leave(platform: &Platform, id: &str, basis: &Basis, text: &str) -> bool {
    let mut head = format!("{} {}", platform.clock.now() as u64, basis.seen);
    for (revision, changed) in &basis.pending {
        head += &format!(" {revision}:{changed}");
    }
    platform
        .notes
        .keep(&own_key(platform, id), &format!("{head}\n{text}"))
}

/// Returns the text that this page left for a document, as it is in local storage.
pub fn own(platform: &Platform, id: &str) -> Option<String> {
    platform.notes.get(&own_key(platform, id))
}

/// Removes the text that this page left for a document, unless it has left another one since.
pub fn forget_unless_changed(platform: &Platform, id: &str, left: Option<&str>) {
    if own(platform, id).as_deref() == left {
        forget(platform, id);
    }
}

/// Removes what this page left: it is written, or no longer needed.
pub fn forget(platform: &Platform, id: &str) {
    platform.notes.remove(&own_key(platform, id));
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
