//! Builds the page, if it is out of date.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    failure::{Failure, OnPath, Result},
    files::{files_below, files_ending_with, hex},
    process::{self, InBackground},
    seal,
    setup::{self, Scope, TARGET, Tools},
};

/// All inputs of the page, including the files that pin its build tools.
const INPUTS: &str =
    ".cargo Cargo.lock Cargo.toml Trunk.toml crates docs index.html public src style xtask";

/// Limits against accidental growth, in bytes by gzip: each program with its script.
const LARGEST: [(&str, u64); 3] = [
    ("taskloom-editor", 1_850_000),
    ("taskloom-worker", 805_000),
    ("taskloom-jobs", 1_270_000),
];

/// A kind of build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// For use on this computer: built fast.
    Local,
    /// For hosting: small, with compressed copies of its files.
    Release,
}

impl Build {
    /// Returns the folder of the built page, within the workspace.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Local => "target/page",
            Self::Release => "dist",
        }
    }

    fn stamp(self, root: &Path) -> PathBuf {
        root.join(match self {
            Self::Local => "target/xtask/page.stamp",
            Self::Release => "target/xtask/release-page.stamp",
        })
    }

    fn trunk(self) -> &'static str {
        match self {
            Self::Local => "trunk build --offline --cargo-profile local --dist target/page",
            Self::Release => "trunk build --offline --release",
        }
    }
}

/// Starts compiling the local page's programs, unless that page is up to date. Trunk then finds them
/// compiled.
pub fn compile(tools: &Tools) -> Result<Option<InBackground>> {
    if is_current(tools, Build::Local)? {
        return Ok(None);
    }
    let cargo = format!("cargo build --profile local --bins --target {TARGET}");
    Ok(Some(InBackground::start(
        "the page",
        tools.wasm_command(&cargo),
    )))
}

/// `cargo xtask build`: builds the page for hosting.
pub fn release(root: &Path) -> Result<()> {
    let tools = setup::in_scope(root, Scope::Page)?;
    println!("Page");
    build(&tools, Build::Release, &[])?;
    println!("\nThe page for hosting is in {}/", Build::Release.folder());
    Ok(())
}

/// Builds a page into its folder with these environment variables, unless it is up to date.
pub fn build(tools: &Tools, build: Build, variables: &[(&str, &str)]) -> Result<()> {
    let folder = build.folder();
    if is_current(tools, build)? {
        println!("   the page in {folder}/ is up to date");
        return Ok(());
    }
    let inputs = fingerprint_of_inputs(tools)?;
    let mut trunk = tools.wasm_command(build.trunk());
    // Readers need the compiler's message, not its backtrace.
    trunk.env("RUST_BACKTRACE", "0");
    trunk.envs(variables.iter().copied());
    if build == Build::Release {
        println!("   trunk builds the optimised page; this takes some minutes");
        trunk.env("CARGO_BUILD_RUSTFLAGS", without_places(&tools.root));
    }
    let target = tools.root.join("target/xtask");
    fs::create_dir_all(&target).on("create", &target)?;
    process::run(
        &mut trunk,
        "if the lines above show an error in the sources, fix it; otherwise run `cargo clean` and try again.",
    )?;
    if build == Build::Release {
        compress(tools, folder)?;
        for (program, _) in LARGEST {
            println!(
                "   {program}: {} kB by gzip",
                size_of(tools, program)? / 1_000
            );
        }
    }
    let stamp = build.stamp(&tools.root);
    let built = fingerprint(tools, build, &inputs).unwrap_or_default();
    fs::write(&stamp, built).on("write", &stamp)
}

/// Returns `true` if the page in a build's folder is made of the current inputs.
fn is_current(tools: &Tools, build: Build) -> Result<bool> {
    let Ok(old) = fs::read_to_string(build.stamp(&tools.root)) else {
        return Ok(false);
    };
    let inputs = fingerprint_of_inputs(tools)?;
    Ok(Some(old) == fingerprint(tools, build, &inputs))
}

/// Writes a copy of each of the page's files by brotli and by gzip, for hosts that send those.
fn compress(tools: &Tools, folder: &str) -> Result<()> {
    println!("   compressing");
    let mut node = tools.command("node xtask/compress.mjs");
    process::run(node.arg(folder), "see the reason in its last lines above.")
}

/// Checks that no program for hosting has grown beyond its limit.
///
/// # Errors
/// Returns a program that has.
pub fn check_sizes(tools: &Tools) -> Result<()> {
    for (program, limit) in LARGEST {
        if size_of(tools, program)? > limit {
            let what = format!("{program} has grown beyond {} kB.", limit / 1_000);
            let advice = "find what has been added; if it is worth its size, raise the limit in \
                xtask/src/page.rs in a separate commit.";
            return Err(Failure::new(what, advice));
        }
    }
    Ok(())
}

/// Returns the size of a program for hosting with its script, in bytes by gzip.
fn size_of(tools: &Tools, program: &str) -> Result<u64> {
    let mut size = 0;
    for file in files_ending_with(&tools.root.join(Build::Release.folder()), ".gz")? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(program) {
            size += fs::metadata(&file).on("read", &file)?.len();
        }
    }
    Ok(size)
}

/// Returns flags that make source paths in panics independent of the build machine. They add to
/// those of .cargo/config.toml.
fn without_places(root: &Path) -> String {
    let mut places = vec![(root.to_path_buf(), "taskloom")];
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    // One folder per registry: this program's own dependencies came from there.
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    for registry in registries.into_iter().flatten().flatten() {
        places.push((registry.path(), "registry"));
    }
    let flags = places
        .iter()
        .map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()))
        // Cargo splits these flags at spaces and supports no quotes.
        .filter(|flag| !flag.contains(char::is_whitespace));
    flags.collect::<Vec<_>>().join(" ")
}

/// Returns the fingerprint of a built page, if there is one: its inputs, and its service worker,
/// which contains every file's hash.
fn fingerprint(tools: &Tools, build: Build, inputs: &str) -> Option<String> {
    let folder = tools.root.join(build.folder());
    let worker = fs::read(folder.join(seal::SERVICE_WORKER)).ok()?;
    Some(format!("{inputs} {}\n", hex(&Sha256::digest(worker))))
}

/// Returns a hash of all files the page is made of and the tools that build it.
fn fingerprint_of_inputs(tools: &Tools) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(&tools.compiler);
    for input in INPUTS.split(' ') {
        for file in files_below(&tools.root.join(input))? {
            let content = fs::read(&file).on("read", &file)?;
            hash.update(format!("\0{}\0{}\0", file.display(), content.len()));
            hash.update(content);
        }
    }
    Ok(hex(&hash.finalize()))
}
