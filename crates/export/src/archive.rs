//! Zip archives. The same files give the same bytes.

use std::io::Write;

use miniz_oxide::deflate::compress_to_vec;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, DataDescriptorOutput, Error, ZipArchiveWriter, crc32};

use super::File;

/// The compression level; most programs default to it.
const LEVEL: u8 = 6;

/// Packs files, with their folders.
///
/// # Errors
/// If the files exceed the limits of the format.
pub fn zip(files: &[File]) -> Result<Vec<u8>, Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    // The earliest date of the format.
    let written = UtcDateTime::from_unix(315_532_800);
    for File { path, text } in files {
        let bytes = text.as_bytes();
        let (mut entry, _) = archive
            .new_file(path)
            .compression_method(CompressionMethod::DEFLATE)
            .last_modified(written)
            .unix_permissions(0o644)
            .start()?;
        entry.write_all(&compress_to_vec(bytes, LEVEL))?;
        entry.finish(DataDescriptorOutput::new(crc32(bytes), bytes.len() as u64))?;
    }
    archive.finish()
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec;
    use rawzip::ZipArchive;

    use super::*;

    #[test]
    fn archives_round_trip() {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let long = "public class Größe { }\n".repeat(5_000);
        let files = [
            file("Empty.cs", ""),
            file("Taskloom/World.cs", &long),
            file("Übung.cs", "é"),
        ];
        let packed = zip(&files).unwrap();
        assert_eq!(zip(&files).unwrap(), packed, "the same bytes");
        assert!(packed.len() < 3_000, "{} bytes", packed.len());
        let archive = ZipArchive::from_slice(&packed).unwrap();
        let mut entries = archive.entries();
        let mut unpacked = vec![];
        while let Some(entry) = entries.next_entry().unwrap() {
            let path = entry
                .file_path()
                .try_normalize()
                .unwrap()
                .as_ref()
                .to_owned();
            let data = archive.get_entry(entry.wayfinder()).unwrap();
            let bytes = decompress_to_vec(data.data()).unwrap();
            assert_eq!(bytes.len() as u64, entry.uncompressed_size_hint());
            unpacked.push(file(&path, std::str::from_utf8(&bytes).unwrap()));
        }
        assert_eq!(unpacked, files);
    }
}
