//! Deleting records. If records are used elsewhere, their uses are shown first.

use std::collections::BTreeSet;

use taskloom_document::{Document, Edit, Field, RecordRef};

/// Records to be deleted, and where they are used.
#[derive(Debug, Clone, PartialEq)]
pub struct Deletion {
    /// The records.
    pub records: Vec<RecordRef>,
    /// Other edits of the same step.
    pub(super) extra_edits: Vec<Edit>,
    /// The fields of other records that use them, without duplicates, in file order.
    pub uses: Vec<(RecordRef, Field)>,
}

impl Deletion {
    /// Creates the deletion of records, with other edits, from a document.
    pub(super) fn new(
        document: &Document,
        records: Vec<RecordRef>,
        extra_edits: Vec<Edit>,
    ) -> Self {
        let all = document.uses_of_each(&records).into_iter().flatten();
        let deleted: BTreeSet<&RecordRef> = records.iter().collect();
        let mut seen = BTreeSet::new();
        let uses = all.filter(|(user, field)| {
            // Uses in records that are deleted themselves don't count.
            !deleted.contains(user) && seen.insert((user.clone(), field.clone()))
        });
        Self {
            uses: uses.collect(),
            records,
            extra_edits,
        }
    }

    /// Returns a short description of what is deleted.
    pub fn words(&self) -> String {
        match self.records.as_slice() {
            [] => "frame".to_owned(),
            [one] => format!("{} {}", one.kind.label(), one.name),
            many => format!("{} records", many.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Kind;

    fn deletion(records: &[(Kind, &str)]) -> Deletion {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let records = records.iter();
        let records = records.map(|(kind, name)| RecordRef::new(*kind, name.parse().unwrap()));
        Deletion::new(&document, records.collect(), vec![])
    }

    #[test]
    fn uses_of_a_fact_are_listed_once() {
        let deletion = deletion(&[(Kind::Fact, "box_open")]);
        assert!(deletion.uses.len() >= 4, "{:?}", deletion.uses);
        let once: BTreeSet<_> = deletion.uses.iter().collect();
        assert_eq!(once.len(), deletion.uses.len());
        assert_eq!(deletion.words(), "fact box_open");
    }

    #[test]
    fn uses_in_deleted_records_are_not_listed() {
        let alone = deletion(&[(Kind::Fact, "box_open")]);
        let user = alone.uses[0].0.clone();
        let both = deletion(&[(Kind::Fact, "box_open"), (user.kind, user.name.as_str())]);
        assert!(both.uses.iter().all(|(record, _)| *record != user));
    }
}
