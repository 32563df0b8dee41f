//! Writing: to files whole or not at all, and to terminals without what would change them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::{Failure, visible};

/// Links that may lead from one to the next, as Linux has it.
const MOST_LINKS: usize = 40;

/// Writes what people read to the standard output. A reader that has gone away, as `head` does, wants no more.
pub fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&visible::text(text))
}

/// Writes what programs read to the standard output, as it is.
pub fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Internal(format!(
            "the output cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to the standard error. Where that cannot be written either, nobody is left to be told.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible::text(text));
}

/// Writes files. Each is written beside its place first and moved there when all of them are written: what is there
/// already stays whole until then, whatever happens.
///
/// Devices and pipes are written directly.
pub fn write_files<'a>(
    files: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> Result<(), Failure> {
    let mut written = vec![];
    for (path, text) in files {
        match beside(path, text) {
            Ok(Some(file)) => written.push((path, file)),
            Ok(None) => {}
            Err(error) => return Err(refused(path, &error)),
        }
    }
    for (path, Beside { file, place }) in written {
        let moved = file.persist(place);
        moved.map_err(|error| refused(path, &error.error))?;
    }
    Ok(())
}

/// That a place cannot be written to.
pub fn refused(path: &Path, error: &io::Error) -> Failure {
    Failure::Internal(format!("cannot write {}: {error}", path.display()))
}

/// A file that is written, and the place that it belongs to.
struct Beside {
    file: NamedTempFile,
    place: PathBuf,
}

/// Writes a file beside its place; none where the place is a device, which has it then.
fn beside(path: &Path, text: &str) -> io::Result<Option<Beside>> {
    let Some(place) = followed(path)? else {
        return fs::write(path, text).map(|()| None);
    };
    // Opening says whether it may be written, and leaves what is in it.
    let known = match OpenOptions::new().write(true).open(&place) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(mut device) = known.as_ref().filter(|file| !is_plain(file)) {
        return device.write_all(text.as_bytes()).map(|()| None);
    }
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::metadata(folder)?;
    let file = like_new(Builder::new().prefix(".taskloom-")).tempfile_in(folder);
    // Its own name means nothing to those who did not ask for it.
    let mut file = file.map_err(|error| io::Error::from(error.kind()))?;
    file.as_file_mut().write_all(text.as_bytes())?;
    if let Some(known) = known {
        file.as_file()
            .set_permissions(known.metadata()?.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(Some(Beside { file, place }))
}

/// Where links lead to from a path; none where it is a name for what a process has open, as `/dev/stdout` is.
fn followed(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if place.starts_with("/dev") || place.starts_with("/proc") {
            return Ok(None);
        }
        match fs::read_link(&place) {
            Ok(to) => place = place.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(Some(place)),
        }
    }
    Err(io::Error::other("too many links lead on from there"))
}

fn is_plain(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// The permissions of an ordinary new file, of which the system takes what the user's mask says.
#[cfg(unix)]
fn like_new<'a, 'b>(builder: &'b mut Builder<'a, 'a>) -> &'b mut Builder<'a, 'a> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn like_new<'a, 'b>(builder: &'b mut Builder<'a, 'a>) -> &'b mut Builder<'a, 'a> {
    builder
}
