//! A table whose values are computed on demand.

use std::sync::{Arc, OnceLock};

use taskloom_document::Name;

/// A table of records with a value for each, computed once when it is first requested.
#[derive(Debug)]
pub(crate) struct LazyTable<R, T>(Vec<Row<R, T>>);

#[derive(Debug)]
struct Row<R, T> {
    name: Name,
    record: R,
    value: OnceLock<Arc<T>>,
}

impl<R, T> LazyTable<R, T> {
    /// Creates a table of these records, which are sorted by name, without computing anything.
    pub fn new<'n>(records: impl Iterator<Item = (&'n Name, R)>) -> Self {
        let rows = records.map(|(name, record)| Row {
            name: name.clone(),
            record,
            value: OnceLock::new(),
        });
        Self(rows.collect())
    }

    /// Creates a table of these records with the values of this table for which `is_same` returns
    /// `true`; it receives the name, the old record, the new one and the value.
    pub fn renewed<'n>(
        &self,
        records: impl Iterator<Item = (&'n Name, R)>,
        is_same: impl Fn(&Name, &R, &R, &T) -> bool,
    ) -> Self {
        let renewed = Self::new(records);
        let mut old = self.0.iter().peekable();
        for row in &renewed.0 {
            while old.next_if(|old| old.name < row.name).is_some() {}
            let Some(old) = old.next_if(|old| old.name == row.name) else {
                continue;
            };
            if let Some(value) = old.value.get()
                && is_same(&row.name, &old.record, &row.record, value)
            {
                row.value.get_or_init(|| value.clone());
            }
        }
        renewed
    }

    /// Returns the value for a record, computing it with `make` if necessary; `None` if there is no
    /// such record.
    pub fn get(&self, name: &Name, make: impl FnOnce(&R) -> T) -> Option<&T> {
        self.shared(name, make).map(|value| &**value)
    }

    /// Returns the value as [`get`](Self::get) does, to be shared.
    pub fn shared(&self, name: &Name, make: impl FnOnce(&R) -> T) -> Option<&Arc<T>> {
        let index = self.0.binary_search_by(|row| row.name.cmp(name));
        let row = self.0.get(index.ok()?)?;
        Some(row.value.get_or_init(|| Arc::new(make(&row.record))))
    }
}
