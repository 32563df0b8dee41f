//! Which record of a document another document's record became.

use taskloom::document::{Document, RecordRef};

/// The record with the same name; where that is gone and just one record of its
/// kind is new, that one: it was renamed. None: it is no more.
pub fn successor(before: &Document, after: &Document, record: &RecordRef) -> Option<RecordRef> {
    if let Some(found) = after.spelled(record) {
        return Some(found);
    }
    let mut fresh = after
        .names(record.kind)
        .into_iter()
        .filter(|name| !before.contains(&RecordRef::new(record.kind, (*name).clone())));
    let (only, other) = (fresh.next()?, fresh.next());
    let gone = before
        .names(record.kind)
        .into_iter()
        .filter(|name| !after.contains(&RecordRef::new(record.kind, (*name).clone())))
        .count();
    (other.is_none() && gone == 1).then(|| RecordRef::new(record.kind, only.clone()))
}
