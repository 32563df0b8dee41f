//! Reports unknown names outside texts (typing reports those in texts).
//!
//! ```text
//! cast: captian          there is no such agent; did you mean 'captain'?
//! ```

use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::{Edit, Field, Name};

use super::findings::Findings;

/// A name that wasn't found, and its place.
pub(super) struct UnknownName<'a> {
    /// The code of the diagnostic: `unknown-type`.
    pub code: &'static str,
    /// The kind of thing that should have the name: `type`.
    pub what: &'static str,
    /// The field with the name.
    pub field: Field,
    /// The name.
    pub name: &'a Name,
}

/// Reports a name that isn't one of `names`.
pub(super) fn report<'f, 'n>(
    findings: &'f mut Findings,
    sought: UnknownName,
    names: impl IntoIterator<Item = &'n Name>,
) -> &'f mut Diagnostic {
    let record = findings.record.clone();
    let near = findings
        .near
        .to(sought.name, (sought.what, None), names, |_| true);
    let mut message = format!("There is no {} '{}'", sought.what, sought.name);
    match near.first() {
        Some(first) => message += &format!("; did you mean '{first}'?"),
        None => message.push('.'),
    }
    let field = sought.field.clone();
    let finding = findings.error(sought.code, sought.field, message);
    for meant in near {
        if let Ok(name) = Name::new(&meant) {
            let edit = Edit::SetName(record.clone(), field.clone(), name);
            finding.fix(format!("Change to '{meant}'"), edit);
        }
    }
    finding
}
