//! The rows of the list, and of a document's restore points, as the database holds them.

use crate::web::platform::{Platform, Value};

/// A document of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Tells it from the others.
    pub id: String,
    /// The document's title.
    pub title: String,
    /// When it was written, in milliseconds since 1970.
    pub changed: f64,
    /// Counts writes, those that failed included.
    pub revision: f64,
    /// When it was deleted.
    pub deleted: Option<f64>,
}

impl Entry {
    /// A document that is not kept yet, under an id of its own.
    pub fn fresh(platform: &Platform) -> Self {
        Self::new(platform.clock.unused_id().to_string())
    }

    /// A document that is not kept yet, under this id.
    pub fn new(id: String) -> Self {
        Self {
            id,
            title: String::new(),
            changed: 0.0,
            revision: 0.0,
            deleted: None,
        }
    }

    /// The entry of the next write.
    pub fn next(&mut self, title: &str, time: f64) {
        title.clone_into(&mut self.title);
        self.changed = time;
        self.revision += 1.0;
    }

    pub(super) fn key(&self) -> String {
        format!("entry-{}", self.id)
    }

    pub(super) fn value(&self) -> Value {
        Value::List(vec![
            Value::Text(self.id.clone()),
            Value::Text(self.title.clone()),
            Value::Number(self.changed),
            Value::Number(self.revision),
            self.deleted.map_or(Value::Nothing, Value::Number),
        ])
    }

    pub(super) fn read(value: &Value) -> Option<Self> {
        let [id, title, changed, revision, deleted] = value.list() else {
            return None;
        };
        Some(Self {
            id: id.text()?.to_owned(),
            title: title.text()?.to_owned(),
            changed: changed.number()?,
            revision: revision.number()?,
            deleted: deleted.number(),
        })
    }
}

/// A document as it once was.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// When, in milliseconds since 1970.
    pub time: f64,
    /// Of which write it is.
    pub revision: f64,
    /// Before what; empty for those that are kept at intervals.
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

    /// Reads what stands behind `version-ID-` in a key.
    pub(super) fn read(rest: &str) -> Option<Self> {
        let mut parts = rest.splitn(3, '-');
        Some(Self {
            time: finite(parts.next()?)?,
            revision: finite(parts.next()?)?,
            label: parts.next()?.to_owned(),
        })
    }
}

/// The number in a text, unless it is too large.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_restore_point_says_when_and_why() {
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
