//! A table whose values are computed on demand.

use std::sync::OnceLock;

use taskloom_document::Name;

/// A table of records with a value for each, computed once when it is first requested.
#[derive(Debug)]
pub(crate) struct LazyTable<R, T>(Vec<(Name, R, OnceLock<Box<T>>)>);

impl<R, T> LazyTable<R, T> {
    /// Creates a table of these records without computing anything.
    pub fn new<'n>(records: impl Iterator<Item = (&'n Name, R)>) -> Self {
        let records = records.map(|(name, record)| (name.clone(), record, OnceLock::new()));
        Self(records.collect())
    }

    /// Returns the value for a record, computing it with `make` if necessary; `None` if there is no
    /// such record.
    pub fn get(&self, name: &Name, make: impl FnOnce(&R) -> T) -> Option<&T> {
        let (_, record, made) = self.0.get(self.index_of(name)?)?;
        Some(made.get_or_init(|| Box::new(make(record))))
    }

    /// Discards the value for a record, so that it is computed again.
    pub fn forget(&mut self, name: &Name) {
        if let Some(index) = self.index_of(name) {
            self.0[index].2 = OnceLock::new();
        }
    }

    fn index_of(&self, name: &Name) -> Option<usize> {
        let index = self.0.binary_search_by(|(other, ..)| other.cmp(name));
        index.ok()
    }
}
