//! Tools from npm: wasm-opt for the page, Playwright for its tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::tools::{Tool, Tools};
use crate::{
    failure::{OnPath, Result},
    files::hash_of,
    process,
};

/// Written last into node_modules: the hash of the lock file it was installed from.
const STAMP: &str = ".taskloom-stamp";

/// Node.js 20 or newer with npm, installed by the user.
pub struct Node;

impl Tool for Node {
    fn find(&self, _: &mut Tools) -> Result<Option<String>> {
        let is_new = |version: &str| {
            let major = version.split('.').next().and_then(|m| m.parse().ok());
            major.is_some_and(|major: u32| major >= 20)
        };
        let node = process::find("node").filter(|node| process::has_version(node, is_new));
        let node = node.filter(|_| process::find("npm").is_some());
        Ok(node.map(|node| node.display().to_string()))
    }

    fn install(&self, _: &Tools) -> Result<()> {
        Ok(())
    }

    fn advice(&self) -> Option<String> {
        Some("install Node.js 20 or newer with npm, then run the same command again.".into())
    }
}

/// wasm-opt, pinned by xtask/wasm-opt/package-lock.json, in the cache.
pub struct WasmOpt;

impl Tool for WasmOpt {
    fn find(&self, tools: &mut Tools) -> Result<Option<String>> {
        let name = format!("wasm-opt-{}", lock_hash(&recipe(tools))?);
        let programs = tools.cache.tool(&name).join("node_modules/.bin");
        Ok(process::in_folder(&programs, "wasm-opt").map(|file| {
            tools.folders.push(programs);
            file.display().to_string()
        }))
    }

    fn install(&self, tools: &Tools) -> Result<()> {
        let recipe = recipe(tools);
        let name = format!("wasm-opt-{}", lock_hash(&recipe)?);
        let work = tools.cache.work(&name)?;
        for file in ["package.json", "package-lock.json"] {
            let from = recipe.join(file);
            fs::copy(&from, work.join(file)).on("copy", &from)?;
        }
        clean_install(tools, &work)?;
        tools.cache.adopt(&work, &name)
    }
}

fn recipe(tools: &Tools) -> PathBuf {
    tools.root.join("xtask/wasm-opt")
}

/// Playwright and axe beside the end-to-end tests.
pub struct Playwright;

impl Tool for Playwright {
    fn find(&self, tools: &mut Tools) -> Result<Option<String>> {
        let folder = tools.root.join("tests/e2e");
        let is_there = are_there(&folder)?;
        Ok(is_there.then(|| folder.join("node_modules").display().to_string()))
    }

    fn install(&self, tools: &Tools) -> Result<()> {
        packages(tools, "tests/e2e")
    }
}

/// Returns the browser downloaded by `npx playwright install chromium`, if there is one.
pub fn playwrights_chromium(tools: &Tools) -> Option<PathBuf> {
    let mut node = tools.command("node --print");
    node.arg("require('@playwright/test').chromium.executablePath()");
    process::answer(node.current_dir(tools.root.join("tests/e2e"))).map(PathBuf::from)
}

/// Installs the packages of a folder's lock file in its node_modules, where node looks for them.
pub fn packages(tools: &Tools, folder: &str) -> Result<()> {
    let folder = tools.root.join(folder);
    if are_there(&folder)? {
        return Ok(());
    }
    clean_install(tools, &folder)?;
    let stamp = folder.join("node_modules").join(STAMP);
    fs::write(&stamp, lock_hash(&folder)?).on("write", &stamp)
}

fn are_there(folder: &Path) -> Result<bool> {
    let lock = lock_hash(folder)?;
    let stamp = fs::read_to_string(folder.join("node_modules").join(STAMP));
    Ok(stamp.is_ok_and(|stamp| stamp == lock))
}

/// npm deletes node_modules first, so an interrupted installation is repaired by the next.
fn clean_install(tools: &Tools, folder: &Path) -> Result<()> {
    println!("      npm installs into {}", folder.display());
    // On Windows, its file name differs.
    let npm = process::find("npm").unwrap_or("npm".into());
    let mut command = tools.cache.installer(npm);
    command.args(["ci", "--no-audit", "--no-fund"]);
    process::run(
        command.current_dir(folder),
        "check that npm can reach its registry, then run the same command again.",
    )
}

fn lock_hash(folder: &Path) -> Result<String> {
    hash_of(&folder.join("package-lock.json"))
}
