//! Where programs are.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use crate::process;

/// The first program of this name on the PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).find_map(|folder| in_folder(&folder, name))
}

/// The program of this name in a folder; Windows adds an ending to it.
pub fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) {
        &[".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    endings
        .iter()
        .map(|ending| folder.join(format!("{name}{ending}")))
        .find(|file| is_runnable(file))
}

/// The PATH with `folders` before all others.
pub fn path_with(folders: &[PathBuf]) -> OsString {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(env::split_paths(&old));
    // A folder whose name holds the separator cannot be on a PATH at all.
    env::join_paths(all).unwrap_or(old)
}

/// The version that `program --version` prints: its first word of digits and dots.
pub fn version(program: &Path) -> Option<String> {
    let text = process::answer(Command::new(program).arg("--version"))?;
    version_in(&text).map(str::to_owned)
}

fn version_in(text: &str) -> Option<&str> {
    text.split_whitespace()
        .map(|word| word.trim_start_matches('v'))
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(unix)]
fn is_runnable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_runnable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        assert_eq!(version_in("trunk 0.21.14"), Some("0.21.14"));
        assert_eq!(version_in("v20.20.2"), Some("20.20.2"));
        assert_eq!(
            version_in("wasm-opt version 132 (version_132)"),
            Some("132")
        );
        assert_eq!(version_in("no digits"), None);
    }
}
