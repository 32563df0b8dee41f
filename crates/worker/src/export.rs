//! Exports, in the worker because they may take long.

use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name};
use taskloom_export::Target;

use crate::message::{Exported, Format};

/// Returns the files of an export, or the reason why there are none.
pub fn export(
    document: &Document,
    scenario: Option<Name>,
    format: Format,
    stop: &Stop,
) -> Result<Exported, String> {
    let target = match format {
        Format::Json => Target::Json,
        Format::Hddl => Target::Hddl,
        Format::Pddl => Target::Pddl,
        Format::CSharp => Target::CSharp,
    };
    let written = taskloom_export::export_cancellable(document, scenario.as_ref(), target, stop);
    let written =
        written.map_err(|Stopped| "The export took too long and was stopped.".to_owned())?;
    let export = written.map_err(|mistakes| {
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
