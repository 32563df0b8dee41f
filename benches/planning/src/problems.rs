//! Finds the problems.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{Result, on};

/// A problem with its domain.
pub struct Problem {
    /// Its name, such as `total-order/Rover/pfile02`.
    pub name: String,
    pub domain: PathBuf,
    pub problem: PathBuf,
}

/// Returns the problems whose names contain one of these, or all if none is given.
pub fn named(root: &Path, names: &[String]) -> Result<Vec<Problem>> {
    let folder = folder(root)?;
    let mut problems = vec![];
    collect(&folder, &folder, &mut problems)?;
    problems.retain(|problem| {
        names.is_empty()
            || names
                .iter()
                .any(|part| problem.name.contains(part.as_str()))
    });
    if problems.is_empty() {
        return Err(format!(
            "no matching problems in {}: set TASKLOOM_IPC to a folder of domains, or give part of a problem's name.",
            folder.display()
        ));
    }
    Ok(problems)
}

/// Returns the folder of the competition's files, or of our own.
fn folder(root: &Path) -> Result<PathBuf> {
    let named = env::var_os("TASKLOOM_IPC").map(PathBuf::from);
    let ours = ["../shared/ipc2020", "tests/hddl"].map(|folder| root.join(folder));
    let mut candidates = named.into_iter().chain(ours);
    let found = candidates.find(|folder| folder.is_dir());
    found.ok_or_else(|| "there is no folder of planning problems: set TASKLOOM_IPC to one.".into())
}

/// Collects problems. A domain is `domain.hddl` next to its problems, or `NAME-domain.hddl` next to
/// `NAME.hddl`.
fn collect(top: &Path, folder: &Path, found: &mut Vec<Problem>) -> Result<()> {
    let entries = on(folder, fs::read_dir(folder))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        // Small language tests aren't benchmarks.
        if file.is_dir() && !file.ends_with("feature-tests") {
            collect(top, &file, found)?;
        }
        let relative = file.strip_prefix(top).unwrap_or(&file).to_string_lossy();
        let Some(name) = relative.strip_suffix(".hddl") else {
            continue;
        };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let own = file.with_file_name(format!("{stem}-domain.hddl"));
        let shared = file.with_file_name("domain.hddl");
        let Some(domain) = [own, shared].into_iter().find(|domain| domain.is_file()) else {
            continue;
        };
        if domain != file && !name.ends_with("-domain") {
            found.push(Problem {
                name: name.replace('\\', "/"),
                domain,
                problem: file.clone(),
            });
        }
    }
    Ok(())
}
