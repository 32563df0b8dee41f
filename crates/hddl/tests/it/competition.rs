//! The files of the planning competition, if there is a folder with them: `TASKLOOM_IPC`, or
//! `../shared/ipc2020` next to the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// A domain and a problem.
pub struct Pair {
    /// The folder and file.
    pub name: String,
    pub domain: PathBuf,
    pub problem: PathBuf,
}

fn folder() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match std::env::var_os("TASKLOOM_IPC") {
        Some(folder) => PathBuf::from(folder),
        None => workspace.join("../shared/ipc2020"),
    }
}

/// Returns the plans for feature tests: names as in [`pairs`], and files.
pub fn plans() -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder().join("feature-tests/plans"));
    let mut plans: Vec<_> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let file = entry.path();
            let stem = file.file_stem()?.to_str()?.to_owned();
            Some((format!("feature-tests/{stem}"), file))
        })
        .collect();
    plans.sort();
    plans
}

/// Returns all of them; empty if there is no such folder.
pub fn pairs() -> Vec<Pair> {
    let mut pairs = vec![];
    collect(&folder(), &mut pairs);
    pairs.sort_by(|a: &Pair, b| a.name.cmp(&b.name));
    pairs
}

fn collect(folder: &Path, pairs: &mut Vec<Pair>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    for file in &files {
        if file.is_dir() && !file.ends_with("plans") {
            collect(file, pairs);
        }
        let name = file
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        let Some(stem) = name.strip_suffix(".hddl") else {
            continue;
        };
        if stem == "domain" || stem.ends_with("-domain") {
            continue;
        }
        let own = folder.join(format!("{stem}-domain.hddl"));
        let domain = if own.exists() {
            own
        } else {
            folder.join("domain.hddl")
        };
        let of = folder
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        let track = folder.parent().and_then(|p| p.file_name());
        let track = track.and_then(|n| n.to_str()).unwrap_or_default();
        pairs.push(Pair {
            name: format!("{track}/{of}/{stem}"),
            domain,
            problem: file.clone(),
        });
    }
}
