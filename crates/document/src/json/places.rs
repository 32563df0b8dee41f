//! Where the values of a JSON text stand in it.
//!
//! A value that is read does not know where it stood. What is wrong with it is told by the way to it, and only where
//! something is wrong is the text gone over once more.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Step;
use super::value::Reader;

/// The places of all values of a text.
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a str,
    root: Node,
}

/// Where a value stands, and what is in it.
#[derive(Debug)]
struct Node {
    place: Range<usize>,
    inside: Inside,
}

#[derive(Debug)]
enum Inside {
    /// A number, `true`, `false` or `null`, or a string that is not escaped anywhere.
    Nothing,
    /// A string in which something is escaped.
    Escaped,
    List(Vec<Node>),
    /// With the places of the keys.
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
    /// Of a text that is JSON; of anything else, one place that is all of it.
    pub fn of(text: &'a str) -> Self {
        let mut reader = Reader { text, at: 0 };
        let root = node(&mut reader, 0).unwrap_or(Node {
            place: 0..text.len(),
            inside: Inside::Nothing,
        });
        Self { text, root }
    }

    /// The outermost value.
    pub fn root(&self) -> Spot<'_> {
        Spot {
            text: self.text,
            key: None,
            node: &self.root,
        }
    }

    /// The value at the end of a way, or the last on this way that the text has.
    pub fn last_on(&self, way: &[Step]) -> Spot<'_> {
        let mut spot = self.root();
        for step in way {
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

impl<'a> Spot<'a> {
    /// The value of a key.
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

    /// An item of a list, from 0.
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

    /// Its key, in quotes; the value itself where it is no member.
    pub fn key(&self) -> Range<usize> {
        self.key.unwrap_or(&self.node.place).clone()
    }

    /// What is marked where the value is meant: the value; of an object or a list its key, or else the bracket that
    /// opens it.
    pub fn mark(&self) -> Range<usize> {
        let place = &self.node.place;
        match (&self.node.inside, self.key) {
            (Inside::Nothing | Inside::Escaped, _) => place.clone(),
            (_, Some(key)) => key.clone(),
            (_, None) => place.start..place.start + 1,
        }
    }

    /// What stands between the quotes, where the value is a string.
    pub fn text(&self) -> Option<Range<usize>> {
        let Range { start, end } = self.node.place;
        let is_text = self.text.get(start..)?.starts_with('"');
        is_text.then_some(start + 1..end - 1)
    }

    /// Where a range of bytes of a string is that the value is.
    pub fn part(&self, range: Range<usize>) -> Range<usize> {
        let start = self.node.place.start + 1;
        match self.node.inside {
            Inside::Escaped => self.escaped(range.start)..self.escaped(range.end),
            _ => start + range.start..start + range.end,
        }
    }

    /// Where a byte of the string is: characters that are escaped take more bytes in the text.
    fn escaped(&self, offset: usize) -> usize {
        let mut reader = Reader {
            text: self.text,
            at: self.node.place.start + 1,
        };
        let mut before = 0;
        while before < offset {
            let Ok(Some(c)) = reader.character() else {
                break;
            };
            before += c.len_utf8();
        }
        reader.at
    }
}

fn node(reader: &mut Reader, depth: usize) -> Result<Node, String> {
    reader.skip_blanks();
    let start = reader.at;
    let inside = match reader.peek() {
        Some(b'{') => {
            reader.open(depth)?;
            let mut members = BTreeMap::new();
            while reader.goes_on(members.is_empty(), "}")? {
                let (place, key) = reader.key()?;
                members.insert(key, (place, node(reader, depth + 1)?));
            }
            Inside::Object(members)
        }
        Some(b'[') => {
            reader.open(depth)?;
            let mut items = vec![];
            while reader.goes_on(items.is_empty(), "]")? {
                items.push(node(reader, depth + 1)?);
            }
            Inside::List(items)
        }
        Some(b'"') => {
            if reader.string()?.len() + 2 == reader.at - start {
                Inside::Nothing
            } else {
                Inside::Escaped
            }
        }
        _ => {
            reader.value(depth)?;
            Inside::Nothing
        }
    };
    Ok(Node {
        place: start..reader.at,
        inside,
    })
}
