//! `taskloom check`.

use taskloom_core::diagnostic::Severity;

use crate::args::InputArgs;
use crate::{Exit, Failure, input, say};

pub fn run(input: &InputArgs) -> Result<Exit, Failure> {
    let opened = input::open(input)?;
    opened.refuse_errors(|_| true)?;
    for finding in &opened.findings {
        say(&finding.text);
    }
    let warnings = opened
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Warning);
    match warnings.count() {
        0 => {}
        1 => say("1 warning"),
        warnings => say(&format!("{warnings} warnings")),
    }
    Ok(Exit::Success)
}
