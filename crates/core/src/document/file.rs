//! The file: one JSON object in a fixed order, layout last.
//!
//! ```json
//! { "taskloom": 1, "info": { "title": "..." }, "types": { ... }, ..., "layout": { ... } }
//! ```
//!
//! Reading goes over a [`Value`], so that migrations never depend on
//! today's records.

use std::fmt;

use super::json::{Object, Read, Value, Writer};
use super::{Document, Kind};
use crate::number::Decimal;

/// The version of the file that this program writes, and the newest it reads.
pub const VERSION: u64 = MIGRATIONS.len() as u64 + 1;

/// What a document's file name ends with.
pub const FILE_EXTENSION: &str = ".taskloom.json";

type Migration = fn(&mut Object) -> Result<(), String>;

/// `MIGRATIONS[n]` turns version n + 1 into version n + 2. One that has been
/// released never changes; each version keeps a frozen example in tests/files
/// that must still open.
const MIGRATIONS: &[Migration] = &[];

/// Why a text is not a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The place and the reason, in a sentence for the designer.
    pub message: String,
    /// Line and column, from 1, where the text is not JSON.
    pub position: Option<(usize, usize)>,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

impl FileError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            position: None,
        }
    }
}

impl Document {
    /// The text of the document's file. The same document gives the same bytes.
    pub fn to_json(&self) -> String {
        let document = Writer::write(self);
        // The version comes before the document's own members, of which there always are some.
        let members = document.strip_prefix('{').unwrap_or_default();
        format!("{{\n  \"taskloom\": {VERSION},{members}\n")
    }

    /// Reads the text of a file of this version or an older one.
    ///
    /// Positions of blocks and cards that the document does not have are left
    /// out: they mean nothing, and a merge of two branches may leave them over.
    ///
    /// # Errors
    /// Where it is not JSON, a key stands twice, the version is newer, a value
    /// is not of its record's form, or the invariants do not hold.
    pub fn from_json(text: &str) -> Result<Self, FileError> {
        match read_json(text)? {
            Value::Object(object) => Self::from_object(object),
            _ => Err(FileError::new("a Taskloom file is a JSON object: { ... }")),
        }
    }

    /// Reads the JSON object of a file; see [`Document::from_json`].
    pub(super) fn from_object(mut object: Object) -> Result<Self, FileError> {
        let version = version(object.remove("taskloom"))?;
        for (number, migration) in MIGRATIONS.iter().enumerate().skip(version as usize - 1) {
            migration(&mut object).map_err(|reason| {
                FileError::new(format!("bringing version {} up: {reason}", number + 1))
            })?;
        }
        let object = Value::Object(object);
        let mut document = Self::read(&object).map_err(|fault| {
            let reason = in_plain_words(fault.reason().to_owned());
            FileError::new(format!("{}{reason}", place(&fault.into_path())))
        })?;
        document.prune_layout();
        document.invariants().map_err(FileError::new)?;
        Ok(document)
    }
}

/// A JSON value in which no key stands twice in an object.
pub(super) fn read_json(text: &str) -> Result<Value, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Value::parse(text).map_err(|error| FileError {
        message: error.message,
        position: Some((error.line, error.column)),
    })
}

#[cfg(test)]
impl Document {
    /// Reads a document without its version, and without asking for its invariants.
    pub(crate) fn unchecked(text: &str) -> Self {
        let value = Value::parse(text).expect("JSON");
        Self::read(&value).expect("a document")
    }
}

fn version(value: Option<Value>) -> Result<u64, FileError> {
    let value = value.ok_or_else(|| {
        FileError::new("this is no Taskloom file: it does not begin with \"taskloom\": 1")
    })?;
    match value {
        Value::Number(version) if version > VERSION as f64 => Err(FileError::new(format!(
            "the file is of version {}, and this Taskloom reads up to version {VERSION}: \
             open it with a newer Taskloom",
            Decimal(version)
        ))),
        Value::Number(version) if version >= 1.0 && version.fract() == 0.0 => Ok(version as u64),
        _ => Err(FileError::new(format!(
            "\"taskloom\" is the version of the file, a whole number from 1; found {value}"
        ))),
    }
}

/// `In compound task 'get-ball', method.wires[2]: `
fn place(names: &[String]) -> String {
    let kind = names.first().and_then(|table| kind_of_table(table));
    let (mut text, rest) = match (kind, names) {
        (_, []) => return String::new(),
        (Some(kind), [_, name, rest @ ..]) => (format!("In {} '{name}'", kind.label()), rest),
        (_, [first, rest @ ..]) => (format!("In {first}"), rest),
    };
    for (position, name) in rest.iter().enumerate() {
        match position {
            0 => text.push_str(", "),
            _ if !name.starts_with('[') => text.push('.'),
            _ => {}
        }
        text.push_str(name);
    }
    text + ": "
}

/// What a record's form is called, in words that a designer knows.
fn in_plain_words(reason: String) -> String {
    const WORDS: [(&str, &str); 4] = [
        ("expected struct variant", "expected an object, { ... }"),
        ("expected struct", "expected an object for"),
        ("expected a string", "expected a text in quotes"),
        ("a sequence", "a list, [ ... ]"),
    ];
    let replaced = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
    WORDS.iter().fold(reason, replaced)
}

fn kind_of_table(table: &str) -> Option<Kind> {
    let plural = |kind: &Kind| kind.label().replace(' ', "_") + "s" == table;
    Kind::ALL.into_iter().find(plural)
}
