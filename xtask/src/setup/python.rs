//! A Python of our own with the planners that check exported HDDL.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest, Sha256};

use super::{Step, cache::Cache, system};
use crate::{
    build::hex,
    console,
    failure::{OnPath, Result},
    process, programs,
};

/// Written last: an environment without it was interrupted and is made anew.
const STAMP: &str = "complete";

/// The environment's python, or nothing where no Python can make one.
pub fn find_or_install(root: &Path, cache: &Cache, step: &Step) -> Result<Option<PathBuf>> {
    let requirements = root.join("tests").join("requirements.txt");
    let wanted = fs::read(&requirements).on("read", &requirements)?;
    let name = format!("python-{}", &hex(&Sha256::digest(wanted))[..12]);
    // An environment holds its own address, so it is made where it stays.
    let folder = cache.tool(&name);
    let python = folder.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    let stamp = folder.join(STAMP);
    if stamp.is_file() && process::answer(Command::new(&python).arg("--version")).is_some() {
        step.note("are in the cache");
        return Ok(Some(python));
    }
    let Some(system_python) = python_with_venv(step)? else {
        step.note("found no Python 3 with its venv module");
        return Ok(None);
    };
    if folder.exists() {
        fs::remove_dir_all(&folder).on("replace", &folder)?;
    }
    step.note(&format!("pip installs into {}", folder.display()));
    let advice = "check that pip can reach its registry, then run the same command again.";
    process::require(
        "python -m venv",
        Command::new(system_python)
            .args(["-m", "venv"])
            .arg(&folder),
        advice,
    )?;
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "-r",
    ])
    .arg(&requirements);
    let outcome = process::require("pip install", &mut pip, advice)?;
    fs::write(&stamp, "").on("write", &stamp)?;
    step.note(&format!(
        "installed in {}",
        console::elapsed(outcome.elapsed)
    ));
    Ok(Some(python))
}

/// Debian ships Python without what makes environments, until its package python3-venv is there.
fn python_with_venv(step: &Step) -> Result<Option<PathBuf>> {
    let candidates = || {
        let on_path = ["python3", "python"].into_iter().filter_map(programs::find);
        on_path.chain([PathBuf::from("/usr/bin/python3")])
    };
    let makes_environments = |python: &PathBuf| {
        process::answer(Command::new(python).args([
            "-c",
            "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))",
        ]))
        .is_some()
    };
    if let Some(python) = candidates().find(makes_environments) {
        return Ok(Some(python));
    }
    system::install(step, &["python3", "python3-venv"])?;
    Ok(candidates().find(makes_environments))
}
