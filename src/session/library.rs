//! The documents stored in this browser, with restore points of each.
//!
//! Each document has up to six kinds of values: `entry-ID` is its row in the list, `text-ID` its
//! text, `image-ID` the image below its map, `file-ID` the file on the disk that it belongs to,
//! `history-ID` its undo history, and `version-ID-TIME-REVISION-LABEL` a restore point, whose key
//! holds everything but its text, so that listing them reads no text. A history is written in the
//! same transaction as its text, and contains that text's hash: a program that writes a text alone,
//! such as an older version of the editor, invalidates it.

use std::rc::Rc;

pub mod left;
mod row;
mod start;

use taskloom_document::sort::CompactSort;

use crate::web::platform::{Changes, Database, Platform, Value};
use left::Left;
pub use left::{Basis, Origin};
pub use row::{Entry, Version};
pub use start::{Start, is_returning, remember, start};

/// The message sent to the other tabs when a document of the list has changed.
pub const CHANGED: &str = "changed";
/// The maximum number of restore points of a document.
const VERSIONS: usize = 30;
/// The number of newest restore points that are never thinned out.
const NEWEST: usize = 8;
/// The version of the stored form of undo histories. Those of another version are ignored.
const HISTORY_VERSION: f64 = 1.0;

/// Returns the name of the lock that a tab holds while it has the document open.
pub fn lock_name(id: &str) -> String {
    format!("taskloom-{id}")
}

/// A restore point to create along with a write.
#[derive(Debug, Clone, PartialEq)]
pub enum Keep {
    /// None.
    Nothing,
    /// The text that the write replaces.
    Before,
    /// The text being written, with the restore point's label.
    Now(String),
}

/// The stored content of a document.
#[derive(Debug, Clone)]
pub struct Content {
    /// The file's text.
    pub text: String,
    /// The undo history in its stored form.
    pub history: Option<String>,
    /// The image below its map, or that it has none; `None` if it stays as it is stored.
    pub image: Option<Option<Value>>,
    /// The file on the disk that it belongs to, or that there is none; `None` if it stays as it is stored.
    pub file: Option<Option<Value>>,
}

impl Content {
    /// Creates content without an undo history, and without a change of the image or the file.
    pub fn of(text: String) -> Self {
        Self {
            text,
            history: None,
            image: None,
            file: None,
        }
    }

    /// Returns the content of a copy, which belongs to no file.
    fn of_copy(&self) -> Self {
        Self {
            file: None,
            ..self.clone()
        }
    }
}

/// A document's content, as the newest page that had it open left it.
pub struct Newest {
    /// The content as it is stored, or the text that was left if nothing is.
    pub content: Content,
    /// The newer text of a page that was left before it could write it.
    pub left: Option<String>,
}

/// The documents in this browser.
#[derive(Clone)]
pub struct Library {
    database: Rc<dyn Database>,
    platform: Platform,
}

impl Library {
    /// Opens the library.
    pub async fn open(platform: &Platform) -> Result<Self, String> {
        Ok(Self {
            database: platform.storage.open().await?,
            platform: platform.clone(),
        })
    }

    /// Returns all documents, including deleted ones, the most recently changed first.
    pub async fn list(&self) -> Result<Vec<Entry>, String> {
        let values = self.database.values("entry-").await?;
        let mut entries: Vec<Entry> = values.iter().filter_map(Entry::read).collect();
        entries.compact_sort_by(|a, b| b.changed.total_cmp(&a.changed));
        Ok(entries)
    }

    /// Returns a document's row.
    pub async fn entry(&self, id: &str) -> Option<Entry> {
        let value = self.database.get(&format!("entry-{id}")).await.ok()??;
        Entry::read(&value)
    }

    /// Returns a document's content. If a page that was left couldn't write a newer text, returns
    /// that, which must then be written.
    pub async fn newest(&self, entry: &Entry) -> Option<Newest> {
        let left = Left::of(&self.platform, &entry.id, Some(entry));
        let left = left.map(|left| {
            left.take(&self.platform);
            left.text
        });
        let content = self.content(&entry.id).await;
        let content = content.or_else(|| left.clone().map(Content::of))?;
        Some(Newest { content, left })
    }

    /// Returns a document's content as it is stored.
    pub async fn content(&self, id: &str) -> Option<Content> {
        let text = self.stored(id).await?;
        let history = self.database.get(&history_key(id)).await.ok().flatten();
        let history = history.and_then(|value| match value.list() {
            [Value::Number(HISTORY_VERSION), Value::Text(history)] => Some(history.clone()),
            _ => None,
        });
        Some(Content {
            history,
            ..Content::of(text)
        })
    }

    /// Returns a document's text as it is stored.
    pub async fn stored(&self, id: &str) -> Option<String> {
        let text = self.database.get(&format!("text-{id}")).await.ok()??;
        text.text().map(str::to_owned)
    }

    /// Writes a document, without its undo history if there is no room for that. Returns `false` if
    /// somebody else has written it since the given basis.
    pub async fn write(
        &self,
        entry: &Entry,
        basis: &Basis,
        content: &Content,
        keep: Keep,
    ) -> Result<bool, String> {
        let mut changes: Changes = vec![
            (entry.key(), Some(entry.value())),
            (text_key(entry), Some(Value::Text(content.text.clone()))),
        ];
        changes.extend(self.restore_points(entry, content, keep).await?);
        let image = content.image.clone();
        changes.extend(image.map(|image| (image_key(&entry.id), image)));
        let file = content.file.clone();
        changes.extend(file.map(|file| (file_key(&entry.id), file)));
        let history_key = history_key(&entry.id);
        // Not by the revision, which also counts failed writes.
        let allows = |basis: Basis| move |stored: &Entry| basis.allows(stored);
        if let Some(history) = &content.history {
            let history = Value::Text(history.clone());
            let history = Value::List(vec![Value::Number(HISTORY_VERSION), history]);
            let mut all = changes.clone();
            all.push((history_key.clone(), Some(history)));
            let written = self.change(entry, all, allows(basis.clone())).await;
            if written.is_ok() {
                return written;
            }
        }
        changes.push((history_key, None));
        self.change(entry, changes, allows(basis.clone())).await
    }

    /// Writes a document like [`write`](Self::write), or without its file and its image if they can't be stored. Returns
    /// the reason with the result if that is so for the image.
    pub async fn write_what_fits(
        &self,
        entry: &Entry,
        basis: &Basis,
        content: &Content,
        keep: Keep,
    ) -> (Result<bool, String>, Option<String>) {
        let mut written = self.write(entry, basis, content, keep.clone()).await;
        let mut rest = Content {
            file: None,
            ..content.clone()
        };
        if written.is_err() && content.file.is_some() {
            // After a reload, the designer picks the file again.
            written = self.write(entry, basis, &rest, keep.clone()).await;
        }
        let (Err(reason), Some(_)) = (&written, &content.image) else {
            return (written, None);
        };
        rest.image = None;
        match self.write(entry, basis, &rest, keep).await {
            Ok(true) => (Ok(true), Some(reason.clone())),
            failed => (failed, None),
        }
    }

    /// Returns the changes of restore points that come with a write.
    async fn restore_points(
        &self,
        entry: &Entry,
        content: &Content,
        keep: Keep,
    ) -> Result<Changes, String> {
        let mut changes = vec![];
        let version = match keep {
            Keep::Nothing => None,
            Keep::Before => {
                let stored = self
                    .entry(&entry.id)
                    .await
                    .zip(self.stored(&entry.id).await);
                stored.map(|(before, text)| (before, String::new(), text))
            }
            Keep::Now(label) => Some((entry.clone(), label, content.text.clone())),
        };
        if let Some((of, label, text)) = version {
            let version = Version {
                time: of.changed,
                revision: of.revision,
                label,
            };
            let mut versions = self.versions(&of.id).await?;
            if versions
                .last()
                .is_none_or(|last| last.revision != of.revision)
            {
                changes.push((version.key(&of.id), Some(Value::Text(text))));
                versions.push(version);
            }
            let gone = surplus(&versions.iter().map(|v| v.time).collect::<Vec<_>>());
            let gone = gone.and_then(|at| versions.get(at));
            changes.extend(gone.map(|version| (version.key(&of.id), None)));
        }
        Ok(changes)
    }

    /// Writes a copy of a document, which nobody else knows. The file remains the original's.
    pub async fn add(&self, entry: &Entry, content: &Content) -> Result<bool, String> {
        let basis = Basis::of(&Entry::new(entry.id.clone()));
        let content = content.of_copy();
        self.write(entry, &basis, &content, Keep::Nothing).await
    }

    /// Works like [`add`](Self::add), but as [`write_what_fits`](Self::write_what_fits) does.
    pub async fn add_what_fits(
        &self,
        entry: &Entry,
        content: &Content,
    ) -> (Result<bool, String>, Option<String>) {
        let basis = Basis::of(&Entry::new(entry.id.clone()));
        let content = content.of_copy();
        self.write_what_fits(entry, &basis, &content, Keep::Nothing)
            .await
    }

    /// Changes a document if its stored row permits it, or if there is none.
    async fn change(
        &self,
        entry: &Entry,
        changes: Changes,
        allows: impl FnOnce(&Entry) -> bool + 'static,
    ) -> Result<bool, String> {
        let allows = move |stored: Option<&Value>| {
            let stored = stored.and_then(Entry::read);
            stored.is_none_or(|stored| allows(&stored))
        };
        let key = entry.key();
        let done = self.database.write_if(&key, Box::new(allows), changes);
        let is_done = done.await?;
        self.platform.page.post(CHANGED);
        Ok(is_done)
    }

    /// Writes only a row, as for deleting or restoring. Returns `false` if somebody else has
    /// written it since.
    pub async fn mark(&self, entry: &Entry) -> Result<bool, String> {
        let changes = vec![(entry.key(), Some(entry.value()))];
        let revision = entry.revision;
        self.change(entry, changes, move |stored| stored.revision <= revision)
            .await
    }

    /// Deletes a document permanently, with its history and restore points, unless somebody else
    /// has written it since this row. A text that this page leaves for it in the meantime stays.
    pub fn remove(&self, entry: &Entry) -> impl Future<Output = Result<(), String>> + use<> {
        let (library, entry) = (self.clone(), entry.clone());
        let left = left::own(&self.platform, &entry.id);
        async move {
            let prefix = version_prefix(&entry.id);
            let versions = library.database.keys(&prefix).await?;
            let mut changes: Changes = versions.into_iter().map(|key| (key, None)).collect();
            changes.extend([
                (entry.key(), None),
                (text_key(&entry), None),
                (history_key(&entry.id), None),
                (image_key(&entry.id), None),
                (file_key(&entry.id), None),
            ]);
            let revision = entry.revision;
            let removal =
                library.change(&entry, changes, move |stored| stored.revision <= revision);
            if removal.await? {
                left::forget_unless_changed(&library.platform, &entry.id, left.as_deref());
            }
            Ok(())
        }
    }

    /// Returns the image below a document's map as it is stored.
    pub async fn image(&self, id: &str) -> Result<Option<Value>, String> {
        self.database.get(&image_key(id)).await
    }

    /// Returns the file that a document belongs to as it is stored.
    pub async fn file(&self, id: &str) -> Option<Value> {
        self.database.get(&file_key(id)).await.ok().flatten()
    }

    /// Returns a document's restore points, oldest first.
    pub async fn versions(&self, id: &str) -> Result<Vec<Version>, String> {
        let prefix = version_prefix(id);
        let keys = self.database.keys(&prefix).await?;
        let rests = keys.iter().filter_map(|key| key.strip_prefix(&prefix));
        Ok(rests.filter_map(Version::read).collect())
    }

    /// Returns the text of a restore point.
    pub async fn version(&self, id: &str, version: &Version) -> Option<String> {
        let text = self.database.get(&version.key(id)).await.ok()??;
        text.text().map(str::to_owned)
    }
}

fn text_key(entry: &Entry) -> String {
    format!("text-{}", entry.id)
}

fn history_key(id: &str) -> String {
    format!("history-{id}")
}

fn image_key(id: &str) -> String {
    format!("image-{id}")
}

fn file_key(id: &str) -> String {
    format!("file-{id}")
}

fn version_prefix(id: &str) -> String {
    format!("version-{id}-")
}

/// Returns the index of the time to drop, from a list sorted oldest first: `None` while there are
/// few; otherwise the one closest after its predecessor, so that the intervals between older
/// restore points grow.
fn surplus(times: &[f64]) -> Option<usize> {
    if times.len() <= VERSIONS {
        return None;
    }
    let old = times.len() - NEWEST;
    let gaps = times.windows(2).take(old).map(|pair| pair[1] - pair[0]);
    gaps.zip(1..)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_restore_points_are_thinned_out() {
        // One every ten minutes, for two days.
        let mut times: Vec<f64> = vec![];
        for minute in (0..2 * 24 * 60).step_by(10) {
            times.push(f64::from(minute));
            if let Some(at) = surplus(&times) {
                times.remove(at);
            }
        }
        assert_eq!(times.len(), VERSIONS);
        assert_eq!(times.first(), Some(&0.0), "the oldest stays");
        let newest: Vec<f64> = times
            .windows(2)
            .map(|w| w[1] - w[0])
            .rev()
            .take(7)
            .collect();
        assert_eq!(newest, [10.0; 7]);
        let widest = times.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        assert!(widest <= 320.0, "no hole of {widest} minutes");
    }
}
