//! Which record of a document another document's record became.

use taskloom_core::document::{Document, RecordRef};
use taskloom_core::lang::{TokenKind, lex};

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

/// How many times a record is named elsewhere: in texts, as a type, or in a list.
pub fn uses(document: &Document, record: &RecordRef) -> usize {
    let mut count = 0;
    document.visit_texts(|place, _, _, text| {
        let own = place == record;
        count += lex(text)
            .iter()
            .filter(|token| token.kind == TokenKind::Name)
            .filter_map(|token| text.get(token.span.range()))
            .filter(|word| !own && record.name == **word)
            .count();
    });
    count
}
