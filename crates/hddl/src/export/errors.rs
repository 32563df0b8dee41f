//! The errors of an export.

use taskloom_document::diagnostic::{Diagnostic, Place as Location, Severity};
use taskloom_document::{Field, RecordRef};

/// Returns a location in a record, to begin a sentence with.
pub fn location_of(record: &RecordRef, field: &Field) -> String {
    let part = match field {
        Field::Precondition(number) => format!("precondition {} of ", number + 1),
        Field::Effect(number) => format!("effect {} of ", number + 1),
        Field::BlockText(block) => format!("block {block} of "),
        Field::Task(number) => format!("task {} of ", number + 1),
        Field::Goal => "the goal of ".to_owned(),
        Field::Method => "the method of ".to_owned(),
        _ => String::new(),
    };
    format!("{part}{} '{}'", record.kind.label(), record.name)
}

/// Returns the error for too many formulas, effects or methods.
pub fn too_large(record: &RecordRef, field: &Field) -> String {
    format!(
        "{} is too large once quantifiers, conditions and cases are expanded over all \
         objects: export to 'full-hddl', which keeps them, or use fewer objects",
        location_of(record, field)
    )
}

pub fn export_error(record: RecordRef, field: Field, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "export",
        place: Location {
            record,
            field,
            span: None,
        },
        message,
        fixes: vec![],
    }
}
