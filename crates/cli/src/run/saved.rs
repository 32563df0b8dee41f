//! Saved states of runs: reading one, continuing from it, and writing one.

use std::path::Path;

use taskloom_domain::Domain;
use taskloom_runtime::SavedSimulation;

use crate::output::write_files;
use crate::read::read;
use crate::running::{Executed, RunOptions, continue_within_limits};
use crate::search::Limits;
use crate::{Failure, say};

/// Reads a saved state, of this scenario if one was requested.
///
/// # Errors
/// If the file can't be read, isn't a saved state, or is one of another scenario.
pub fn read_state(
    path: &str,
    scenario: Option<&str>,
    limits: &Limits,
) -> Result<SavedSimulation, Failure> {
    let text = read(path, limits)?.text;
    let saved: SavedSimulation = serde_json::from_str(&text).map_err(|error| {
        Failure::Input(format!(
            "error: {path}: this is not the saved state of a run: {error}"
        ))
    })?;
    let own = saved.scenario();
    match scenario.filter(|requested| !own.as_str().eq_ignore_ascii_case(requested)) {
        Some(requested) => Err(Failure::Input(format!(
            "error: {path} is a state of scenario '{own}', not of '{requested}': leave out --scenario"
        ))),
        None => Ok(saved),
    }
}

/// Continues a run from a state that was read from this file. Warns of what no longer exists.
///
/// # Errors
/// If the state can't be loaded, or a limit is reached before the run continues.
pub fn continue_run(
    domain: &Domain,
    (from, path): (SavedSimulation, &str),
    limits: &Limits,
    options: RunOptions,
) -> Result<Executed, Failure> {
    let result = limits.result(continue_within_limits(domain, from, limits, options))?;
    let (executed, dropped) =
        result.map_err(|error| Failure::Input(format!("error: {path}: {error}")))?;
    for dropped in dropped {
        say(&format!("warning: {path}: {dropped}"));
    }
    Ok(executed)
}

/// Writes the state at the end of a run; warns if it was stopped within a tick, and has none.
///
/// # Errors
/// If it can't be written.
pub fn write_state(path: &Path, saved: Option<SavedSimulation>) -> Result<(), Failure> {
    let Some(saved) = saved else {
        say(&format!(
            "warning: {} was not written: the run was stopped within a tick",
            path.display()
        ));
        return Ok(());
    };
    let text = serde_json::to_string(&saved);
    let text = text.map_err(|error| Failure::Internal(error.to_string()))?;
    write_files([(path, &*(text + "\n"))])
}
