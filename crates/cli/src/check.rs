//! `taskloom check`.

use crate::args::InputArgs;
use crate::input::Files;
use crate::search::Limits;
use crate::{Exit, Failure, say};

pub fn run(input: &InputArgs, limits: &Limits) -> Result<Exit, Failure> {
    let files = Files::read(input, limits)?;
    let opened = files.open(limits)?;
    opened.refuse_errors(|_| true)?;
    let warnings = opened.report();
    if !warnings.is_empty() {
        say(&warnings);
    }
    Ok(Exit::Success)
}
