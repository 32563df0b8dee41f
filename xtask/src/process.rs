//! Programs: where they are, and how they run. A child has our terminal, so what it says of its progress is seen.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::failure::{Failure, Result};

/// The first program of this name on the PATH; a whole path is found on any.
pub fn find(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

/// The program of this name in a folder.
pub fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    which::which_in(name, Some(folder), folder).ok()
}

/// Whether `program --version` prints such a version.
pub fn has_version(program: &Path, is_right: impl Fn(&str) -> bool) -> bool {
    let told = answer(Command::new(program).arg("--version")).unwrap_or_default();
    let mut words = told.split_whitespace();
    words.any(|word| is_right(word.trim_start_matches('v')))
}

/// Runs a program to its end; whether it succeeded.
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

/// Runs a program and demands success; `advice` tells what to do when it fails.
pub fn run(command: &mut Command, advice: &str) -> Result<()> {
    if succeeds(command)? {
        return Ok(());
    }
    let what = format!(
        "`{}` did not succeed; its last lines are above.",
        shown(command)
    );
    Err(Failure::new(what, advice))
}

/// What a quick program prints to its standard output, or nothing if it fails.
pub fn answer(command: &mut Command) -> Option<String> {
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}
