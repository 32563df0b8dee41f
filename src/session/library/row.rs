//! The rows of the list, and of a document's restore points, as stored in the database.

use crate::web::platform::{Platform, Value};

/// A document in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The unique id of the document.
    pub id: String,
    /// The document's title.
    pub title: String,
    /// The time of the last write, in milliseconds since 1970.
    pub changed: f64,
    /// The number of writes, including failed ones.
    pub revision: f64,
    /// The id of the page that made the last write; `None` if it is unknown, since the document is
    /// or was deleted, or an older version of the editor has written it.
    pub writer: Option<String>,
    /// The time of its deletion.
    pub deleted: Option<f64>,
}

impl Entry {
    /// Creates the row of a document that isn't stored yet, with a new id.
    pub fn fresh(platform: &Platform) -> Self {
        Self::new(platform.clock.unused_id().to_string())
    }

    /// Creates the row of a document that isn't stored yet, with this id.
    pub fn new(id: String) -> Self {
        Self {
            id,
            title: String::new(),
            changed: 0.0,
            revision: 0.0,
            writer: None,
            deleted: None,
        }
    }

    /// Updates the row for the next write, by the page with this id.
    pub fn next(&mut self, title: &str, time: f64, page_id: &str) {
        title.clone_into(&mut self.title);
        self.changed = time;
        self.revision += 1.0;
        self.writer = Some(page_id.to_owned());
    }

    pub(super) fn key(&self) -> String {
        format!("entry-{}", self.id)
    }

    pub(super) fn value(&self) -> Value {
        // Tabs with an older version of the editor read exactly five values: the last one is the
        // time of the deletion for them, if it is a number.
        let last = match (self.deleted, &self.writer) {
            (Some(time), _) => Value::Number(time),
            (None, Some(writer)) => Value::Text(writer.clone()),
            (None, None) => Value::Nothing,
        };
        Value::List(vec![
            Value::Text(self.id.clone()),
            Value::Text(self.title.clone()),
            Value::Number(self.changed),
            Value::Number(self.revision),
            last,
        ])
    }

    pub(super) fn read(value: &Value) -> Option<Self> {
        let [id, title, changed, revision, last] = value.list() else {
            return None;
        };
        Some(Self {
            id: id.text()?.to_owned(),
            title: title.text()?.to_owned(),
            changed: changed.number()?,
            revision: revision.number()?,
            writer: last.text().map(str::to_owned),
            deleted: last.number(),
        })
    }
}

/// A restore point: an earlier state of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The time of the write, in milliseconds since 1970.
    pub time: f64,
    /// The revision of the write.
    pub revision: f64,
    /// The reason for its creation; empty for restore points created at intervals.
    pub label: String,
}

impl Version {
    pub(super) fn key(&self, id: &str) -> String {
        let Self {
            time,
            revision,
            label,
        } = self;
        format!("version-{id}-{time}-{revision}-{label}")
    }

    /// Parses the part of a key after `version-ID-`.
    pub(super) fn read(rest: &str) -> Option<Self> {
        let mut parts = rest.splitn(3, '-');
        Some(Self {
            time: finite(parts.next()?)?,
            revision: finite(parts.next()?)?,
            label: parts.next()?.to_owned(),
        })
    }
}

/// Parses the number in a text, unless it is too large.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_a_writer_or_the_time_of_the_deletion() {
        let mut entry = Entry::new("a".to_owned());
        assert_eq!(Entry::read(&entry.value()), Some(entry.clone()));
        entry.next("A", 400.0, "mine");
        assert_eq!(entry.writer.as_deref(), Some("mine"));
        assert_eq!(Entry::read(&entry.value()), Some(entry.clone()));
        entry.deleted = Some(500.0);
        let deleted = Entry {
            writer: None,
            ..entry.clone()
        };
        assert_eq!(Entry::read(&entry.value()), Some(deleted));
    }

    #[test]
    fn restore_point_keys_contain_time_and_reason() {
        let version = Version {
            time: 1_700_000_000_123.0,
            revision: 7.0,
            label: "before “a-b” was opened".to_owned(),
        };
        let key = version.key("abcdefgh");
        let rest = key.strip_prefix("version-abcdefgh-").unwrap();
        assert_eq!(Version::read(rest), Some(version));
    }
}
