//! Builds the release page into dist/, and knows when that is not needed.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use sha2::{Digest, Sha256};

use crate::{
    console,
    failure::{OnPath, Result},
    process,
    setup::Tools,
};

/// Everything that the page is made of. A path that does not exist counts as absent.
const INPUTS: [&str; 12] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "Trunk.toml",
    "build.rs",
    "crates",
    "examples",
    "index.html",
    "public",
    "src",
    "style",
    "xtask/src",
];

/// The folder of the built page.
pub fn page_folder(root: &Path) -> PathBuf {
    root.join("dist")
}

/// Builds the page unless dist/ already holds it.
pub fn release_page(root: &Path, tools: &Tools) -> Result<()> {
    let stamp_file = root.join("target").join("xtask").join("page.stamp");
    let inputs = fingerprint_of_inputs(root, tools)?;
    let stamp = |output: &str| format!("{inputs} {output}\n");
    let output = fingerprint_of_output(&page_folder(root))?;
    if fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp(&output)) {
        console::line("      the page in dist/ is up to date");
        return Ok(());
    }
    console::line("      trunk builds the optimised page; the first time this takes some minutes");
    let outcome = process::require(
        "building the page",
        tools
            .wasm_command("trunk")
            .current_dir(root)
            .args(["build", "--release", "--offline"])
            // A compiler's message is what the reader needs, not where in the compiler it was made.
            .env("RUST_BACKTRACE", "0")
            .env(
                "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
                without_places(root),
            ),
        "if the lines above show a mistake in the sources, correct it; otherwise run `cargo clean` and try again.",
    )?;
    let output = fingerprint_of_output(&page_folder(root))?;
    if let Some(folder) = stamp_file.parent() {
        fs::create_dir_all(folder).on("create", folder)?;
    }
    fs::write(&stamp_file, stamp(&output)).on("write", &stamp_file)?;
    console::line(&format!(
        "      built in {}",
        console::elapsed(outcome.elapsed)
    ));
    Ok(())
}

/// Flags by which panics name sources in the same way wherever the page is built. They add to those of
/// .cargo/config.toml.
fn without_places(root: &Path) -> String {
    let mut places = vec![(root.to_path_buf(), "taskloom")];
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    // One folder a registry: this program's own dependencies came from there.
    let registries = cargo_home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    for registry in registries.into_iter().flatten().flatten() {
        places.push((registry.path(), "registry"));
    }
    places
        .iter()
        // Cargo splits these flags at blanks and knows no quotes.
        .filter(|(place, _)| !place.to_string_lossy().contains(char::is_whitespace))
        .map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Changes whenever a file that the page is made of, or a tool that makes it, changes.
fn fingerprint_of_inputs(root: &Path, tools: &Tools) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(tools.fingerprint());
    for input in INPUTS {
        for file in files_below(&root.join(input))? {
            let content = fs::read(&file).on("read", &file)?;
            let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy();
            hash.update(format!("\0{name}\0{}\0", content.len()));
            hash.update(content);
        }
    }
    Ok(hex(&hash.finalize()))
}

/// Changes whenever a file of the built page is replaced; reads no content.
fn fingerprint_of_output(folder: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    for file in files_below(folder)? {
        let metadata = file.metadata().on("read", &file)?;
        let changed = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        hash.update(format!(
            "{}\0{}\0{changed:?}\0",
            file.display(),
            metadata.len()
        ));
    }
    Ok(hex(&hash.finalize()))
}

/// All files at or below a path, in a fixed order.
pub fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![path.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).on("list", &path)? {
                pending.push(entry.on("list", &path)?.path());
            }
        } else if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
