//! The difference of two versions of a document, for a program that has the earlier one.

use serde::{Deserialize, Serialize};

use super::file::FileError;
use super::record::{Kind, RecordRef};
use super::{Document, Layout};
use crate::sort::map_of;

/// The records that differ in two versions of a document. Records that both share aren't compared
/// further, so it takes little more time than the changed records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The text of a file with the new and changed records, and with title and note.
    changed: String,
    /// The records that only the earlier version has, also by another spelling of the name.
    removed: Vec<RecordRef>,
}

impl Difference {
    /// Returns its approximate size, in bytes.
    pub fn size(&self) -> usize {
        self.changed.len()
    }
}

impl Document {
    /// Returns the difference to an earlier version, without positions and other drawn elements.
    pub fn difference_from(&self, earlier: &Self) -> Difference {
        let mut changed = Self {
            info: self.info.clone(),
            ..Self::default()
        };
        let mut removed = vec![];
        for kind in Kind::ALL {
            let mut known = map_of(
                earlier
                    .table(kind)
                    .into_iter()
                    .map(|(n, view)| (n, (n, view))),
            );
            for (name, view) in self.table(kind) {
                let record = view.to_record();
                match known.remove(name) {
                    Some((known, view)) if known.same_spelling(name) => {
                        if !record.is_same(&view.to_record()) {
                            changed.put(name.clone(), record);
                        }
                    }
                    other => {
                        let other = other.map(|(name, _)| RecordRef::new(kind, name.clone()));
                        removed.extend(other);
                        changed.put(name.clone(), record);
                    }
                }
            }
            let gone = known.into_keys().cloned();
            removed.extend(gone.map(|name| RecordRef::new(kind, name)));
        }
        Difference {
            changed: changed.to_json(),
            removed,
        }
    }

    /// Returns the later version of this document, without positions and other drawn elements.
    ///
    /// # Errors
    /// Returns an error if the difference wasn't made by [`Document::difference_from`].
    pub fn with_difference(&self, difference: &Difference) -> Result<Self, FileError> {
        let changed = Self::from_json(&difference.changed)?;
        let mut later = Self {
            info: changed.info.clone(),
            layout: Layout::default(),
            ..self.clone()
        };
        for record in &difference.removed {
            later.take(record);
        }
        for (record, view) in changed.views() {
            later.put(record.name.clone(), view.to_record());
        }
        Ok(later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edit;

    const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
    const GUARD: &str = include_str!("../../../public/examples/night-guard.taskloom.json");

    fn undrawn(document: &Document) -> Document {
        Document {
            layout: Layout::default(),
            ..document.clone()
        }
    }

    fn check(earlier: &Document, later: &Document) -> Difference {
        let difference = later.difference_from(earlier);
        let made = earlier.with_difference(&difference).unwrap();
        assert_eq!(undrawn(later).to_json(), made.to_json());
        difference
    }

    #[test]
    fn leads_from_one_version_to_another() {
        let [ball, guard] = [BALL, GUARD].map(|text| Document::from_json(text).unwrap());
        check(&ball, &guard);
        check(&guard, &ball);
        for record in ball.records() {
            let removed = ball.apply(&Edit::RemoveWithUses(record.clone())).unwrap();
            check(&ball, &removed);
            check(&removed, &ball);
            let upper = record.name.as_str().to_ascii_uppercase().parse().unwrap();
            let renamed = ball.apply(&Edit::Rename(record, upper)).unwrap();
            check(&ball, &renamed);
        }
    }

    #[test]
    fn shared_records_are_not_part_of_it() {
        let ball = Document::from_json(BALL).unwrap();
        let same = check(&ball, &ball);
        assert!(same.size() < 500, "{}", same.changed);
    }
}
