//! Output: to files atomically, and to terminals without control characters.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::{Failure, visible};

/// Maximum length of a chain of symbolic links, as in Linux.
const MAX_LINKS: usize = 40;

/// Writes text for people to the standard output. A reader that has closed the pipe, as `head`
/// does, is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&visible::text(text))
}

/// Writes text for programs to the standard output, verbatim.
pub fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Internal(format!(
            "couldn't write the output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to the standard error. Ignores failure: there is nowhere left to report it.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible::text(text));
}

/// Writes files. Each is written to a temporary file next to its destination, and moved there once
/// all are written: until then, existing files stay intact.
///
/// Devices and pipes are written directly.
pub fn write_files<'a>(
    files: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> Result<(), Failure> {
    let mut written = vec![];
    for (path, text) in files {
        match write_pending(path, text) {
            Ok(Some(file)) => written.push((path, file)),
            Ok(None) => {}
            Err(error) => return Err(refused(path, &error)),
        }
    }
    for (path, Pending { file, place }) in written {
        let moved = file.persist(place);
        moved.map_err(|error| refused(path, &error.error))?;
    }
    Ok(())
}

/// Checks that a file to write isn't one of those that are read.
///
/// # Errors
/// Fails if it is: writing it would destroy what it contains.
pub fn check_is_not_input<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a str>,
) -> Result<(), Failure> {
    let Ok(place) = fs::canonicalize(path) else {
        return Ok(());
    };
    let mut inputs = inputs.into_iter();
    match inputs.any(|input| fs::canonicalize(input).is_ok_and(|input| input == place)) {
        true => Err(Failure::Input(format!(
            "error: {} is being read, so it can't be written; choose another file",
            path.display()
        ))),
        false => Ok(()),
    }
}

/// Returns the failure of writing to a path.
pub fn refused(path: &Path, error: &io::Error) -> Failure {
    Failure::Internal(format!("couldn't write {}: {error}", path.display()))
}

/// A temporary file and its destination.
struct Pending {
    file: NamedTempFile,
    place: PathBuf,
}

/// Writes a temporary file next to its destination; `None` if the destination is a device, which is
/// written directly.
fn write_pending(path: &Path, text: &str) -> io::Result<Option<Pending>> {
    let Some(place) = followed(path)? else {
        return fs::write(path, text).map(|()| None);
    };
    // Opening the file checks for permission and keeps its content.
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
    // The temporary name means nothing to the user.
    let mut file = file.map_err(|error| io::Error::from(error.kind()))?;
    file.as_file_mut().write_all(text.as_bytes())?;
    if let Some(known) = known {
        file.as_file()
            .set_permissions(known.metadata()?.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(Some(Pending { file, place }))
}

/// Follows symbolic links; `None` if the path names an open file of a process, as `/dev/stdout`
/// does.
fn followed(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        if place.starts_with("/dev") || place.starts_with("/proc") {
            return Ok(None);
        }
        match fs::read_link(&place) {
            Ok(to) => place = place.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(Some(place)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn is_plain(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Gives the file the permissions of an ordinary new file, subject to the user's umask.
#[cfg(unix)]
fn like_new<'a, 'b>(builder: &'b mut Builder<'a, 'a>) -> &'b mut Builder<'a, 'a> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn like_new<'a, 'b>(builder: &'b mut Builder<'a, 'a>) -> &'b mut Builder<'a, 'a> {
    builder
}
