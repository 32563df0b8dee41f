//! A Python environment with the planners that check exported HDDL and that Taskloom is compared
//! with.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    system,
    tools::{Tool, Tools},
};
use crate::{
    failure::{OnPath, Result},
    files::hash_of,
    process,
};

/// Written last: an environment without it was interrupted and is created again.
const STAMP: &str = "complete";

pub struct Planners;

impl Tool for Planners {
    fn find(&self, tools: &mut Tools) -> Result<Option<String>> {
        let folder = folder(tools)?;
        let python = python_in(&folder);
        let works = process::answer(Command::new(&python).arg("--version")).is_some();
        if !works || !folder.join(STAMP).is_file() {
            return Ok(None);
        }
        tools.programs.push(("TASKLOOM_PYTHON", python));
        Ok(Some(folder.display().to_string()))
    }

    fn install(&self, tools: &Tools) -> Result<()> {
        let Some(python) = python_with_venv(tools)? else {
            return Ok(());
        };
        // An environment contains its own path, so it is created in its final location.
        let folder = folder(tools)?;
        if folder.exists() {
            fs::remove_dir_all(&folder).on("replace", &folder)?;
        }
        println!("      pip installs into {}", folder.display());
        let advice = "check that pip can reach its registry, then run the same command again.";
        let mut venv = tools.cache.installer(python);
        process::run(venv.args(["-m", "venv"]).arg(&folder), advice)?;
        let mut pip = tools.cache.installer(python_in(&folder));
        pip.args(["-m", "pip", "install", "--no-input"])
            .args(["--disable-pip-version-check", "-r"])
            .arg(requirements(tools));
        process::run(&mut pip, advice)?;
        let stamp = folder.join(STAMP);
        fs::write(&stamp, "").on("write", &stamp)
    }

    fn advice(&self) -> Option<String> {
        Some("install Python 3.9 or newer with its venv module.".into())
    }
}

fn requirements(tools: &Tools) -> PathBuf {
    tools.root.join("tests/requirements.txt")
}

fn folder(tools: &Tools) -> Result<PathBuf> {
    let hash = hash_of(&requirements(tools))?;
    Ok(tools.cache.tool(&format!("python-{hash}")))
}

fn python_in(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    })
}

/// Returns a Python that can create environments; on Debian that requires the package python3-venv.
fn python_with_venv(tools: &Tools) -> Result<Option<PathBuf>> {
    let test = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
    let find = || {
        let names = ["python3", "python", "/usr/bin/python3"];
        let mut candidates = names.into_iter().filter_map(process::find);
        candidates.find(|python| process::answer(Command::new(python).args(["-c", test])).is_some())
    };
    if let Some(python) = find() {
        return Ok(Some(python));
    }
    system::install(tools, &["python3", "python3-venv"])?;
    Ok(find())
}
