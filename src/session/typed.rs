//! Changes of one record of a known kind.

use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;

use taskloom_core::document::{
    Action, Agent, CompoundTask, Condition, Document, Edit, Fact, Goal, Kind, Name, Object,
    PrimitiveTask, Record, RecordRef, Scenario, Table, Type,
};

use super::Session;

/// A record of one kind, with the table that holds it.
pub trait Typed: Clone + PartialEq + Send + Sync + 'static {
    /// The records of this kind.
    fn table(document: &Document) -> &Table<Self>;
    /// As a record of any kind.
    fn record(self) -> Record;
    /// A record of any kind as one of this.
    fn of(record: &Record) -> Option<&Self>;
}

macro_rules! typed {
    ($($kind:ident $table:ident),*) => {$(
        impl Typed for $kind {
            fn table(document: &Document) -> &Table<Self> {
                &document.$table
            }
            fn record(self) -> Record {
                Record::$kind(Arc::new(self))
            }
            fn of(record: &Record) -> Option<&Self> {
                match record {
                    Record::$kind(record) => Some(record),
                    _ => None,
                }
            }
        }
    )*};
}
typed!(
    Type types, Object objects, Fact facts, Condition conditions, Action actions,
    PrimitiveTask primitive_tasks, CompoundTask compound_tasks, Goal goals, Agent agents,
    Scenario scenarios
);

/// A record of a known kind as it changes. The memo behind it has one type for
/// all kinds, which keeps the program small.
pub struct Followed<R> {
    record: Memo<Option<Record>>,
    kind: PhantomData<fn() -> R>,
}

impl<R> Clone for Followed<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R> Copy for Followed<R> {}

impl<R: Typed> Followed<R> {
    /// Reads it; none where it is no more. Tracked.
    pub fn with<T>(self, read: impl FnOnce(Option<&R>) -> T) -> T {
        self.record
            .with(|record| read(record.as_ref().and_then(R::of)))
    }
}

impl Session {
    /// One record of a known kind.
    pub fn follow<R: Typed>(&self, kind: Kind, name: Name) -> Followed<R> {
        Followed {
            record: self.record(RecordRef::new(kind, name)),
            kind: PhantomData,
        }
    }

    /// Changes a record as one step of undo.
    pub fn change<R: Typed>(&self, name: &Name, label: &str, change: impl FnOnce(&mut R)) {
        if let Some(edit) = self.replacing(name, change) {
            self.commit(label, edit);
        }
    }

    /// As [`Session::change`], merged with the previous step if that had the same key.
    pub fn change_typing<R: Typed>(
        &self,
        name: &Name,
        label: &str,
        key: &str,
        change: impl FnOnce(&mut R),
    ) {
        if let Some(edit) = self.replacing(name, change) {
            self.commit_typing(label, key, edit);
        }
    }

    fn replacing<R: Typed>(&self, name: &Name, change: impl FnOnce(&mut R)) -> Option<Edit> {
        let document = self.document_untracked();
        let mut record = R::clone(R::table(&document).get(name)?);
        change(&mut record);
        Some(Edit::Replace(name.clone(), record.record()))
    }
}
