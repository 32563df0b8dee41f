//! The reason why an edit is rejected.

use std::fmt;

/// The reason why an edit was rejected. The document is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditError {
    /// One sentence for the designer.
    pub message: String,
}

impl EditError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for EditError {}
