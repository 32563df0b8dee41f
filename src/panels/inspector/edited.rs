//! A record that is edited in an inspector.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::{Field, Name, RecordRef, RecordType};

use crate::session::Session;

/// A record of a known kind: its data as a signal, and the edits to it.
pub struct Edited<R: RecordType> {
    session: Session,
    name: StoredValue<Name>,
    data: Memo<Option<Arc<R>>>,
}

impl<R: RecordType> Clone for Edited<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: RecordType> Copy for Edited<R> {}

impl<R: RecordType> Edited<R> {
    /// Follows the record of this name.
    pub fn new(session: Session, name: Name) -> Self {
        Self {
            session,
            data: session.open.follow(name.clone()),
            name: StoredValue::new(name),
        }
    }

    /// Returns its name.
    pub fn name(self) -> Name {
        self.name.get_value()
    }

    /// Returns a reference to the record in the document.
    pub fn record(self) -> RecordRef {
        RecordRef::new(R::KIND, self.name())
    }

    /// Returns a part of the record as a signal, with the default once the record is gone.
    pub fn memo<T: Default + PartialEq + Send + Sync + 'static>(
        self,
        of: impl Fn(&R) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        let data = self.data;
        Memo::new(move |_| data.with(|data| data.as_deref().map(&of).unwrap_or_default()))
    }

    /// Focuses one of its fields.
    pub fn focus(self, field: Field) {
        let record = self.record();
        self.session.desk.focus_field(Place {
            record,
            field,
            span: None,
        });
    }

    /// Changes it as one undo step; `label` as in `Move a goal of`.
    pub fn change(self, label: &str, change: impl FnOnce(&mut R)) {
        let name = self.name();
        self.session
            .change(&name, &format!("{label} {name}"), change);
    }

    /// Changes it like [`Edited::change`], merged with earlier and later typing into the same
    /// field.
    pub fn typed(self, label: &str, field: &str, change: impl FnOnce(&mut R)) {
        let name = self.name();
        let key = format!("{}/{name}/{field}", R::KIND.label());
        let label = format!("{label} {name}");
        self.session.change_typing(&name, &label, &key, change);
    }
}
