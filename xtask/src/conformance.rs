//! `cargo xtask conformance`: makes the conformance vectors, replays them in each runtime, and compares the
//! logs. conformance/README.md describes both.

mod compare;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{
    failure::{Failure, OnPath, Result},
    files, process,
};
use compare::{Verdict, verdict};

/// The exit status of a runner whose runtime doesn't support a vector.
const UNSUPPORTED: i32 = 3;

/// The maximum number of differences that are printed for a runtime.
const SHOWN: usize = 5;

/// A runtime, with the command that replays a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    name: String,
    command: Vec<String>,
}

/// Parses a runtime: `NAME=COMMAND`.
pub fn runtime(text: &str) -> std::result::Result<Runtime, String> {
    let (name, command) = text.split_once('=').unwrap_or_default();
    let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    match name.is_empty() || command.is_empty() {
        true => Err(format!("'{text}' is not a runtime: use NAME=COMMAND")),
        false => Ok(Runtime {
            name: name.to_owned(),
            command,
        }),
    }
}

/// The results of a runtime.
#[derive(Debug, Default)]
struct Results {
    identical: usize,
    /// The vectors with other logs, and the first difference of each.
    different: Vec<(String, String)>,
    /// The numbers of vectors that are not supported, by the reason.
    unsupported: BTreeMap<String, usize>,
}

pub fn run(root: &Path, others: &[Runtime]) -> Result<bool> {
    let vectors = make(root)?;
    let mut runtimes = vec![reference(root)?];
    runtimes.extend_from_slice(others);
    let mut table = vec![];
    for runtime in &runtimes {
        table.push((runtime.name.clone(), replay_all(root, runtime, &vectors)?));
    }
    print(&table);
    Ok(table
        .iter()
        .all(|(_, results)| results.different.is_empty()))
}

/// Makes all vectors. Returns their paths.
fn make(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join("target/conformance");
    if folder.exists() {
        fs::remove_dir_all(&folder).on("empty", &folder)?;
    }
    let mut cargo = cargo(root);
    cargo.args([
        "test",
        "--quiet",
        "--package",
        "taskloom-runtime",
        "--test",
        "it",
    ]);
    cargo.args(["--", "conformance::stored_vectors_are_current"]);
    cargo.env("TASKLOOM_CONFORMANCE", &folder);
    let advice = "set UPDATE_EXPECT=1 if the stored vectors should change.";
    process::run(&mut cargo, advice)?;
    files::files_ending_with(&folder, ".json")
}

/// Builds the runner of the reference.
fn reference(root: &Path) -> Result<Runtime> {
    let mut cargo = cargo(root);
    cargo.args([
        "build",
        "--quiet",
        "--package",
        "taskloom",
        "--example",
        "replay",
    ]);
    process::run(&mut cargo, "fix the errors shown above.")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root.join("target"));
    let program = target.join("debug/examples/replay");
    Ok(Runtime {
        name: "rust".to_owned(),
        command: vec![program.display().to_string()],
    })
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.env_remove("CARGO").current_dir(root);
    cargo
}

fn replay_all(root: &Path, runtime: &Runtime, vectors: &[PathBuf]) -> Result<Results> {
    let mut results = Results::default();
    for path in vectors {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let expected = expected(path)?;
        match replay(root, runtime, path)? {
            Ok(lines) => match verdict(&expected, &lines) {
                Verdict::Identical => results.identical += 1,
                Verdict::Different(why) => results.different.push((name, why)),
            },
            Err(Some(reason)) => *results.unsupported.entry(reason).or_default() += 1,
            Err(None) => {
                let why = "the runner failed; see its errors".to_owned();
                results.different.push((name, why));
            }
        }
    }
    Ok(results)
}

/// Returns the log that a vector expects.
fn expected(path: &Path) -> Result<Vec<Value>> {
    let unreadable = |why: String| {
        let what = format!("could not read {}: {why}.", path.display());
        Failure::new(what, "run the same command again.")
    };
    let text = fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let vector: Value =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let log = vector["log"].as_array();
    log.cloned()
        .ok_or_else(|| unreadable("it has no log".to_owned()))
}

/// Replays a vector. Returns the output, or the reason why the vector isn't supported; `None` if the runner
/// failed.
fn replay(
    root: &Path,
    runtime: &Runtime,
    path: &Path,
) -> Result<std::result::Result<String, Option<String>>> {
    let [program, arguments @ ..] = runtime.command.as_slice() else {
        return Ok(Err(None));
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(path)
        .current_dir(root)
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| {
        let what = format!("could not start `{program}`: {error}.");
        Failure::new(what, "check the command of the runtime.")
    })?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(Ok(String::from_utf8_lossy(&output.stdout).into_owned()));
    }
    if output.status.code() == Some(UNSUPPORTED) {
        let reason = errors.lines().next().unwrap_or("no reason given");
        return Ok(Err(Some(reason.to_owned())));
    }
    eprintln!("{}: {}", path.display(), errors.trim_end());
    Ok(Err(None))
}

fn print(table: &[(String, Results)]) {
    let widest = table.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let widest = widest.max("runtime".len());
    println!("{:<widest$}  identical  different  unsupported", "runtime");
    for (name, results) in table {
        let unsupported: usize = results.unsupported.values().sum();
        let different = results.different.len();
        println!(
            "{name:<widest$}  {:>9}  {different:>9}  {unsupported:>11}",
            results.identical
        );
    }
    for (name, results) in table {
        for (vector, why) in results.different.iter().take(SHOWN) {
            println!("\n{name}: {vector} is different: {why}");
        }
        for (reason, count) in &results.unsupported {
            println!("\n{name}: {count} not supported: {reason}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_is_a_name_and_a_command() {
        let named = |name: &str, command: &[&str]| Runtime {
            name: name.to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
        };
        assert_eq!(
            runtime("cpp=build/replay"),
            Ok(named("cpp", &["build/replay"]))
        );
        assert_eq!(
            runtime("cs=mono a.exe -q"),
            Ok(named("cs", &["mono", "a.exe", "-q"]))
        );
        for wrong in ["", "cpp", "=build/replay", "cpp="] {
            let error = runtime(wrong).expect_err(wrong);
            assert_eq!(
                error,
                format!("'{wrong}' is not a runtime: use NAME=COMMAND")
            );
        }
    }
}
