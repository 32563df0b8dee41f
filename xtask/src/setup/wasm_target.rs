//! A Rust toolchain that compiles for wasm32-unknown-unknown.
//!
//! In order: the one in use, if it does; one that an earlier set-up made from Debian's packages; rustup's download for
//! the one in use; and where Rust's own servers cannot be reached, Debian's packages `rustc-web` and its kin. Those have
//! the sources of a standard library, which is compiled for WebAssembly here.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{Step, cache::Cache, system};
use crate::{
    failure::{Failure, OnPath, Result},
    process::{self, Show},
    programs,
};

pub const TARGET: &str = "wasm32-unknown-unknown";
/// The name under which rustup knows Debian's toolchain.
const DEBIAN: &str = "debian";
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(300);
const DEBIAN_PACKAGES: [&str; 5] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "rust-web-clippy",
    "rustfmt-web",
];

/// How children are told to compile for WebAssembly.
pub struct WasmToolchain {
    /// rustup's name for it; none is the toolchain in use.
    name: Option<&'static str>,
    /// Where rustc does not find the linker itself.
    linker: Option<PathBuf>,
    /// What `rustc --version` says.
    pub compiler: String,
}

impl WasmToolchain {
    pub fn apply_to(&self, command: &mut Command) {
        if let Some(name) = self.name {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
        if let Some(linker) = &self.linker {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }
}

pub fn find_or_install(cache: &Cache, step: &Step) -> Result<WasmToolchain> {
    if let Some(found) = try_toolchain(cache, None)? {
        step.note(&format!("{} has it", found.compiler));
        return Ok(found);
    }
    if let Some(found) = try_toolchain(cache, Some(DEBIAN))? {
        step.note(&format!(
            "{} has it (rustup's toolchain `{DEBIAN}`)",
            found.compiler
        ));
        return Ok(found);
    }
    let Some(rustup) = programs::find("rustup") else {
        return Err(Failure::new(
            format!("this Rust does not compile for {TARGET}, and there is no rustup to add it."),
            format!(
                "install Rust by rustup, or your system's package of Rust's standard library for {TARGET}."
            ),
        ));
    };
    step.note("rustup downloads it");
    let added = process::run(
        "rustup target add",
        Command::new(&rustup).args(["target", "add", TARGET]),
        Show::Latest,
        Some(DOWNLOAD_LIMIT),
    )?;
    if added.succeeded
        && let Some(found) = try_toolchain(cache, None)?
    {
        step.note(&format!("added to {}", found.compiler));
        return Ok(found);
    }
    let reason = if added.timed_out {
        "took too long"
    } else {
        "did not work"
    };
    if !system::can_install() {
        for line in added.lines.iter().rev().take(5).rev() {
            step.note(line);
        }
        return Err(Failure::new(
            format!("`rustup target add {TARGET}` {reason}."),
            "check that Rust's download server can be reached and run that command yourself. On Debian without that \
             server, run this set-up as root or with sudo: it then uses Debian's packages.",
        ));
    }
    step.note(&format!(
        "the download {reason}; Debian's own Rust and its sources are used instead"
    ));
    install_from_debian(cache, step, &rustup)?;
    try_toolchain(cache, Some(DEBIAN))?.ok_or_else(|| {
        Failure::new(
            format!("Debian's Rust does not compile for {TARGET} in spite of its set-up."),
            format!("run `RUSTUP_TOOLCHAIN={DEBIAN} rustc --target {TARGET} --print sysroot` and see what it says."),
        )
    })
}

/// The toolchain of this name, if a program compiled and linked with it, with or without help to find the linker.
fn try_toolchain(cache: &Cache, name: Option<&'static str>) -> Result<Option<WasmToolchain>> {
    let Some(compiler) = process::answer(rustc(name).arg("--version")) else {
        return Ok(None);
    };
    let work = cache.work("probe")?;
    let source = work.join("probe.rs");
    fs::write(&source, "pub fn probe() -> String { String::new() }\n").on("write", &source)?;
    let mut toolchain = WasmToolchain {
        name,
        linker: None,
        compiler,
    };
    if !compiles(
        name,
        &source,
        &["--crate-type=lib", "--emit=metadata"],
        &work,
    ) {
        return Ok(None);
    }
    if compiles(name, &source, &["--crate-type=cdylib"], &work) {
        return Ok(Some(toolchain));
    }
    let Some(linker) = linker_of(cache, name)? else {
        return Ok(None);
    };
    let option = format!("-Clinker={}", linker.display());
    toolchain.linker = Some(linker);
    Ok(compiles(name, &source, &["--crate-type=cdylib", &option], &work).then_some(toolchain))
}

fn compiles(name: Option<&str>, source: &Path, options: &[&str], work: &Path) -> bool {
    let mut command = rustc(name);
    command
        .args(["--target", TARGET, "--out-dir"])
        .arg(work)
        .args(options)
        .arg(source);
    process::answer(&mut command).is_some()
}

fn rustc(name: Option<&str>) -> Command {
    let mut command = Command::new("rustc");
    if let Some(name) = name {
        command.env("RUSTUP_TOOLCHAIN", name);
    }
    command
}

/// A link to the system's lld under the name by which rustc knows how to call it.
#[cfg(unix)]
fn linker_of(cache: &Cache, name: Option<&str>) -> Result<Option<PathBuf>> {
    let Some(lld) = llvm_major(name).and_then(|major| programs::find(&format!("lld-{major}")))
    else {
        return Ok(None);
    };
    let folder = cache.tool("linker");
    fs::create_dir_all(&folder).on("create", &folder)?;
    let link = folder.join("rust-lld");
    if fs::read_link(&link).ok().as_deref() != Some(&lld) {
        // It may not be there.
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&lld, &link).on("create", &link)?;
    }
    Ok(Some(link))
}

#[cfg(not(unix))]
fn linker_of(_cache: &Cache, _name: Option<&str>) -> Result<Option<PathBuf>> {
    Ok(None)
}

fn llvm_major(name: Option<&str>) -> Option<String> {
    llvm_major_in(&process::answer(rustc(name).arg("-vV"))?).map(str::to_owned)
}

fn llvm_major_in(version: &str) -> Option<&str> {
    let line = version
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))?;
    line.split('.').next()
}

fn install_from_debian(cache: &Cache, step: &Step, rustup: &Path) -> Result<()> {
    let no_packages = || {
        Failure::new(
            "apt could not install Debian's Rust (rustc-web and its kin).",
            "see apt's lines above; this needs Debian 12 or newer with its security updates.",
        )
    };
    if !system::install(step, &DEBIAN_PACKAGES)? {
        return Err(no_packages());
    }
    let version = process::answer(Command::new("/usr/bin/rustc").arg("-vV")).unwrap_or_default();
    let linker = format!("lld-{}", llvm_major_in(&version).unwrap_or_default());
    if programs::find(&linker).is_none() && !system::install(step, &[&linker])? {
        return Err(no_packages());
    }

    step.note("compiling the standard library for WebAssembly; this takes a minute or two");
    let work = cache.work("std")?;
    let library = work.join("src").join("lib.rs");
    fs::create_dir_all(work.join("src")).on("create", &work)?;
    fs::write(&library, "").on("write", &library)?;
    let manifest = work.join("Cargo.toml");
    fs::write(
        &manifest,
        "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n",
    )
    .on("write", &manifest)?;
    let mut build = Command::new("/usr/bin/cargo");
    build
        .args([
            "build",
            "--release",
            "--target",
            TARGET,
            "-Z",
            "build-std=std,panic_abort,test",
        ])
        .current_dir(&work)
        .env("PATH", programs::path_with(&["/usr/bin".into()]))
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode every later build with `lto` fails.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .env_remove("RUSTC");
    process::require(
        "compiling the standard library",
        &mut build,
        "run `apt-get install --reinstall rust-web-src rustc-web cargo-web`, then run the same command again.",
    )?;
    copy_standard_library(&work)?;
    fs::remove_dir_all(&work).on("remove", &work)?;
    process::require(
        "rustup toolchain link",
        Command::new(rustup).args(["toolchain", "link", DEBIAN, "/usr"]),
        "check that rustup works: `rustup toolchain list`.",
    )?;
    step.note(&format!(
        "installed; rustup knows it as the toolchain `{DEBIAN}`"
    ));
    Ok(())
}

/// Makes the compiled crates an ordinary target of /usr/bin/rustc.
fn copy_standard_library(work: &Path) -> Result<()> {
    let built = work
        .join("target")
        .join(TARGET)
        .join("release")
        .join("deps");
    let mut crates = Vec::new();
    for entry in fs::read_dir(&built).on("list", &built)? {
        let file = entry.on("list", &built)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with("libprobe-") {
            crates.push(file);
        }
    }
    let folder = format!("/usr/lib/rustlib/{TARGET}/lib");
    let advice = "check that you may write to /usr/lib as root.";
    // An older standard library's crates beside these would be found first.
    process::require("rm", system::as_root("rm").args(["-rf", &folder]), advice)?;
    process::require(
        "mkdir",
        system::as_root("mkdir").args(["-p", &folder]),
        advice,
    )?;
    process::require(
        "cp",
        system::as_root("cp").args(&crates).arg(&folder),
        advice,
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_is_of_the_compilers_llvm() {
        assert_eq!(
            llvm_major_in("rustc 1.96.0\nhost: x\nLLVM version: 22.1.4\n"),
            Some("22")
        );
        assert_eq!(llvm_major_in("rustc 1.96.0\n"), None);
    }
}
