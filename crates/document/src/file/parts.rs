//! The text of a document's file in parts, which versions of the document share: a later version is
//! written, and compared, without the text of unchanged records.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::iter::{self, Peekable};
use std::mem;
use std::slice::Iter;
use std::sync::Arc;

use serde::Serialize;

use super::{VERSION, table_of_kind};
use crate::json::write;
use crate::{BlockId, Document, Drawing, Kind, Layout, Name, Point, Record};

/// The text of a document's file, in parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileParts(Vec<FilePart>);

/// A part of a file's text: an entry of a table, or some of the text around the entries.
#[derive(Debug, Clone)]
struct FilePart {
    /// The number of the table or of the text around tables, which is the same in all files.
    number: usize,
    /// The name and the value of an entry.
    entry: Option<(Name, EntryValue)>,
    /// `true` if there is a comma before the text.
    has_comma: bool,
    text: Arc<str>,
}

/// The value of an entry. It is kept to recognize it in another version, by its address.
#[derive(Debug, Clone)]
enum EntryValue {
    Record(Record),
    Points(Arc<BTreeMap<BlockId, Point>>),
    Drawing(Arc<Drawing>),
}

/// The parts of two versions in the same place.
type Pair<'p> = (Option<&'p FilePart>, Option<&'p FilePart>);

impl FileParts {
    /// Writes a document. The text of what it shares with one of the `known` versions is taken from
    /// there.
    pub(crate) fn of(document: &Document, known: &[Self]) -> Self {
        let known = known.iter().map(|parts| parts.0.iter().peekable());
        let mut writer = Writer {
            known: known.collect(),
            parts: vec![],
            number: 0,
            depth: 1,
            is_first: true,
        };
        writer.add(false, "{");
        writer.member("taskloom", Some(&VERSION));
        writer.member("info", Some(&document.info));
        for kind in Kind::ALL {
            let records = document.table(kind).into_iter();
            let records = records.map(|(name, view)| (name, EntryValue::Record(view.to_record())));
            writer.table(&table_of_kind(kind), records.collect());
        }
        writer.open("layout");
        writer.layout(&document.layout);
        writer.close();
        writer.close();
        writer.add(false, "\n");
        Self(writer.parts)
    }

    /// Returns the text: the same bytes as [`Document::to_json`].
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.0.iter().map(FilePart::size).sum());
        self.0.iter().for_each(|part| part.append_to(&mut text));
        text
    }

    /// Returns the parts of the text that a later version changes: the byte offset of each in this
    /// text, its text, and the text in its place.
    pub(crate) fn changed_parts(&self, later: &Self) -> Vec<(usize, String, String)> {
        let (pairs, mut changed, mut at) = (self.paired(later), vec![], 0);
        for run in pairs.chunk_by(|a, b| is_unchanged(a) == is_unchanged(b)) {
            if !is_unchanged(&run[0]) {
                let old = joined(run.iter().filter_map(|(old, _)| *old));
                let new = joined(run.iter().filter_map(|(_, new)| *new));
                changed.push((at, old, new));
            }
            let olds = run.iter().filter_map(|(old, _)| *old);
            at += olds.map(FilePart::size).sum::<usize>();
        }
        changed
    }

    /// Merges the parts of two versions. Each part occurs once, in order.
    fn paired<'p>(&'p self, later: &'p Self) -> Vec<Pair<'p>> {
        let (mut olds, mut news) = (self.0.iter().peekable(), later.0.iter().peekable());
        let next = move || {
            let order = match (olds.peek(), news.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.key().cmp(&new.key()),
            };
            let old = olds.next_if(|_| order.is_le());
            Some((old, news.next_if(|_| order.is_ge())))
        };
        iter::from_fn(next).collect()
    }
}

fn is_unchanged(pair: &Pair<'_>) -> bool {
    matches!(pair, (Some(old), Some(new)) if old.is_same(new))
}

fn joined<'p>(parts: impl Iterator<Item = &'p FilePart>) -> String {
    let mut text = String::new();
    parts.for_each(|part| part.append_to(&mut text));
    text
}

impl FilePart {
    /// Returns the key by which parts are ordered. A table begins before its entries.
    fn key(&self) -> (usize, Option<&Name>) {
        (self.number, self.entry.as_ref().map(|(name, _)| name))
    }

    /// Returns `true` if it is the entry of a table with this name, spelled the same, and value.
    fn is_entry(&self, number: usize, name: &Name, value: &EntryValue) -> bool {
        let entry = self.entry.as_ref().filter(|_| self.number == number);
        entry.is_some_and(|(known, of)| known.same_spelling(name) && of.is_same(value))
    }

    /// Returns `true` if two parts have the same text. Texts that are shared aren't compared.
    fn is_same(&self, other: &Self) -> bool {
        let is_shared = Arc::ptr_eq(&self.text, &other.text);
        self.has_comma == other.has_comma && (is_shared || self.text == other.text)
    }

    /// Returns its size in bytes.
    fn size(&self) -> usize {
        usize::from(self.has_comma) + self.text.len()
    }

    fn append_to(&self, text: &mut String) {
        if self.has_comma {
            text.push(',');
        }
        text.push_str(&self.text);
    }
}

impl EntryValue {
    /// Returns `true` if two values are the same object in memory.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Record(one), Self::Record(other)) => one.is_same(other),
            (Self::Points(one), Self::Points(other)) => Arc::ptr_eq(one, other),
            (Self::Drawing(one), Self::Drawing(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    fn to_json(&self) -> String {
        match self {
            Self::Record(record) => record.view().to_json(),
            Self::Points(points) => write(points),
            Self::Drawing(drawing) => write(drawing),
        }
    }
}

/// Writes the parts of a file.
struct Writer<'k> {
    /// The remaining parts of the known versions.
    known: Vec<Peekable<Iter<'k, FilePart>>>,
    /// The parts so far.
    parts: Vec<FilePart>,
    /// The number of the last part.
    number: usize,
    /// The number of objects around the next member.
    depth: usize,
    /// `true` if the next member is the first of its object.
    is_first: bool,
}

impl Writer<'_> {
    fn layout(&mut self, layout: &Layout) {
        let Layout {
            board,
            methods,
            collapsed_cards,
            board_frames,
            drawings,
            stage,
        } = layout;
        self.member("board", Some(board).filter(|cards| !cards.is_empty()));
        let methods = methods.iter();
        let methods = methods.map(|(name, points)| (name, EntryValue::Points(points.clone())));
        self.table("methods", methods.collect());
        let collapsed = Some(collapsed_cards).filter(|cards| !cards.is_empty());
        self.member("collapsed_cards", collapsed);
        let frames = Some(board_frames).filter(|frames| !frames.is_empty());
        self.member("board_frames", frames);
        let drawings = drawings.iter();
        let drawings = drawings.map(|(name, drawn)| (name, EntryValue::Drawing(drawn.clone())));
        self.table("drawings", drawings.collect());
        self.member("stage", Some(stage).filter(|stage| !stage.is_empty()));
    }

    /// Adds a part that isn't an entry.
    fn add(&mut self, has_comma: bool, text: &str) {
        self.number += 1;
        self.parts.push(FilePart {
            number: self.number,
            entry: None,
            has_comma,
            text: text.into(),
        });
    }

    /// Returns `true` if a comma precedes the next member, which is then no longer the first one.
    fn takes_comma(&mut self) -> bool {
        !mem::replace(&mut self.is_first, false)
    }

    /// Returns the text of a member of an object.
    fn member_text(&self, key: &str, value: &str) -> String {
        let line = format!("\n{}", "  ".repeat(self.depth));
        // A line break in a string is escaped.
        format!("{line}\"{key}\": {}", value.replace('\n', &line))
    }

    /// Writes a member, or nothing, but with the same number for what follows.
    fn member(&mut self, key: &str, value: Option<&impl Serialize>) {
        let Some(value) = value else {
            self.number += 1;
            return;
        };
        let text = self.member_text(key, &write(value));
        let has_comma = self.takes_comma();
        self.add(has_comma, &text);
    }

    /// Begins an object.
    fn open(&mut self, key: &str) {
        let text = self.member_text(key, "{");
        let has_comma = self.takes_comma();
        self.add(has_comma, &text);
        self.depth += 1;
        self.is_first = true;
    }

    /// Ends an object.
    fn close(&mut self) {
        self.depth -= 1;
        match self.takes_comma() {
            true => self.add(false, &format!("\n{}}}", "  ".repeat(self.depth))),
            false => self.add(false, "}"),
        }
    }

    /// Writes a table, or nothing if it is empty, but with the same number for what follows.
    fn table(&mut self, key: &str, entries: Vec<(&Name, EntryValue)>) {
        if entries.is_empty() {
            self.number += 2;
            return;
        }
        self.open(key);
        for (name, value) in entries {
            self.entry(name, value);
        }
        self.close();
    }

    fn entry(&mut self, name: &Name, value: EntryValue) {
        let number = self.number;
        let known = self.known.iter_mut().find_map(|parts| {
            while parts
                .next_if(|part| part.key() < (number, Some(name)))
                .is_some()
            {}
            parts.next_if(|part| part.is_entry(number, name, &value))
        });
        let text: Arc<str> = match known {
            Some(part) => part.text.clone(),
            None => self.member_text(name.as_str(), &value.to_json()).into(),
        };
        let has_comma = self.takes_comma();
        self.parts.push(FilePart {
            number,
            entry: Some((name.clone(), value)),
            has_comma,
            text,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use crate::Edit;

    const BALL: &str = include_str!("../../../../public/examples/ball-in-the-box.taskloom.json");
    const GUARD: &str = include_str!("../../../../public/examples/night-guard.taskloom.json");

    fn changed(old: &Document, new: &Document) -> Vec<(usize, String, String)> {
        let parts = FileParts::of(old, &[]);
        let later = FileParts::of(new, slice::from_ref(&parts));
        assert_eq!(parts.text(), old.to_json());
        assert_eq!(later.text(), new.to_json());
        parts.changed_parts(&later)
    }

    #[test]
    fn text_is_that_of_the_whole_document() {
        let empty = Document::default();
        let [ball, guard] = [BALL, GUARD].map(|text| Document::from_json(text).unwrap());
        for old in [&empty, &ball, &guard] {
            for new in [&empty, &ball, &guard] {
                let (old_text, mut text) = (old.to_json(), String::new());
                let mut done = 0;
                for (at, from, to) in changed(old, new) {
                    assert_eq!(old_text[at..at + from.len()], from);
                    text += &old_text[done..at];
                    text += &to;
                    done = at + from.len();
                }
                text += &old_text[done..];
                assert_eq!(text, new.to_json());
            }
        }
    }

    #[test]
    fn only_changed_records_are_written_and_compared() {
        let ball = Document::from_json(BALL).unwrap();
        let parts = FileParts::of(&ball, &[]);
        for text in ball.texts() {
            let edit = Edit::SetText(text.record.clone(), text.field, "changed".to_owned());
            let edited = ball.apply(&edit).unwrap();
            let later = FileParts::of(&edited, slice::from_ref(&parts));
            let entries = |of: &FileParts| {
                let entries = of.0.iter().filter(|part| part.entry.is_some());
                entries.map(|part| part.text.clone()).collect::<Vec<_>>()
            };
            let pairs = entries(&parts).into_iter().zip(entries(&later));
            let written = pairs.filter(|(old, new)| !Arc::ptr_eq(old, new));
            let written: Vec<_> = written.collect();
            let [(old, new)] = written.as_slice() else {
                panic!("{} entries were written", written.len());
            };
            if old != new {
                assert_eq!(parts.changed_parts(&later).len(), 1);
            }
            assert!(new.contains(&format!("\"{}\": ", text.record.name)));
        }
    }
}
