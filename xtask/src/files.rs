//! Lists files and hashes them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::failure::{OnPath, Result};

/// Returns all files at or below a path, in a fixed order.
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

/// Returns the files of a folder with this ending, by name.
pub fn files_ending_with(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).on("list", folder)?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files
        .filter(|file| file.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    Ok(files)
}

/// Returns bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns twelve digits of a hash of a file's content.
pub fn hash_of(file: &Path) -> Result<String> {
    let content = fs::read(file).on("read", file)?;
    Ok(hex(&Sha256::digest(content)[..6]))
}
