//! Finds and runs programs. Children inherit the terminal, so their progress is visible.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::failure::{Failure, Result};

/// Returns the first program of this name on the PATH; an absolute path is found as is.
pub fn find(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

/// Returns the program of this name in a folder.
pub fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    which::which_in(name, Some(folder), folder).ok()
}

/// Returns `true` if `program --version` prints an accepted version.
pub fn has_version(program: &Path, is_right: impl Fn(&str) -> bool) -> bool {
    let output = answer(Command::new(program).arg("--version")).unwrap_or_default();
    let mut words = output.split_whitespace();
    words.any(|word| is_right(word.trim_start_matches('v')))
}

/// Runs a program to its end; returns `true` if it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.status().map_err(|error| {
        let name = command.get_program().to_string_lossy();
        Failure::new(
            format!("could not start `{name}`: {error}."),
            format!("check that `{name}` is installed, then run the same command again."),
        )
    })?;
    Ok(status.success())
}

/// Runs a program that must succeed; `advice` is for the user if it fails.
pub fn run(command: &mut Command, advice: &str) -> Result<()> {
    if succeeds(command)? {
        return Ok(());
    }
    let what = format!("`{}` failed; see its output above.", shown(command));
    Err(Failure::new(what, advice))
}

/// Returns a program's standard output, or `None` if it fails.
pub fn answer(command: &mut Command) -> Option<String> {
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Returns the command as typed in a shell.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}
