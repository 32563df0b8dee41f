//! Reads logs.

use std::fmt;

use serde::Deserialize;

use super::entry::{LOG_FORMAT, LogEntry, StartEntry};

/// A log that has been read.
#[derive(Debug, Clone, PartialEq)]
pub struct LogFile {
    /// Its first line.
    pub start: StartEntry,
    /// All other lines, with their numbers in the file, from 2.
    pub entries: Vec<(usize, LogEntry)>,
    /// `true` if its last line is torn: it was written while, or just before, the log was read.
    pub is_torn: bool,
}

/// The reason why a log can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// The reason, without a full stop.
    pub why: String,
}

impl LogError {
    /// Creates an error in a line.
    pub(super) fn new(line: usize, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { line, why }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for LogError {}

/// The part of the first line that all versions of the format have.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

impl LogFile {
    /// Reads a log. The last line may be torn: without a line break at its end, it is ignored if it is not
    /// complete.
    ///
    /// # Errors
    /// Returns the first line that is invalid, and why.
    pub fn read(bytes: &[u8]) -> Result<Self, LogError> {
        let mut lines = lines(bytes);
        let first = lines.next().filter(|first| first.is_complete);
        let Some(first) = first else {
            return Err(LogError::new(
                1,
                "the first line of the log is missing or torn",
            ));
        };
        let start = read_start(&first)?;
        let (mut entries, mut is_torn) = (vec![], false);
        for line in lines {
            match line.read() {
                Ok(LogEntry::Start(_)) => {
                    let why = "another log begins here; split the file before this line";
                    return Err(LogError::new(line.number, why));
                }
                Ok(entry) => entries.push((line.number, entry)),
                Err(_) if !line.is_complete => is_torn = true,
                Err(error) => return Err(error),
            }
        }
        Ok(Self {
            start,
            entries,
            is_torn,
        })
    }
}

/// A line of a file.
struct Line<'b> {
    number: usize,
    bytes: &'b [u8],
    /// `true` if it ends with a line break.
    is_complete: bool,
}

impl Line<'_> {
    fn parse<'l, T: Deserialize<'l>>(&'l self) -> Result<T, LogError> {
        serde_json::from_slice(self.bytes).map_err(|error| {
            // The position within the line is in the text, but its line number is always 1.
            let text = error.to_string();
            let why = text.replacen("at line 1 column", "at column", 1);
            LogError::new(self.number, why)
        })
    }

    fn read(&self) -> Result<LogEntry, LogError> {
        self.parse()
    }
}

/// Returns the lines of a file. Empty ones are skipped.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    let lines = lines.map(|(at, bytes)| Line {
        number: at + 1,
        bytes: bytes.trim_ascii(),
        is_complete: bytes.ends_with(b"\n"),
    });
    lines.filter(|line| !line.bytes.is_empty())
}

fn read_start(line: &Line<'_>) -> Result<StartEntry, LogError> {
    let Ok(Header { format }) = line.parse() else {
        let why = "this is not a log: its first line has no format version";
        return Err(LogError::new(line.number, why));
    };
    if format != LOG_FORMAT {
        let why = format!("the log has format {format}, but only format {LOG_FORMAT} can be read");
        return Err(LogError::new(line.number, why));
    }
    match line.read()? {
        LogEntry::Start(start) => Ok(start),
        _ => Err(LogError::new(
            line.number,
            "the first line isn't the start of a log",
        )),
    }
}
