//! What is made of records when it is asked for.

use std::sync::OnceLock;

use taskloom_document::Name;

/// What is worked out of each record of a table once, when it is first asked for.
#[derive(Debug)]
pub(crate) struct Once<R, T>(Vec<(Name, R, OnceLock<Box<T>>)>);

impl<R, T> Once<R, T> {
    /// Nothing of these records yet.
    pub fn new<'n>(records: impl Iterator<Item = (&'n Name, R)>) -> Self {
        let records = records.map(|(name, record)| (name.clone(), record, OnceLock::new()));
        Self(records.collect())
    }

    /// What `make` makes of a record; nothing where there is no such record.
    pub fn get(&self, name: &Name, make: impl FnOnce(&R) -> T) -> Option<&T> {
        let (_, record, made) = self.0.get(self.place(name)?)?;
        Some(made.get_or_init(|| Box::new(make(record))))
    }

    /// Lets it be made again.
    pub fn forget(&mut self, name: &Name) {
        if let Some(place) = self.place(name) {
            self.0[place].2 = OnceLock::new();
        }
    }

    fn place(&self, name: &Name) -> Option<usize> {
        let place = self.0.binary_search_by(|(other, ..)| other.cmp(name));
        place.ok()
    }
}
