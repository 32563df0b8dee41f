//! The log that is watched, from a position on.

use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// The maximum number of bytes that are returned at a time. The page asks for more if it gets this many.
const LONGEST: u64 = 1 << 20;
/// The maximum length of the first line.
const FIRST_LINE: u64 = 16 << 20;

/// A part of a log.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The id of the log: another run in the same file has another one. Empty before it has a line.
    pub id: String,
    /// The position at which the part begins, in bytes.
    pub from: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads a log from a position on; from its start, if another run has replaced the one with this id. A file that
/// doesn't exist yet is an empty log.
///
/// # Errors
/// Returns an error if the file can't be read.
pub fn read(path: &Path, from: u64, id: &str) -> io::Result<Part> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Part::default()),
        file => file?,
    };
    let metadata = file.metadata()?;
    let mut file = BufReader::new(file);
    let mut first = vec![];
    (&mut file).take(FIRST_LINE).read_until(b'\n', &mut first)?;
    if !first.ends_with(b"\n") {
        return Ok(Part::default());
    }
    let own = id_of(&first, &metadata);
    let is_continued = own == id && from <= metadata.len();
    let from = if is_continued { from } else { 0 };
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = vec![];
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(Part {
        id: own,
        from,
        bytes,
    })
}

fn id_of(first_line: &[u8], metadata: &Metadata) -> String {
    let mut hasher = DefaultHasher::new();
    first_line.hash(&mut hasher);
    hash_file(metadata, &mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A file that was moved to the place of another one differs from it even if it begins with the same line.
#[cfg(unix)]
fn hash_file(metadata: &Metadata, hasher: &mut impl Hasher) {
    use std::os::unix::fs::MetadataExt;
    metadata.ino().hash(hasher);
}

#[cfg(not(unix))]
fn hash_file(_metadata: &Metadata, _hasher: &mut impl Hasher) {}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn a_log_is_read_as_it_grows_and_again_when_it_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.jsonl");
        assert_eq!(read(&path, 0, "").expect("no file"), Part::default());
        let mut file = File::create(&path).expect("a file");
        file.write_all(b"{\"sta").expect("written");
        assert_eq!(read(&path, 0, "").expect("half a line"), Part::default());
        file.write_all(b"rt\"}\none\ntw").expect("written");
        let begun = read(&path, 0, "").expect("a log");
        assert_eq!(
            (begun.from, &begun.bytes[..]),
            (0, &b"{\"start\"}\none\ntw"[..])
        );
        file.write_all(b"o\n").expect("written");
        let rest = read(&path, 16, &begun.id).expect("a log");
        assert_eq!((rest.from, &rest.bytes[..]), (16, &b"o\n"[..]));
        assert_eq!(rest.id, begun.id);
        let nothing = read(&path, 18, &begun.id).expect("a log");
        assert_eq!((nothing.from, nothing.bytes.len()), (18, 0));
        // A shorter one, and one with another start.
        fs::write(&path, "{\"start\"}\n").expect("written");
        let again = read(&path, 18, &begun.id).expect("a log");
        assert_eq!((again.from, again.bytes.len()), (0, 10));
        fs::write(&path, "{\"start\": 2}\none\ntwo\nthree\n").expect("written");
        let other = read(&path, 10, &again.id).expect("a log");
        assert_eq!((other.from, other.bytes.len()), (0, 27));
        assert_ne!(other.id, again.id);
    }

    #[test]
    fn a_long_log_is_read_in_parts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.jsonl");
        fs::write(&path, "line\n".repeat(300_000)).expect("written");
        let first = read(&path, 0, "").expect("a log");
        assert_eq!(first.bytes.len() as u64, LONGEST);
        let second = read(&path, LONGEST, &first.id).expect("a log");
        assert_eq!(second.bytes.len() as u64, 1_500_000 - LONGEST);
    }
}
