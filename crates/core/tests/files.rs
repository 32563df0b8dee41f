//! Files that must open, and open as they were written.

use std::fs;
use std::path::{Path, PathBuf};

use taskloom_core::document::Document;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".taskloom.json"));
    files.sort();
    assert!(!files.is_empty(), "no file in {}", folder.display());
    files
}

#[test]
fn examples_are_written_as_they_are_kept() {
    for file in files("public/examples") {
        let text = fs::read_to_string(&file).expect("an example is UTF-8");
        let document = Document::from_json(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(
            document.to_json() == text,
            "{} is not as it is written",
            file.display()
        );
    }
}
