//! Matching a record of one document to its successor in another.

use taskloom::document::{Document, RecordRef};

/// Returns the record with the same name; if there is none and exactly one record of its kind is
/// new, returns that one, since it was renamed. Returns `None` if the record no longer exists.
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
