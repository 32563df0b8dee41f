//! The file format: one JSON object in a fixed order, layout last.
//!
//! ```json
//! { "taskloom": 4, "info": { "title": "..." }, "types": { ... }, ..., "layout": { ... } }
//! ```
//!
//! Files are read through a [`Value`], so that migrations never depend on today's records.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::conflict::conflict;
use super::json::{Fault, Places, Step, found, parse, read, twins, write};
use super::migrations::MIGRATIONS;
use super::{Document, Kind, Name, Table};
use crate::sort::{CompactSort, map_of};
use crate::span::{Lines, Span};
use crate::stop::{Stop, Stopped};

mod parts;

pub(crate) use parts::FileParts;

/// The version of the file format that this program writes, and the newest that it reads.
pub const VERSION: u64 = MIGRATIONS.len() as u64 + 1;

/// The extension of a document's file name.
pub const FILE_EXTENSION: &str = ".taskloom.json";

/// All errors of form in a text that is not a valid document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// At least one, in the order of the text.
    pub mistakes: Vec<FileMistake>,
}

/// One error in a file's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMistake {
    /// The location and the reason, in a sentence for the designer.
    pub message: String,
    /// The span in the text; none if it concerns the file as a whole.
    pub span: Option<Span>,
    /// The line and the column of its start, from 1.
    pub position: Option<(usize, usize)>,
}

/// Shows the first error and the number of further ones.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.mistakes.first() else {
            return Ok(());
        };
        if let Some((line, column)) = first.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&first.message)?;
        match self.mistakes.len() - 1 {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more error)"),
            more => write!(f, " (and {more} more errors)"),
        }
    }
}

impl std::error::Error for FileError {}

/// An error in the value at the end of a path, before its location in the text is known.
pub(super) struct ValueError {
    path: Vec<Step>,
    is_of_key: bool,
    message: String,
}

impl ValueError {
    /// Returns an error of the file as a whole.
    pub(super) fn with_file(message: impl Into<String>) -> Vec<Self> {
        vec![Self::with_value(vec![], message)]
    }

    pub(super) fn with_value(path: Vec<Step>, message: impl Into<String>) -> Self {
        Self {
            path,
            is_of_key: false,
            message: message.into(),
        }
    }
}

impl From<Fault> for ValueError {
    fn from(fault: Fault) -> Self {
        let message = format!("{}{}", place(&fault.path), fault.reason);
        Self {
            path: fault.path,
            is_of_key: fault.is_of_key,
            message,
        }
    }
}

impl FileError {
    /// Returns the errors without locations.
    pub(super) fn of_whole(errors: Vec<ValueError>) -> Self {
        let mistake = |error: ValueError| FileMistake {
            message: error.message,
            span: None,
            position: None,
        };
        Self {
            mistakes: errors.into_iter().map(mistake).collect(),
        }
    }

    /// Locates the erroneous values in the text.
    pub(super) fn in_text(text: &str, mut errors: Vec<ValueError>) -> Self {
        // For the same record, errors of its value come before errors of its name.
        errors.compact_sort_by_key(|error| error.is_of_key);
        let (lines, places) = (Lines::of(text), Places::of(text));
        let mistake = |error: ValueError| {
            let spot = places.last_on(&error.path);
            let mark = if error.is_of_key {
                spot.key()
            } else {
                spot.mark()
            };
            let is_somewhere = !error.path.is_empty();
            FileMistake {
                message: error.message,
                position: is_somewhere.then(|| lines.position(text, mark.start)),
                span: is_somewhere.then(|| Span::new(mark.start, mark.end)),
            }
        };
        let mut mistakes: Vec<FileMistake> = errors.into_iter().map(mistake).collect();
        mistakes.compact_sort_by_key(|mistake| mistake.span);
        Self { mistakes }
    }
}

/// A document with its version, which comes first.
#[derive(Serialize)]
struct File<'a> {
    taskloom: u64,
    #[serde(flatten)]
    document: &'a Document,
}

/// Returns a text's hash (64-bit FNV-1a) and length.
pub fn hash_of(text: &str) -> String {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, add);
    format!("{hash:016x}-{}", text.len())
}

impl Document {
    /// Returns the text of the document's file. The same document always gives the same bytes.
    pub fn to_json(&self) -> String {
        let file = File {
            taskloom: VERSION,
            document: self,
        };
        write(&file) + "\n"
    }

    /// Returns the hash of the text of the document's file, as hexadecimal digits with the text's length.
    pub fn hash(&self) -> String {
        hash_of(&self.to_json())
    }

    /// Reads the text of a file of this version or an older one.
    ///
    /// Positions of blocks and cards that the document does not have are dropped: they have no
    /// effect, and a merge of two branches may leave them behind.
    ///
    /// # Errors
    /// If it is not JSON, contains a duplicate key or has a newer version, returns the first such
    /// error. Otherwise returns all values of the wrong form, up to 200 per record (fewer for one
    /// with more than 5,000 values), or all violated invariants. Locations are counted from after a
    /// byte order mark.
    pub fn from_json(text: &str) -> Result<Self, FileError> {
        let read = Self::from_json_cancellable(text, &Stop::default());
        read.unwrap_or_else(|Stopped| Err(FileError::of_whole(vec![])))
    }

    /// Reads the text of a file like [`Document::from_json`], unless it is stopped.
    ///
    /// # Errors
    /// Returns [`Stopped`] if it was stopped.
    pub fn from_json_cancellable(
        text: &str,
        stop: &Stop,
    ) -> Result<Result<Self, FileError>, Stopped> {
        let text = without_mark(text);
        let value = match stop.unless_cancelled(read_json(text, stop))? {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        };
        let read = match value {
            Value::Object(object) => Self::from_object(object, stop),
            _ => Err(ValueError::with_file(
                "a Taskloom file is a JSON object: { ... }",
            )),
        };
        let read = stop.unless_cancelled(read)?;
        Ok(read.map_err(|errors| FileError::in_text(text, errors)))
    }

    /// Reads the JSON object of a file; see [`Document::from_json`].
    pub(super) fn from_object(
        mut object: Map<String, Value>,
        stop: &Stop,
    ) -> Result<Self, Vec<ValueError>> {
        let version = version(object.remove("taskloom"))?;
        for migration in MIGRATIONS.iter().skip(version as usize - 1) {
            migration(&mut object);
        }
        let read = Self::from_parts(object, stop);
        let mut document =
            read.map_err(|faults| faults.into_iter().map(ValueError::from).collect::<Vec<_>>())?;
        if stop.poll() {
            return Ok(document);
        }
        document.prune_layout();
        let broken = document.broken_invariants();
        if broken.is_empty() {
            Ok(document)
        } else {
            Err(broken
                .into_iter()
                .map(|(path, reason)| ValueError::with_value(path, reason))
                .collect())
        }
    }
}

impl Document {
    /// Reads the parts of a document, one record at a time.
    fn from_parts(object: Map<String, Value>, stop: &Stop) -> Result<Self, Vec<Fault>> {
        let mut parts = Parts {
            object,
            stop,
            known: vec![],
            faults: vec![],
        };
        let document = Self {
            info: parts.one("info"),
            types: parts.table("types"),
            objects: parts.table("objects"),
            facts: parts.table("facts"),
            conditions: parts.table("conditions"),
            actions: parts.table("actions"),
            primitive_tasks: parts.table("primitive_tasks"),
            compound_tasks: parts.table("compound_tasks"),
            goals: parts.table("goals"),
            agents: parts.table("agents"),
            scenarios: parts.table("scenarios"),
            layout: parts.one("layout"),
        };
        let faults = parts.end();
        if faults.is_empty() {
            Ok(document)
        } else {
            Err(faults)
        }
    }
}

/// The members of a file's object.
struct Parts<'s> {
    /// The members that have not been read yet.
    object: Map<String, Value>,
    stop: &'s Stop,
    /// The keys that have been read.
    known: Vec<&'static str>,
    /// The errors so far.
    faults: Vec<Fault>,
}

impl Parts<'_> {
    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.object.remove(key)
    }

    /// Reads a whole part; returns its default if it is missing or has errors.
    fn one<T: for<'de> Deserialize<'de> + Default>(&mut self, key: &'static str) -> T {
        let read = self
            .take(key)
            .map_or_else(|| Ok(T::default()), |value| read(&value));
        read.unwrap_or_else(|faults| {
            self.faults
                .extend(faults.into_iter().map(|fault| fault.at(key)));
            T::default()
        })
    }

    /// Reads the valid records of a table.
    fn table<R: for<'de> Deserialize<'de>>(&mut self, key: &'static str) -> Table<R> {
        let records = match self.take(key) {
            None => return Table::new(),
            Some(Value::Object(records)) => records,
            Some(other) => {
                let fault = Fault::instead_of(&other, "an object with names as keys");
                self.faults.push(fault.at(key));
                return Table::new();
            }
        };
        let (mut table, mut faults) = (BTreeMap::new(), vec![]);
        for (name, value) in &records {
            if self.stop.after(1) {
                break;
            }
            let record = read(value);
            let record = record.map_err(|found: Vec<Fault>| {
                faults.extend(found.into_iter().map(|fault| fault.at(name)));
            });
            match Name::new(name) {
                Err(error) => faults.push(Fault::of_key(name, error.to_string())),
                Ok(key) => match table.get_key_value(&key) {
                    Some((twin, _)) => faults.push(Fault::of_key(name, twins(twin, &key))),
                    None => drop(table.insert(key, record.ok())),
                },
            }
        }
        self.faults
            .extend(faults.into_iter().map(|fault| fault.at(key)));
        let read = table.into_iter();
        map_of(read.filter_map(|(name, record)| Some((name, record?))))
    }

    /// Returns all errors, including those of unknown parts.
    fn end(self) -> Vec<Fault> {
        let Self {
            object,
            known,
            mut faults,
            ..
        } = self;
        let known = known.join("`, `");
        faults.extend(object.keys().map(|key| {
            Fault::of_key(
                key,
                format!("unknown field `{key}`, expected one of `{known}`"),
            )
        }));
        faults
    }
}

/// Parses a JSON value without duplicate keys.
pub(super) fn read_json(text: &str, stop: &Stop) -> Result<Value, FileError> {
    parse(text, stop).map_err(|error| {
        let (span, message) = match conflict(text) {
            Some(found) => found,
            None => (Span::new(error.at, error.at + 1), error.message),
        };
        let mistake = FileMistake {
            message,
            span: Some(span),
            position: Some(Lines::of(text).position(text, span.start as usize)),
        };
        FileError {
            mistakes: vec![mistake],
        }
    })
}

/// Strips the byte order mark that some editors write at the start of a text.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn version(value: Option<Value>) -> Result<u64, Vec<ValueError>> {
    let value = value.ok_or_else(|| {
        ValueError::with_file(format!(
            "this is not a Taskloom file: it does not begin with \"taskloom\": {VERSION}"
        ))
    })?;
    let message = match value.as_f64() {
        Some(version) if version > VERSION as f64 => format!(
            "the file has version {version}, but this Taskloom reads only up to version {VERSION}: \
             open it with a newer Taskloom"
        ),
        Some(version) if version >= 1.0 && version.fract() == 0.0 => {
            return Ok(version as u64);
        }
        _ => format!(
            "\"taskloom\" must be the file's version, a whole number from 1; found {}",
            found(&value)
        ),
    };
    let path = vec![Step::Key("taskloom".to_owned())];
    Err(vec![ValueError::with_value(path, message)])
}

/// Returns the prefix of a message: `In compound task 'get-ball', method.wires[2]: `
fn place(path: &[Step]) -> String {
    let kind = match path {
        [Step::Key(table), Step::Key(_), ..] => kind_of_table(table),
        _ => None,
    };
    let (mut text, rest) = match (kind, path) {
        (Some(kind), [_, Step::Key(name), rest @ ..]) => {
            (format!("In {} '{name}'", kind.label()), rest)
        }
        (_, [Step::Key(first), rest @ ..]) => (format!("In {first}"), rest),
        _ => return String::new(),
    };
    for (number, step) in rest.iter().enumerate() {
        text.push_str(if number == 0 { ", " } else { "" });
        match step {
            Step::Item(position) => text += &format!("[{position}]"),
            Step::Key(key) if number == 0 => text.push_str(key),
            Step::Key(key) => text += &format!(".{key}"),
        }
    }
    text + ": "
}

fn kind_of_table(table: &str) -> Option<Kind> {
    Kind::ALL
        .into_iter()
        .find(|kind| table_of_kind(*kind) == table)
}

/// Returns the key of a kind's table in the file.
pub(super) fn table_of_kind(kind: Kind) -> String {
    kind.label().replace(' ', "_") + "s"
}
