//! The programs that test exports, and the documents that are exported.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns a program that an environment variable names. Without it, the test is skipped with a
/// message; in continuous integration it fails.
pub fn program(variable: &str, test: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(path.into());
    }
    let reason = format!("{variable} names no program; `cargo xtask test` finds or installs it");
    let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
    assert!(
        !in_ci,
        "{test}: {reason}; in continuous integration (CI is set) nothing may be skipped"
    );
    // Unlike printed output, this is visible even if the test passes.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
    None
}

/// Returns Mono's compiler and its runtime.
pub fn mono(test: &str) -> Option<(PathBuf, PathBuf)> {
    let compiler = program("TASKLOOM_MCS", test)?;
    Some((compiler, program("TASKLOOM_MONO", test)?))
}

/// Creates an empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Returns the output of a program, and panics if it fails.
pub fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?} failed:\n{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}
