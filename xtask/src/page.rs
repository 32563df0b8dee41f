//! Builds the release page into dist/ if it is out of date.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    failure::{OnPath, Result},
    files::{files_below, hex},
    process, seal,
    setup::Tools,
};

/// All inputs of the page, including the files that pin its build tools.
const INPUTS: &str =
    ".cargo Cargo.lock Cargo.toml Trunk.toml crates docs index.html public src style xtask";

/// Builds the page into dist/, unless it is up to date.
pub fn build(tools: &Tools) -> Result<()> {
    let stamp = tools.root.join("target/xtask/page.stamp");
    let inputs = fingerprint_of_inputs(tools)?;
    if fs::read_to_string(&stamp).is_ok_and(|old| Some(old) == fingerprint(tools, &inputs)) {
        println!("   the page in dist/ is up to date");
        return Ok(());
    }
    println!("   trunk builds the optimised page; the first time takes a few minutes");
    let mut trunk = tools.wasm_command("trunk build --release --offline");
    // Readers need the compiler's message, not its backtrace.
    trunk.env("RUST_BACKTRACE", "0");
    let variable = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
    trunk.env(variable, without_places(&tools.root));
    process::run(
        &mut trunk,
        "if the lines above show an error in the sources, fix it; otherwise run `cargo clean` and try again.",
    )?;
    fs::create_dir_all(tools.root.join("target/xtask")).on("create the folder of", &stamp)?;
    let built = fingerprint(tools, &inputs).unwrap_or_default();
    fs::write(&stamp, built).on("write", &stamp)
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

/// Returns the fingerprint of the page in dist/, if there is one: its inputs, and its service
/// worker, which contains every file's hash.
fn fingerprint(tools: &Tools, inputs: &str) -> Option<String> {
    let worker = tools.root.join("dist").join(seal::SERVICE_WORKER);
    let worker = fs::read(worker).ok()?;
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
