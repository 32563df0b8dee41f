//! The programs that exports are tried with, and the documents that are tried.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use taskloom::document::Document;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A shipped example.
pub fn example(name: &str) -> Document {
    let file = root().join(format!("public/examples/{name}.taskloom.json"));
    let text = fs::read_to_string(&file).expect("an example is there");
    Document::from_json(&text).expect("an example opens")
}

/// A program that the environment names in a variable. Where there is none, the
/// test is skipped and says so; in continuous integration it fails.
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
    // Unlike what is printed, this is seen though the test passes.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
    None
}

/// Mono's compiler and its runtime.
pub fn mono(test: &str) -> Option<(PathBuf, PathBuf)> {
    let compiler = program("TASKLOOM_MCS", test)?;
    Some((compiler, program("TASKLOOM_MONO", test)?))
}

/// An empty folder of the test's own.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// What a program prints; that it failed fails the test.
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
