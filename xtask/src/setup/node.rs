//! What comes from npm: wasm-opt for the page, Playwright for its tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest, Sha256};

use super::{InstalledTool, Step, cache::Cache};
use crate::{
    build::hex,
    failure::{Failure, OnPath, Result},
    process, programs,
};

const OLDEST_NODE: u32 = 20;
/// Written last into node_modules: holds the hash of the lock file that it was installed from.
const STAMP: &str = ".taskloom-stamp";

/// wasm-opt, pinned by xtask/wasm-opt/package-lock.json, in the cache.
pub fn wasm_opt(root: &Path, cache: &Cache, step: &Step) -> Result<InstalledTool> {
    require_node()?;
    let recipe = root.join("xtask").join("wasm-opt");
    let lock = lock_hash(&recipe)?;
    let name = format!("wasm-opt-{}", &lock[..12]);
    let binaries = cache.tool(&name).join("node_modules").join(".bin");
    if programs::in_folder(&binaries, "wasm-opt").is_some() {
        step.note("is in the cache");
    } else {
        let work = cache.work(&name)?;
        for file in ["package.json", "package-lock.json"] {
            let (from, to) = (recipe.join(file), work.join(file));
            fs::copy(&from, &to).on("copy", &from)?;
        }
        install(step, &work)?;
        cache.adopt(&work, &name)?;
    }
    Ok(InstalledTool {
        folder: binaries,
        version: name,
    })
}

/// Playwright and axe beside the end-to-end tests.
pub fn end_to_end(root: &Path, step: &Step) -> Result<()> {
    packages(&root.join("tests").join("e2e"), step)
}

/// What a folder's lock file names, in its node_modules, as node looks for it there.
pub fn packages(folder: &Path, step: &Step) -> Result<()> {
    require_node()?;
    let lock = lock_hash(folder)?;
    let stamp = folder.join("node_modules").join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|old| old == lock) {
        step.note("is there");
        return Ok(());
    }
    install(step, folder)?;
    fs::write(&stamp, lock).on("write", &stamp)
}

/// npm deletes node_modules first, so an interrupted installation is repaired by the next.
fn install(step: &Step, folder: &Path) -> Result<()> {
    step.note(&format!("npm installs into {}", folder.display()));
    let npm = program("npm")?;
    let mut command = Command::new(npm);
    command
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(folder);
    process::require(
        "npm ci",
        &mut command,
        "check that npm can reach its registry, then run the same command again.",
    )?;
    Ok(())
}

fn require_node() -> Result<()> {
    let node = program("node")?;
    let version = programs::version(&node).unwrap_or_default();
    let major = version
        .split('.')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0);
    if major >= OLDEST_NODE {
        return Ok(());
    }
    Err(Failure::new(
        format!(
            "Node.js {OLDEST_NODE} or newer is needed; {} is {version}.",
            node.display()
        ),
        "install a newer Node.js and run the same command again.",
    ))
}

fn program(name: &str) -> Result<PathBuf> {
    programs::find(name).ok_or_else(|| {
        Failure::new(
            format!("found no `{name}` on the PATH."),
            format!(
                "install Node.js {OLDEST_NODE} or newer with npm, then run the same command again."
            ),
        )
    })
}

fn lock_hash(folder: &Path) -> Result<String> {
    let file = folder.join("package-lock.json");
    Ok(hex(&Sha256::digest(fs::read(&file).on("read", &file)?)))
}
