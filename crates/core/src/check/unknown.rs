//! Names that nothing has, outside of texts (in those, typing finds them).
//!
//! ```text
//! superior: captian      no agent is called so; did you mean 'captain'?
//! ```

use crate::diagnostic::Diagnostic;
use crate::document::{Edit, Field, Name};
use crate::lang::nearest;

use super::findings::Findings;

/// What was looked for, and where.
pub(super) struct Sought<'a> {
    /// What a finding is called: `unknown-type`.
    pub code: &'static str,
    /// What should have the name: `type`.
    pub what: &'static str,
    /// Where the name stands.
    pub field: Field,
    /// The name.
    pub name: &'a Name,
}

/// Reports a name that is not among those there are; `mended` gives the change
/// to one that may have been meant.
pub(super) fn report<'f, 'n>(
    findings: &'f mut Findings,
    sought: Sought,
    names: impl IntoIterator<Item = &'n Name>,
    mended: impl Fn(Name) -> Option<Edit>,
) -> &'f mut Diagnostic {
    let names: Vec<Name> = names.into_iter().cloned().collect();
    let near = nearest(sought.name.as_str(), &names);
    let mut message = format!("No {} is called '{}'", sought.what, sought.name);
    match near.first() {
        Some(first) => message += &format!("; did you mean '{first}'?"),
        None => message.push('.'),
    }
    let finding = findings.error(sought.code, sought.field, message);
    for meant in near {
        let edit = Name::new(&meant).ok().and_then(&mended);
        if let Some(edit) = edit {
            finding.fix(format!("Change to '{meant}'"), edit);
        }
    }
    finding
}
