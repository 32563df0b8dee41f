//! A record that an inspector edits.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Name, RecordRef};

use crate::session::{Session, Typed};

/// A record of a known kind: its data as they change, and how to change them.
pub struct Edited<R: Typed> {
    session: Session,
    name: StoredValue<Name>,
    data: Memo<Option<Arc<R>>>,
}

impl<R: Typed> Clone for Edited<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Typed> Copy for Edited<R> {}

impl<R: Typed> Edited<R> {
    /// The record of this name.
    pub fn new(session: Session, name: Name) -> Self {
        Self {
            session,
            data: session.follow(name.clone()),
            name: StoredValue::new(name),
        }
    }

    /// Its name.
    pub fn name(self) -> Name {
        self.name.get_value()
    }

    /// The record in the document.
    pub fn record(self) -> RecordRef {
        RecordRef::new(R::KIND, self.name())
    }

    /// Something of it; what is said of nothing once it is no more.
    pub fn memo<T: Default + PartialEq + Send + Sync + 'static>(
        self,
        of: impl Fn(&R) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        let data = self.data;
        Memo::new(move |_| data.with(|data| data.as_deref().map(&of).unwrap_or_default()))
    }

    /// Changes it as one step of undo; `label` as in `Move a goal of`.
    pub fn change(self, label: &str, change: impl FnOnce(&mut R)) {
        let name = self.name();
        self.session
            .change(&name, &format!("{label} {name}"), change);
    }

    /// As [`Edited::change`], merged with what is typed into the same field before and after.
    pub fn typed(self, label: &str, field: &str, change: impl FnOnce(&mut R)) {
        let name = self.name();
        let key = format!("{}/{name}/{field}", R::KIND.label());
        let label = format!("{label} {name}");
        self.session.change_typing(&name, &label, &key, change);
    }
}
