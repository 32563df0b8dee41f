//! Rules that the compiler doesn't check: which crates don't depend on a screen, that every
//! dependency is used, and the maximum length of a file.

use std::fs;
use std::path::{Path, PathBuf};

const LONGEST: usize = 600;

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let skipped = path
            .file_name()
            .is_some_and(|n| n == "target" || n == "node_modules");
        if path.is_dir() && !skipped {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn only_the_page_and_its_worker_depend_on_the_browser() {
    let mut manifests = 0;
    for folder in fs::read_dir(workspace().join("crates")).expect("the crates") {
        let folder = folder.expect("a folder").path();
        if folder.ends_with("worker") {
            continue;
        }
        let file = folder.join("Cargo.toml");
        let manifest = fs::read_to_string(&file).expect("a manifest");
        manifests += 1;
        for dependency in [
            "leptos",
            "web-sys",
            "js-sys",
            "wasm-bindgen",
            "gloo",
            "rand",
            "getrandom",
        ] {
            let named = manifest.lines().any(|line| line.starts_with(dependency));
            assert!(!named, "{} depends on {dependency}", file.display());
        }
    }
    assert!(manifests > 8, "{manifests} crates");
}

/// Returns the dependencies that a manifest lists, of all kinds.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut is_listed = false;
    let mut names = vec![];
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_listed = line.ends_with("dependencies]") && !line.starts_with("[workspace");
        } else if is_listed && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            names.extend(line.split(['.', ' ', '=']).next());
        }
    }
    names
}

#[test]
fn every_dependency_is_used() {
    let root = workspace();
    let mut packages = vec![
        (root.clone(), root.join("src")),
        (root.join("xtask"), root.join("xtask")),
    ];
    for folder in ["crates", "benches"] {
        let folders = fs::read_dir(root.join(folder)).expect("a folder of packages");
        let folders = folders.map(|folder| folder.expect("a folder").path());
        packages.extend(folders.map(|folder| (folder.clone(), folder)));
    }
    let mut used = 0;
    for (package, sources) in packages {
        let Ok(manifest) = fs::read_to_string(package.join("Cargo.toml")) else {
            continue;
        };
        let mut files = vec![];
        rust_files(&sources, &mut files);
        let texts = files
            .iter()
            .map(|file| fs::read_to_string(file).expect("a source"));
        let text: String = texts.collect();
        for dependency in dependencies(&manifest) {
            let name = dependency.replace('-', "_");
            let uses = [format!("{name}::"), format!("use {name} as ")];
            let is_used = uses.iter().any(|path| text.contains(path));
            assert!(is_used, "{} does not use {dependency}", package.display());
            used += 1;
        }
    }
    assert!(used > 50, "{used} dependencies");
}

#[test]
fn files_are_short() {
    let mut files = vec![];
    for folder in ["crates", "src", "xtask"] {
        rust_files(&workspace().join(folder), &mut files);
    }
    assert!(files.len() > 10, "the sources were not found");
    let too_long: Vec<_> = files
        .iter()
        .filter_map(|file| {
            let lines = fs::read_to_string(file).ok()?.lines().count();
            (lines > LONGEST).then(|| format!("{}: {lines} lines", file.display()))
        })
        .collect();
    assert!(
        too_long.is_empty(),
        "over {LONGEST} lines:\n{}",
        too_long.join("\n")
    );
}
