//! Renaming a record or a variable everywhere.

use super::edit::EditError;
use super::{Document, Name, RecordRef};

impl Document {
    pub(super) fn rename(&mut self, record: &RecordRef, _to: &Name) -> Result<(), EditError> {
        self.exists(record)?;
        Err(EditError::new("renaming is not there yet"))
    }
    pub(super) fn rename_variable(
        &mut self,
        record: &RecordRef,
        _from: &Name,
        _to: &Name,
    ) -> Result<(), EditError> {
        self.exists(record)?;
        Err(EditError::new("renaming is not there yet"))
    }
    pub(super) fn remove_with_uses(&mut self, record: &RecordRef) -> Result<(), EditError> {
        self.remove(record)
    }
}
