//! The two tools that are Rust programs themselves: trunk and wasm-bindgen.

use std::{fs, path::Path, process::Command};

use super::{InstalledTool, Step, cache::Cache};
use crate::{
    console,
    failure::{Failure, OnPath, Result},
    process, programs,
};

/// The newest trunk that builds with the Rust that this project asks for.
const TRUNK: &str = "0.21.14";

pub fn trunk(cache: &Cache, step: &Step) -> Result<InstalledTool> {
    // Without its default features trunk looks for no updates and needs no TLS: it only starts other programs.
    install(
        cache,
        step,
        "trunk",
        "trunk",
        TRUNK,
        &["--no-default-features"],
    )
}

/// wasm-bindgen's program must be of exactly the version of the library in Cargo.lock.
pub fn wasm_bindgen(root: &Path, cache: &Cache, step: &Step) -> Result<InstalledTool> {
    let file = root.join("Cargo.lock");
    let lock = fs::read_to_string(&file).on("read", &file)?;
    let version = locked_version(&lock, "wasm-bindgen").ok_or_else(|| {
        Failure::new(
            "Cargo.lock names no wasm-bindgen.",
            "restore Cargo.lock from git: `git checkout Cargo.lock`.",
        )
    })?;
    install(
        cache,
        step,
        "wasm-bindgen-cli",
        "wasm-bindgen",
        version,
        &[],
    )
}

fn install(
    cache: &Cache,
    step: &Step,
    package: &str,
    program: &str,
    version: &str,
    options: &[&str],
) -> Result<InstalledTool> {
    let name = format!("{package}-{version}");
    let folder = cache.tool(&name).join("bin");
    let is_right = |folder: &Path| {
        programs::in_folder(folder, program)
            .is_some_and(|file| programs::version(&file).as_deref() == Some(version))
    };
    let done = |folder| {
        Ok(InstalledTool {
            folder,
            version: name.clone(),
        })
    };
    if is_right(&folder) {
        step.note(&format!("{version} is in the cache"));
        return done(folder);
    }
    if let Some(on_path) =
        programs::find(program).and_then(|file| file.parent().map(Path::to_path_buf))
        && is_right(&on_path)
        && (package != "wasm-bindgen-cli"
            || programs::in_folder(&on_path, "wasm-bindgen-test-runner").is_some())
    {
        step.note(&format!(
            "{version} is on the PATH, in {}",
            on_path.display()
        ));
        return done(on_path);
    }

    step.note(&format!(
        "compiling {version}, once for this machine; this takes some minutes"
    ));
    let work = cache.work(&name)?;
    let finished = work.join("finished");
    let mut command = Command::new("cargo");
    command
        .args([
            "install",
            "--locked",
            "--debug",
            package,
            "--version",
            version,
        ])
        .args(options)
        .arg("--root")
        .arg(&finished)
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env_remove("CARGO")
        .current_dir(&work);
    let outcome = process::require(
        &format!("compiling {package}"),
        &mut command,
        &format!(
            "check that cargo can reach its registry and that a C compiler is installed, then run the same command \
             again; or install {package} {version} yourself: one on the PATH is taken as it is."
        ),
    )?;
    cache.adopt(&finished, &name)?;
    fs::remove_dir_all(&work).on("remove", &work)?;
    step.note(&format!(
        "{version} installed in {}",
        console::elapsed(outcome.elapsed)
    ));
    if is_right(&folder) {
        return done(folder);
    }
    Err(Failure::new(
        format!(
            "the {package} just installed in {} does not run.",
            folder.display()
        ),
        "delete that folder and run the same command again.",
    ))
}

/// The version of a package in a Cargo.lock.
fn locked_version<'lock>(lock: &'lock str, package: &str) -> Option<&'lock str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines
        .nth(1)?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_packages_own() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \
                    \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.129"));
        assert_eq!(locked_version(lock, "leptos"), None);
    }
}
