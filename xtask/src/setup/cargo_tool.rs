//! The tools written in Rust: trunk, wasm-bindgen and mdBook.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::tools::{Tool, Tools};
use crate::{
    failure::{Failure, OnPath, Result},
    process,
};

pub struct CargoTool {
    pub package: &'static str,
    pub version: String,
    pub programs: &'static [&'static str],
    pub options: &'static [&'static str],
}

impl CargoTool {
    /// Returns the name of its folder in the cache.
    fn name(&self) -> String {
        format!("{}-{}", self.package, self.version)
    }

    /// Returns `true` if a folder has all its programs in the right version.
    fn is_in(&self, folder: &Path) -> bool {
        let is_right =
            |file: PathBuf| process::has_version(&file, |version| version == self.version);
        let mut programs = self.programs.iter();
        programs.all(|program| process::in_folder(folder, program).is_some_and(is_right))
    }
}

impl Tool for CargoTool {
    fn find(&self, tools: &mut Tools) -> Result<Option<String>> {
        let cached = tools.cache.tool(&self.name()).join("bin");
        let on_path = process::find(self.programs[0]);
        let on_path = on_path.and_then(|file| file.parent().map(PathBuf::from));
        let mut folders = [Some(cached), on_path].into_iter().flatten();
        Ok(folders.find(|folder| self.is_in(folder)).map(|folder| {
            let found = format!("{} in {}", self.version, folder.display());
            tools.folders.push(folder);
            found
        }))
    }

    fn install(&self, tools: &Tools) -> Result<()> {
        let name = self.name();
        println!("      compiling {name}, once for this machine; this takes some minutes");
        let work = tools.cache.work(&name)?;
        let finished = work.join("finished");
        let mut command = tools.cache.installer("cargo");
        command
            .args(["install", "--locked", "--debug", self.package])
            .args(["--version", &self.version])
            .args(self.options)
            .arg("--root")
            .arg(&finished)
            .env("CARGO_TARGET_DIR", work.join("target"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .current_dir(&work);
        process::run(
            &mut command,
            "check that cargo can reach its registry and that a C compiler is installed, then run the same command \
             again; or install that version yourself: one on the PATH is used as is.",
        )?;
        tools.cache.adopt(&finished, &name)?;
        fs::remove_dir_all(&work).on("remove", &work)
    }
}

/// Returns the version of a library in Cargo.lock.
pub fn locked_version(root: &Path, library: &str) -> Result<String> {
    let file = root.join("Cargo.lock");
    let lock = fs::read_to_string(&file).on("read", &file)?;
    let name = format!("name = \"{library}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \""));
    let version = version.and_then(|version| version.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| {
        Failure::new(
            format!("Cargo.lock names no {library}."),
            "restore Cargo.lock from git: `git checkout Cargo.lock`.",
        )
    })
}
