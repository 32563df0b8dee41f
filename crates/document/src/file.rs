//! The file: one JSON object in a fixed order, layout last.
//!
//! ```json
//! { "taskloom": 2, "info": { "title": "..." }, "types": { ... }, ..., "layout": { ... } }
//! ```
//!
//! Reading goes over a [`Value`], so that migrations never depend on
//! today's records.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json::{Fault, Places, Step, found, parse, read, twins, write};
use super::migrations::MIGRATIONS;
use super::{Document, Kind, Name, Table};
use crate::diagnostic::{Lines, Span};
use crate::stop::{Stop, Stopped};

/// The version of the file that this program writes, and the newest it reads.
pub const VERSION: u64 = MIGRATIONS.len() as u64 + 1;

/// What a document's file name ends with.
pub const FILE_EXTENSION: &str = ".taskloom.json";

/// Why a text is not a document: everything that is wrong with its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// One at least, in the order of the text.
    pub mistakes: Vec<FileMistake>,
}

/// One thing that is wrong with a file's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMistake {
    /// The place and the reason, in a sentence for the designer.
    pub message: String,
    /// Where in the text; none where it is about the file as a whole.
    pub span: Option<Span>,
    /// The line and the column where that begins, from 1.
    pub position: Option<(usize, usize)>,
}

/// The first mistake, and how many more there are.
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

/// What is wrong with the value at the end of a way, before it is known where that stands in the text.
pub(super) struct Wrong {
    way: Vec<Step>,
    is_of_key: bool,
    message: String,
}

impl Wrong {
    /// What is wrong with the file as a whole.
    pub(super) fn with_file(message: impl Into<String>) -> Vec<Self> {
        vec![Self::with_value(vec![], message)]
    }

    pub(super) fn with_value(way: Vec<Step>, message: impl Into<String>) -> Self {
        Self {
            way,
            is_of_key: false,
            message: message.into(),
        }
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        let message = format!("{}{}", place(&fault.way), fault.reason);
        Self {
            way: fault.way,
            is_of_key: fault.is_of_key,
            message,
        }
    }
}

impl FileError {
    /// What is wrong, without places.
    pub(super) fn of_whole(wrong: Vec<Wrong>) -> Self {
        let mistake = |wrong: Wrong| FileMistake {
            message: wrong.message,
            span: None,
            position: None,
        };
        Self {
            mistakes: wrong.into_iter().map(mistake).collect(),
        }
    }

    /// Finds where in the text the values stand with which something is wrong.
    pub(super) fn in_text(text: &str, mut wrong: Vec<Wrong>) -> Self {
        // Of a record, what is wrong with it comes before what is wrong with its name.
        wrong.sort_by_key(|wrong| wrong.is_of_key);
        let (lines, places) = (Lines::of(text), Places::of(text));
        let mistake = |wrong: Wrong| {
            let spot = places.last_on(&wrong.way);
            let mark = if wrong.is_of_key {
                spot.key()
            } else {
                spot.mark()
            };
            let is_somewhere = !wrong.way.is_empty();
            FileMistake {
                message: wrong.message,
                position: is_somewhere.then(|| lines.position(text, mark.start)),
                span: is_somewhere.then(|| Span::new(mark.start, mark.end)),
            }
        };
        let mut mistakes: Vec<FileMistake> = wrong.into_iter().map(mistake).collect();
        mistakes.sort_by_key(|mistake| mistake.span);
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

impl Document {
    /// The text of the document's file. The same document gives the same bytes.
    pub fn to_json(&self) -> String {
        let file = File {
            taskloom: VERSION,
            document: self,
        };
        write(&file) + "\n"
    }

    /// Reads the text of a file of this version or an older one.
    ///
    /// Positions of blocks and cards that the document does not have are left
    /// out: they mean nothing, and a merge of two branches may leave them over.
    ///
    /// # Errors
    /// Where it is not JSON, a key stands twice or the version is newer: the
    /// first such mistake. Otherwise all values that are not of their record's
    /// form, up to 200 of a record (of one with more than 5,000 values fewer), or all invariants that do not hold.
    /// Places count from behind a byte order mark.
    pub fn from_json(text: &str) -> Result<Self, FileError> {
        let read = Self::from_json_until(text, &Stop::default());
        read.unwrap_or_else(|Stopped| Err(FileError::of_whole(vec![])))
    }

    /// Reads the text of a file, unless it is stopped; see [`Document::from_json`].
    ///
    /// # Errors
    /// Where the stop was heard.
    pub fn from_json_until(text: &str, stop: &Stop) -> Result<Result<Self, FileError>, Stopped> {
        let text = without_mark(text);
        let value = match stop.unless_heard(read_json(text, stop))? {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        };
        let read = match value {
            Value::Object(object) => Self::from_object(object, stop),
            _ => Err(Wrong::with_file(
                "a Taskloom file is a JSON object: { ... }",
            )),
        };
        let read = stop.unless_heard(read)?;
        Ok(read.map_err(|wrong| FileError::in_text(text, wrong)))
    }

    /// Reads the JSON object of a file; see [`Document::from_json`].
    pub(super) fn from_object(
        mut object: Map<String, Value>,
        stop: &Stop,
    ) -> Result<Self, Vec<Wrong>> {
        let version = version(object.remove("taskloom"))?;
        for migration in MIGRATIONS.iter().skip(version as usize - 1) {
            migration(&mut object);
        }
        let read = Self::from_parts(object, stop);
        let mut document =
            read.map_err(|faults| faults.into_iter().map(Wrong::from).collect::<Vec<_>>())?;
        if stop.is_asked() {
            return Ok(document);
        }
        document.prune_layout();
        let broken = document.broken_invariants();
        if broken.is_empty() {
            Ok(document)
        } else {
            Err(broken
                .into_iter()
                .map(|(way, reason)| Wrong::with_value(way, reason))
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
    /// Those that have not been read.
    object: Map<String, Value>,
    stop: &'s Stop,
    /// The keys that have been asked for.
    known: Vec<&'static str>,
    /// What is wrong with what has been read.
    faults: Vec<Fault>,
}

impl Parts<'_> {
    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.object.remove(key)
    }

    /// A part that is read at once; its default where it is left out or something is wrong with it.
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

    /// The records of a table with which nothing is wrong.
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
        read.filter_map(|(name, record)| Some((name, record?)))
            .collect()
    }

    /// Everything that is wrong, the parts among it that nobody asked for.
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

/// A JSON value in which no key stands twice in an object.
pub(super) fn read_json(text: &str, stop: &Stop) -> Result<Value, FileError> {
    parse(text, stop).map_err(|error| {
        let mistake = FileMistake {
            message: error.message,
            span: Some(Span::new(error.at, error.at + 1)),
            position: Some(Lines::of(text).position(text, error.at)),
        };
        FileError {
            mistakes: vec![mistake],
        }
    })
}

/// A text without the byte order mark that some editors write before it.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn version(value: Option<Value>) -> Result<u64, Vec<Wrong>> {
    let value = value.ok_or_else(|| {
        Wrong::with_file("this is not a Taskloom file: it does not begin with \"taskloom\": 2")
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
    let way = vec![Step::Key("taskloom".to_owned())];
    Err(vec![Wrong::with_value(way, message)])
}

/// `In compound task 'get-ball', method.wires[2]: `
fn place(way: &[Step]) -> String {
    let kind = match way {
        [Step::Key(table), Step::Key(_), ..] => kind_of_table(table),
        _ => None,
    };
    let (mut text, rest) = match (kind, way) {
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

/// The file's key of the table of a kind.
pub(super) fn table_of_kind(kind: Kind) -> String {
    kind.label().replace(' ', "_") + "s"
}
