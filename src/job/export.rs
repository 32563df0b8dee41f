//! Exports in the worker: templates stay out of the page.

use taskloom_core::document::{Document, Name};

use super::message::{Exported, Format};

/// The files of an export, or why there are none.
pub fn export(
    _document: &Document,
    _scenario: Option<Name>,
    _format: Format,
) -> Result<Exported, String> {
    Err("exporters are not there yet".to_owned())
}
