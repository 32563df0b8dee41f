//! `taskloom check`.

use crate::args::InputArgs;
use crate::input::Files;
use crate::search::Limits;
use crate::{Exit, Failure};

pub fn run(input: &InputArgs, limits: &Limits) -> Result<Exit, Failure> {
    Files::read(input, limits)?.open(limits)?.check()?;
    Ok(Exit::Success)
}
