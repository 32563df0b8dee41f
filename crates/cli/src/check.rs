//! `taskloom check`.

use taskloom::document::diagnostic::Severity;

use crate::args::InputArgs;
use crate::input::Files;
use crate::search::Limits;
use crate::{Exit, Failure, say};

pub fn run(input: &InputArgs) -> Result<Exit, Failure> {
    let opened = Files::read(input)?.open(&Limits::none().stop())?;
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
