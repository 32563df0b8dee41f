//! The difference of two versions of a document, for a program that has the earlier one.

use serde::{Deserialize, Serialize};

use super::file::FileError;
use super::record::{Kind, RecordRef};
use super::{Document, Layout, Name};

/// The records that differ in two versions of a document. Only what changed is written; records that both versions
/// share are recognized without comparing them.
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
            let mut remove = |name: &Name| removed.push(RecordRef::new(kind, name.clone()));
            // Both tables are in the order of names.
            let mut known = earlier.table(kind).into_iter().peekable();
            for (name, view) in self.table(kind) {
                while let Some((gone, _)) = known.next_if(|(known, _)| *known < name) {
                    remove(gone);
                }
                match known.next_if(|(known, _)| *known == name) {
                    Some((known, _)) if !known.same_spelling(name) => remove(known),
                    Some((_, known)) if known.is_same(view) => continue,
                    _ => {}
                }
                changed.put(name.clone(), view.to_record());
            }
            known.for_each(|(gone, _)| remove(gone));
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
