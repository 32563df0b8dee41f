//! The documents that this browser keeps, with restore points of each.
//!
//! Three values a document: `entry-ID` is its row in the list, `text-ID` its
//! file, and `version-ID-TIME-REVISION-LABEL` a restore point, whose key says all
//! but its text, so that listing them reads none.

use js_sys::{Array, Date};
use taskloom::document::Document;
use wasm_bindgen::{JsCast, JsValue};

mod row;

use crate::examples;
use crate::web::database::{Changes, Database};
use crate::web::storage;
use row::finite;
pub use row::{Entry, Version};

/// The local storage's keys for what a page that was left had not saved: a time
/// and a text.
const LEFT: &str = "taskloom.left.";
/// The document of this tab, and that of the tab that was used last.
const OPEN: &str = "taskloom.document";
/// How many restore points a document keeps.
const VERSIONS: usize = 30;
/// How many of the newest are never thinned out.
const NEWEST: usize = 8;
/// How long a deleted document can be brought back, in milliseconds.
const KEPT_DELETED: f64 = 30.0 * 24.0 * 3600.0 * 1000.0;

/// The name that the tab which has a document open holds.
pub fn lock_name(id: &str) -> String {
    format!("taskloom-{id}")
}

/// A restore point that a write keeps as well.
#[derive(Debug, Clone, PartialEq)]
pub enum Keep {
    /// None.
    Nothing,
    /// The text that the write replaces.
    Before,
    /// The text that it writes, before this happens.
    Now(String),
}

/// The browser's documents.
#[derive(Clone)]
pub struct Library(Database);

impl Library {
    /// Opens it.
    pub async fn open() -> Result<Self, String> {
        Database::open().await.map(Self)
    }

    /// All documents, the one that was changed last first; deleted ones as well.
    pub async fn list(&self) -> Result<Vec<Entry>, String> {
        let values = self.0.values("entry-").await?;
        let mut entries: Vec<Entry> = values.iter().filter_map(Entry::read).collect();
        entries.sort_by(|a, b| b.changed.total_cmp(&a.changed));
        Ok(entries)
    }

    /// A document's row.
    pub async fn entry(&self, id: &str) -> Option<Entry> {
        let value = self.0.get(&format!("entry-{id}")).await.ok()??;
        Entry::read(&value)
    }

    /// A document's text: what a page that was left could not write, where that is newer.
    pub async fn text(&self, entry: &Entry) -> Option<String> {
        let left = left(&entry.id).filter(|(time, _)| *time > entry.changed);
        match left {
            Some((_, text)) => Some(text),
            None => self.stored(&entry.id).await,
        }
    }

    async fn stored(&self, id: &str) -> Option<String> {
        let text = self.0.get(&format!("text-{id}")).await.ok()??;
        text.as_string()
    }

    /// Writes a document; whether it did: not if someone else has written since.
    pub async fn write(&self, entry: &Entry, text: &str, keep: Keep) -> Result<bool, String> {
        let mut changes: Changes = vec![
            (entry.key(), Some(entry.value())),
            (format!("text-{}", entry.id), Some(text.into())),
        ];
        let version = match keep {
            Keep::Nothing => None,
            Keep::Before => {
                let stored = self
                    .entry(&entry.id)
                    .await
                    .zip(self.stored(&entry.id).await);
                stored.map(|(before, text)| (before, String::new(), text))
            }
            Keep::Now(label) => Some((entry.clone(), label, text.to_owned())),
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
                changes.push((version.key(&of.id), Some(text.as_str().into())));
                versions.push(version);
            }
            let gone = surplus(&versions.iter().map(|v| v.time).collect::<Vec<_>>());
            let gone = gone.and_then(|at| versions.get(at));
            changes.extend(gone.map(|version| (version.key(&of.id), None)));
        }
        let unseen = |stored: Option<JsValue>| {
            let stored = stored.as_ref().and_then(Entry::read);
            stored.is_none_or(|stored| stored.revision < entry.revision)
        };
        self.0.write_if(&entry.key(), unseen, &changes).await
    }

    /// Writes a row alone: deleted, or brought back.
    pub async fn mark(&self, entry: &Entry) -> Result<(), String> {
        self.0
            .write(&vec![(entry.key(), Some(entry.value()))])
            .await
    }

    /// Takes a document away for good, with its restore points.
    pub async fn remove(&self, id: &str) -> Result<(), String> {
        forget_left(id);
        let versions = self.0.keys(&format!("version-{id}-")).await?;
        let mut changes: Changes = versions.into_iter().map(|key| (key, None)).collect();
        changes.extend(["entry", "text"].map(|what| (format!("{what}-{id}"), None)));
        self.0.write(&changes).await
    }

    /// A document's restore points, oldest first.
    pub async fn versions(&self, id: &str) -> Result<Vec<Version>, String> {
        let prefix = format!("version-{id}-");
        let keys = self.0.keys(&prefix).await?;
        let rests = keys.iter().filter_map(|key| key.strip_prefix(&prefix));
        Ok(rests.filter_map(Version::read).collect())
    }

    /// The text of a restore point.
    pub async fn version(&self, id: &str, version: &Version) -> Option<String> {
        let text = self.0.get(&version.key(id)).await.ok()??;
        text.as_string()
    }

    /// Brings what older versions of the editor kept into today's form, and what
    /// pages left behind that could not write; forgets what was deleted long ago.
    async fn settle(&self) -> Result<(), String> {
        let entries = self.list().await?;
        let now = Date::now();
        for entry in &entries {
            if entry.deleted.is_some_and(|time| now - time > KEPT_DELETED) {
                self.remove(&entry.id).await?;
            }
        }
        let mut newest = None;
        for key in self.0.keys("").await? {
            let old_slot = !key.contains('-');
            let unreadable = key.strip_prefix("unreadable-");
            if !old_slot && unreadable.is_none() {
                continue;
            }
            // Then: a time and a text, by the tab's name.
            let value = self.0.get(&key).await?.unwrap_or_default();
            let pair: Array = value.dyn_into().unwrap_or_default();
            if let (Some(time), Some(text)) = (pair.get(0).as_f64(), pair.get(1).as_string()) {
                let id = if old_slot {
                    key.clone()
                } else {
                    Entry::fresh().id
                };
                self.adopt(id, time, &text).await?;
                if old_slot && newest.as_ref().is_none_or(|(newest, _)| *newest < time) {
                    newest = Some((time, key.clone()));
                }
            }
            self.0.write(&vec![(key, None)]).await?;
        }
        if let Some((time, text)) = storage::get("taskloom.left")
            .as_deref()
            .and_then(parse_left)
        {
            let (_, id) = newest
                .filter(|(saved, _)| *saved < time)
                .unwrap_or_default();
            let id = if id.is_empty() { Entry::fresh().id } else { id };
            self.adopt(id, time, &text).await?;
        }
        storage::remove("taskloom.left");
        for id in storage::keys(LEFT) {
            if !entries.iter().any(|entry| entry.id == id)
                && let Some((time, text)) = left(&id)
            {
                self.adopt(id, time, &text).await?;
            }
        }
        Ok(())
    }

    /// Keeps a text under an id, unless a newer one is kept there.
    async fn adopt(&self, id: String, time: f64, text: &str) -> Result<(), String> {
        let mut entry = Entry::new(id);
        if let Some(known) = self.entry(&entry.id).await {
            if known.changed >= time {
                return Ok(());
            }
            entry = known;
        }
        match Document::from_json(text) {
            Ok(document) => entry.next(&document.info.title, time),
            Err(_) => entry.title = "(does not open)".to_owned(),
        }
        entry.changed = time;
        self.write(&entry, text, Keep::Nothing).await.map(drop)
    }
}

/// Which of these times to give up, oldest first: none while they are few; else
/// the one that lies closest behind the one before it, so that what is long ago
/// is kept at larger and larger intervals.
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

fn parse_left(text: &str) -> Option<(f64, String)> {
    let (time, text) = text.split_once('\n')?;
    Some((finite(time)?, text.to_owned()))
}

fn left(id: &str) -> Option<(f64, String)> {
    parse_left(&storage::get(&format!("{LEFT}{id}"))?)
}

/// Keeps a text where that needs no time: the page may be gone the next moment. Whether
/// it is kept; the storage may be full.
#[must_use = "what is not kept is told"]
pub fn leave(id: &str, text: &str) -> bool {
    let text = format!("{}\n{text}", Date::now() as u64);
    storage::keep(&format!("{LEFT}{id}"), &text)
}

/// What was left is written, or given up.
pub fn forget_left(id: &str) {
    storage::remove(&format!("{LEFT}{id}"));
}

/// Remembers which document this tab has open.
pub fn remember(id: &str) {
    storage::set_of_tab(OPEN, id);
    storage::set(OPEN, id);
}

/// What the editor opens with.
pub struct Start {
    /// The document's row.
    pub entry: Entry,
    /// The document.
    pub document: Document,
    /// Why the document of the last time does not open.
    pub trouble: Option<String>,
    /// The browser's documents, or why there are none.
    pub library: Result<Library, String>,
}

/// The document that this tab had open, or the tab that was used last; the first
/// example where there is none. One that does not open stays in the list.
pub async fn start() -> Start {
    let library = Library::open().await;
    let newest = match &library {
        Ok(library) => last(library).await,
        Err(_) => {
            let id = storage::of_tab(OPEN).or_else(|| storage::get(OPEN));
            id.and_then(|id| Some((left(&id)?.1, Entry::new(id))))
                .map(|(text, entry)| (entry, text))
        }
    };
    let example = || (Entry::fresh(), examples::first());
    let ((entry, document), trouble) = match newest {
        None => (example(), None),
        Some((entry, text)) => match Document::from_json(&text) {
            Ok(document) => ((entry, document), None),
            Err(error) => (example(), Some(error.to_string())),
        },
    };
    Start {
        entry,
        document,
        trouble,
        library,
    }
}

async fn last(library: &Library) -> Option<(Entry, String)> {
    // What cannot be settled now is tried again at the next start.
    let _ = library.settle().await;
    let mut entries = library.list().await.ok()?;
    entries.retain(|entry| entry.deleted.is_none());
    let remembered = [storage::of_tab(OPEN), storage::get(OPEN)];
    let mut remembered = remembered.into_iter().flatten();
    let at = remembered.find_map(|id| entries.iter().position(|entry| entry.id == id));
    let entry = entries.get(at.unwrap_or(0))?.clone();
    let text = library.text(&entry).await?;
    Some((entry, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restore_points_thin_out_with_their_age() {
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
