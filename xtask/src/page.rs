//! Builds the release page into dist/, and knows when that is not needed.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    failure::{OnPath, Result},
    process, seal,
    setup::Tools,
};

/// Everything that the page is made of, and what pins the tools that make it.
const INPUTS: &str =
    ".cargo Cargo.lock Cargo.toml Trunk.toml crates index.html public src style xtask";

/// Builds the page into dist/, unless it is there already.
pub fn build(tools: &Tools) -> Result<()> {
    let stamp = tools.root.join("target/xtask/page.stamp");
    let inputs = fingerprint_of_inputs(tools)?;
    if fs::read_to_string(&stamp).is_ok_and(|old| Some(old) == fingerprint(tools, &inputs)) {
        println!("   the page in dist/ is up to date");
        return Ok(());
    }
    println!("   trunk builds the optimised page; the first time this takes some minutes");
    let mut trunk = tools.wasm_command("trunk build --release --offline");
    // A compiler's message is what the reader needs, not where in the compiler it was made.
    trunk.env("RUST_BACKTRACE", "0");
    let variable = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
    trunk.env(variable, without_places(&tools.root));
    process::run(
        &mut trunk,
        "if the lines above show a mistake in the sources, correct it; otherwise run `cargo clean` and try again.",
    )?;
    fs::create_dir_all(tools.root.join("target/xtask")).on("create the folder of", &stamp)?;
    let built = fingerprint(tools, &inputs).unwrap_or_default();
    fs::write(&stamp, built).on("write", &stamp)
}

/// Flags by which panics name sources in the same way wherever the page is built. They add to those of
/// .cargo/config.toml.
fn without_places(root: &Path) -> String {
    let mut places = vec![(root.to_path_buf(), "taskloom")];
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    // One folder a registry: this program's own dependencies came from there.
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    for registry in registries.into_iter().flatten().flatten() {
        places.push((registry.path(), "registry"));
    }
    let flags = places
        .iter()
        .map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()))
        // Cargo splits these flags at blanks and knows no quotes.
        .filter(|flag| !flag.contains(char::is_whitespace));
    flags.collect::<Vec<_>>().join(" ")
}

/// Of the page in dist/, if there is one: what it was made of, and its service worker, which names every file's hash.
fn fingerprint(tools: &Tools, inputs: &str) -> Option<String> {
    let worker = tools.root.join("dist").join(seal::SERVICE_WORKER);
    let worker = fs::read(worker).ok()?;
    Some(format!("{inputs} {}\n", hex(&Sha256::digest(worker))))
}

/// Changes whenever a file that the page is made of, or a tool that makes it, changes.
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

/// All files at or below a path, in a fixed order.
pub fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = vec![];
    let mut pending = vec![path.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).on("list", &path)? {
                pending.push(entry.on("list", &path)?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The files of a folder with this ending, by name.
pub fn files_ending_with(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).on("list", folder)?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files
        .filter(|file| file.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    Ok(files)
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
