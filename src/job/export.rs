//! Exports in the worker: they take their time.

use taskloom_core::document::{Document, Name};
use taskloom_core::export::{self, Target};

use super::message::{Exported, Format};

/// The files of an export, or why there are none.
pub fn export(
    document: &Document,
    scenario: Option<Name>,
    format: Format,
) -> Result<Exported, String> {
    let target = match format {
        Format::Json => Target::Json,
        Format::Hddl => Target::Hddl,
        Format::CSharp => Target::CSharp,
    };
    let export = export::export(document, scenario.as_ref(), target).map_err(|mistakes| {
        let mut sentences: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        sentences.truncate(3);
        match mistakes.len().saturating_sub(sentences.len()) {
            0 => {}
            more => sentences.push(format!("and {more} more, see the Problems tab")),
        }
        sentences.join("; ")
    })?;
    let warnings = export.warnings.clone();
    Ok(Exported {
        files: export.packed()?,
        warnings,
    })
}
