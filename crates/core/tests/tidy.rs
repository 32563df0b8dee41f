//! Rules that the compiler does not know: which way imports point, and how long
//! a file may grow before it tells two stories.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the core in the order of the pipeline, each with the folders
/// it may use. Nothing flows the other way.
const LAYERS: &[(&str, &[&str])] = &[
    ("simulate", &[]),
    ("hddl", &[]),
    ("import", &["hddl"]),
    ("export", &["hddl", "import"]),
];

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

/// The first module named by each `crate::` path in a line.
fn modules_used(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split("crate::").skip(1).map(|rest| {
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn imports_point_one_way() {
    let mut wrong = vec![];
    for (layer, allowed) in LAYERS {
        let root = workspace().join("crates/core/src");
        let mut files = vec![];
        rust_files(&root.join(layer), &mut files);
        files.extend(Some(root.join(format!("{layer}.rs"))).filter(|f| f.exists()));
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file is UTF-8");
            for (number, line) in text.lines().enumerate() {
                for module in modules_used(line) {
                    let known = LAYERS.iter().any(|(name, _)| *name == module);
                    if known && module != *layer && !allowed.contains(&module) {
                        wrong.push(format!(
                            "{}:{}: {layer} uses {module}",
                            file.display(),
                            number + 1
                        ));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "imports against the pipeline:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_core_knows_no_screen() {
    let manifest =
        fs::read_to_string(workspace().join("crates/core/Cargo.toml")).expect("a manifest");
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
        assert!(!named, "the core depends on {dependency}");
    }
}

#[test]
fn a_file_tells_one_story() {
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
