//! The locations of the values in a JSON text.
//!
//! A value that has been read does not know its location. Errors hold the path to their value, and
//! only if there are errors is the text parsed a second time.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;
use serde_with::de::DeserializeAsWrap;
use serde_with::{Map, Same};

use super::Step;

/// The locations of all values of a text.
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a str,
    root: Node,
}

/// The location of a value, and its content.
#[derive(Debug)]
struct Node {
    place: Range<usize>,
    inside: Inside,
}

#[derive(Debug)]
enum Inside {
    /// A number, a string, `true`, `false` or `null`.
    Nothing,
    List(Vec<Node>),
    /// Members by key, with the location of each key.
    Object(BTreeMap<String, (Range<usize>, Node)>),
}

/// A value in the text.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    text: &'a str,
    key: Option<&'a Range<usize>>,
    node: &'a Node,
}

impl<'a> Places<'a> {
    /// Indexes a JSON text; any other text becomes a single location.
    pub fn of(text: &'a str) -> Self {
        let root = serde_json::from_str(text).and_then(|raw| Node::of(text, raw));
        let root = root.unwrap_or(Node {
            place: 0..text.len(),
            inside: Inside::Nothing,
        });
        Self { text, root }
    }

    /// Returns the outermost value.
    pub fn root(&self) -> Spot<'_> {
        Spot {
            text: self.text,
            key: None,
            node: &self.root,
        }
    }

    /// Returns the value at the end of a path, or the last one on it that exists in the text.
    pub fn last_on(&self, path: &[Step]) -> Spot<'_> {
        let mut spot = self.root();
        for step in path {
            let next = match step {
                Step::Key(key) => spot.member(key),
                Step::Item(position) => spot.item(*position),
            };
            match next {
                Some(next) => spot = next,
                None => break,
            }
        }
        spot
    }
}

type Members<'a> = DeserializeAsWrap<Vec<(&'a RawValue, &'a RawValue)>, Map<Same, Same>>;

impl Node {
    /// A raw value is a slice of the text, so its address gives its location.
    fn of(text: &str, raw: &RawValue) -> serde_json::Result<Self> {
        let place = |raw: &RawValue| {
            let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
            start..start + raw.get().len()
        };
        let inside = match raw.get().as_bytes().first() {
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(raw.get())?;
                let nodes = items.into_iter().map(|item| Self::of(text, item));
                Inside::List(nodes.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let members: Members = serde_json::from_str(raw.get())?;
                let mut nodes = BTreeMap::new();
                for (key, value) in members.into_inner() {
                    let name = serde_json::from_str(key.get())?;
                    nodes.insert(name, (place(key), Self::of(text, value)?));
                }
                Inside::Object(nodes)
            }
            _ => Inside::Nothing,
        };
        Ok(Self {
            place: place(raw),
            inside,
        })
    }
}

impl<'a> Spot<'a> {
    /// Returns the value of a key.
    pub fn member(&self, key: &str) -> Option<Self> {
        let Inside::Object(members) = &self.node.inside else {
            return None;
        };
        let (key, node) = members.get(key)?;
        Some(Self {
            key: Some(key),
            node,
            ..*self
        })
    }

    /// Returns an item of a list, from 0.
    pub fn item(&self, position: usize) -> Option<Self> {
        let Inside::List(items) = &self.node.inside else {
            return None;
        };
        Some(Self {
            key: None,
            node: items.get(position)?,
            ..*self
        })
    }

    /// Returns the range of its key, in quotes; that of the value if it is not a member.
    pub fn key(&self) -> Range<usize> {
        self.key.unwrap_or(&self.node.place).clone()
    }

    /// Returns the range to mark for the value: the value itself; for an object or a list its key,
    /// or else the opening bracket.
    pub fn mark(&self) -> Range<usize> {
        let place = &self.node.place;
        match (&self.node.inside, self.key) {
            (Inside::Nothing, _) => place.clone(),
            (_, Some(key)) => key.clone(),
            (_, None) => place.start..place.start + 1,
        }
    }

    /// Returns the range between the quotes, if the value is a string.
    pub fn text(&self) -> Option<Range<usize>> {
        let Range { start, end } = self.node.place;
        let is_text = self.text.get(start..)?.starts_with('"');
        is_text.then_some(start + 1..end - 1)
    }

    /// Returns the location of a range of bytes of a string value.
    pub fn part(&self, range: Range<usize>) -> Range<usize> {
        self.byte(range.start)..self.byte(range.end)
    }

    /// Returns the location of a byte of the string: escaped characters take more bytes in the
    /// text.
    fn byte(&self, offset: usize) -> usize {
        let between = self.text().and_then(|place| self.text.get(place));
        let mut rest = between.unwrap_or_default();
        let start = self.node.place.start + 1;
        let (mut read, mut passed) = (0, 0);
        while read < offset {
            let plain = rest.find('\\').unwrap_or(rest.len()).min(offset - read);
            let (length, meant) = match plain {
                0 if rest.is_empty() => break,
                0 => escaped(rest),
                plain => (plain, plain),
            };
            passed += length;
            read += meant;
            rest = rest.get(length..).unwrap_or_default();
        }
        start + passed
    }
}

/// Returns the length of the escape sequence at the start of a text, and the number of bytes that
/// it stands for.
fn escaped(text: &str) -> (usize, usize) {
    let code = |at: usize| u32::from_str_radix(text.get(at..at + 4)?, 16).ok();
    match code(2).filter(|_| text.starts_with("\\u")) {
        // A surrogate pair.
        Some(0xd800..0xdc00) => (12, 4),
        Some(code) => (6, char::from_u32(code).map_or(1, char::len_utf8)),
        None => (2, 1),
    }
}
