//! Reads files within limits, whatever they are: an endless pipe, a device, a 20 GB log.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::search::Limits;
use crate::snippet::Source;

/// The maximum size of a file, in bytes.
const MAX_BYTES: usize = 1 << 30;
/// The number of bytes per read.
const CHUNK: usize = 1 << 18;
/// The number of chunks to read ahead.
const AHEAD: usize = 4;
/// The time between two checks of the limits while waiting for input.
const LOOK: Duration = Duration::from_millis(20);

/// Reads a file, or the standard input for `-`.
///
/// # Errors
/// If the file can't be read, isn't UTF-8 or is larger than 1 GiB, or if a limit is reached.
pub fn read(path: &str, limits: &Limits) -> Result<Source, Failure> {
    let mut text = Utf8::default();
    read_chunks(path, limits, &mut |chunk| {
        text.push(chunk)?;
        Ok(text.bytes.len())
    })?;
    let text = text.end().map_err(|error| refused(path, &error))?;
    // A byte order mark isn't part of the first line.
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(Source::new(path, text))
}

/// Reads a file that may end in the middle of a character, or the standard input for `-`.
///
/// # Errors
/// If the file can't be read or is larger than 1 GiB, or if a limit is reached.
pub fn read_bytes(path: &str, limits: &Limits) -> Result<Vec<u8>, Failure> {
    let mut bytes = vec![];
    read_chunks(path, limits, &mut |chunk| {
        bytes.extend_from_slice(chunk);
        Ok(bytes.len())
    })?;
    Ok(bytes)
}

fn refused(path: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("error: {path}: {why}"))
}

/// Reads a file in chunks. `add` takes each one, and returns the number of bytes so far.
fn read_chunks(
    path: &str,
    limits: &Limits,
    add: &mut dyn FnMut(&[u8]) -> Result<usize, String>,
) -> Result<(), Failure> {
    let stop = limits.stop_reading();
    let chunks = chunks_of(path);
    let mut length = 0;
    loop {
        let begun = Instant::now();
        let chunk = chunks.recv_timeout(LOOK);
        limits.wait(begun.elapsed());
        if stop.poll() || limits.is_too_much(length) {
            return Err(limits.failure());
        }
        match chunk {
            Ok(Ok(chunk)) => length = add(&chunk).map_err(|error| refused(path, &error))?,
            Ok(Err(error)) => return Err(refused(path, &error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if length > MAX_BYTES {
            return Err(refused(path, &"larger than the limit of 1 GiB"));
        }
    }
}

type Chunk = io::Result<Vec<u8>>;

/// Reads in a separate thread: opening or reading a pipe blocks until someone writes to it, and a
/// limit may end the program first.
fn chunks_of(path: &str) -> Receiver<Chunk> {
    let (sender, chunks) = sync_channel(AHEAD);
    let path = path.to_owned();
    thread::spawn(move || {
        let read = match path.as_str() {
            "-" => send_chunks(io::stdin().lock(), &sender),
            path => File::open(path).and_then(|file| send_chunks(file, &sender)),
        };
        if let Err(error) = read {
            // Nobody is listening if a limit was reached.
            let _ = sender.send(Err(error));
        }
    });
    chunks
}

fn send_chunks(mut from: impl Read, to: &SyncSender<Chunk>) -> io::Result<()> {
    loop {
        let mut chunk = vec![0; CHUNK];
        match from.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(length) => chunk.truncate(length),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        if to.send(Ok(chunk)).is_err() {
            return Ok(());
        }
    }
}

/// A text that arrives in parts.
#[derive(Default)]
struct Utf8 {
    bytes: Vec<u8>,
    /// The length in bytes of the prefix that is known to be UTF-8.
    valid: usize,
}

impl Utf8 {
    fn push(&mut self, chunk: &[u8]) -> Result<(), String> {
        self.bytes.extend_from_slice(chunk);
        let rest = self.bytes.get(self.valid..).unwrap_or_default();
        match std::str::from_utf8(rest) {
            Ok(rest) => self.valid += rest.len(),
            Err(error) => {
                self.valid += error.valid_up_to();
                // A character may continue in the next part.
                if error.error_len().is_some() {
                    return Err(not_utf8(self.valid));
                }
            }
        }
        Ok(())
    }

    fn end(self) -> Result<String, String> {
        String::from_utf8(self.bytes).map_err(|error| not_utf8(error.utf8_error().valid_up_to()))
    }
}

fn not_utf8(at: usize) -> String {
    format!("not UTF-8 text (at byte {at})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_characters_split_across_chunks() {
        let text = "aü€😀z";
        for size in 1..=text.len() {
            let mut read = Utf8::default();
            for chunk in text.as_bytes().chunks(size) {
                read.push(chunk).expect("a part of a text");
            }
            assert_eq!(read.end().as_deref(), Ok(text));
        }
        let mut cut = Utf8::default();
        cut.push(&text.as_bytes()[..2]).expect("it may go on");
        assert_eq!(cut.end(), Err(not_utf8(1)));
        assert_eq!(Utf8::default().push(b"ab\xffc"), Err(not_utf8(2)));
    }
}
