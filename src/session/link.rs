//! Links: words on the screen that open what they name.

use std::fmt;

use taskloom_document::diagnostic::Place;
use taskloom_document::{BlockId, Kind, Name, RecordRef};
use taskloom_planner::plan::{Atom, Change, GroundTask};

use super::tab::Tab;

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// A tab of the simulation panel.
    Tab(Tab),
    /// A record, in the inspector.
    Record(RecordRef),
    /// A task, primitive or compound, in the inspector.
    Task(Name),
    /// A field of a record or block.
    Place(Place),
    /// A block, in the method of a task.
    Block(Name, BlockId),
    /// A scenario, which is planned.
    Scenario(Name),
    /// An expectation of a scenario, which is planned.
    Expectation(Name, usize),
    /// A character of the planned scenario, by its index in the cast.
    Character(usize),
    /// A tick of the run.
    Tick(u32),
}

impl LinkTarget {
    /// Returns the record of this kind and name.
    pub fn record(kind: Kind, name: &Name) -> Self {
        Self::Record(RecordRef::new(kind, name.clone()))
    }
}

/// Describes the effect of a click.
impl fmt::Display for LinkTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tab(tab) => write!(f, "Show the {} tab", tab.name()),
            Self::Record(record) | Self::Place(Place { record, .. }) => {
                write!(f, "Show the {} {}", record.kind.label(), record.name)
            }
            Self::Task(name) => write!(f, "Show the task {name}"),
            Self::Block(task, _) => write!(f, "Show the block in {task}"),
            Self::Scenario(name) => write!(f, "Plan {name}"),
            Self::Expectation(scenario, at) => {
                write!(f, "Show expectation {} of {scenario}", at + 1)
            }
            Self::Character(_) => f.write_str("Show this actor"),
            Self::Tick(tick) => write!(f, "Go to tick {tick}"),
        }
    }
}

/// Punctuation that begins what follows it, and that ends what precedes it.
const OPENING: [char; 5] = ['‘', '“', '(', '\'', '"'];
const CLOSING: [char; 9] = ['’', '”', ')', '.', ',', ';', ':', '\'', '"'];

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPart {
    /// Plain text.
    Text(String),
    /// A link, with the punctuation that stays on its line.
    Link {
        /// The punctuation before it.
        before: String,
        /// Its text.
        word: String,
        /// The target.
        target: LinkTarget,
        /// The punctuation after it.
        after: String,
    },
}

/// A text in which some words are links.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkedText(Vec<(String, Option<LinkTarget>)>);

impl LinkedText {
    /// Appends plain text.
    pub fn text(mut self, text: impl fmt::Display) -> Self {
        self.0.push((text.to_string(), None));
        self
    }

    /// Appends a link.
    pub fn link(mut self, word: impl fmt::Display, target: LinkTarget) -> Self {
        self.0.push((word.to_string(), Some(target)));
        self
    }

    /// Appends a link to a record, with its name as the word.
    pub fn record(self, kind: Kind, name: &Name) -> Self {
        self.link(name, LinkTarget::record(kind, name))
    }

    /// Appends a task with its arguments, as a link.
    pub fn task(self, task: &GroundTask) -> Self {
        self.link(task, LinkTarget::Task(task.task.clone()))
    }

    /// Appends a ground fact, as a link to its fact.
    pub fn atom(self, atom: &Atom) -> Self {
        self.link(atom, LinkTarget::record(Kind::Fact, &atom.fact))
    }

    /// Appends a tick's number, as a link.
    pub fn tick(self, tick: u32) -> Self {
        self.link(tick, LinkTarget::Tick(tick))
    }

    /// Appends another text.
    pub fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Joins texts with a separator.
    pub fn joined(texts: impl IntoIterator<Item = Self>, separator: &str) -> Self {
        let join = |all: Self, text| match all.is_empty() {
            true => text,
            false => all.text(separator).then(text),
        };
        texts.into_iter().fold(Self::default(), join)
    }

    /// Joins values that changed: `box_open = false, ammo = 3`.
    pub fn changes(changes: &[Change]) -> Self {
        let change = |c: &Change| {
            Self::default()
                .atom(&c.atom)
                .text(format!(" = {}", c.after))
        };
        Self::joined(changes.iter().map(change), ", ")
    }

    /// Returns `true` if there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the parts of the text.
    pub fn into_parts(self) -> Vec<TextPart> {
        let mut parts = vec![];
        for (text, target) in self.0 {
            match (target, parts.last_mut()) {
                (Some(target), last) => {
                    let before = match last {
                        Some(TextPart::Text(text)) => {
                            text.split_off(text.trim_end_matches(OPENING).len())
                        }
                        _ => String::new(),
                    };
                    parts.push(TextPart::Link {
                        before,
                        word: text,
                        target,
                        after: String::new(),
                    });
                }
                (None, Some(TextPart::Link { after, .. })) => {
                    let rest = text.trim_start_matches(CLOSING);
                    after.push_str(&text[..text.len() - rest.len()]);
                    parts.push(TextPart::Text(rest.to_owned()));
                }
                (None, _) => parts.push(TextPart::Text(text)),
            }
        }
        parts
    }

    /// Returns at most this many characters; a longer text loses its links.
    pub(super) fn shortened(self, most: usize) -> Self {
        let count = self.0.iter().map(|(text, _)| text.len()).sum::<usize>();
        match count > most {
            true => Self::from(shortened(&self.to_string(), most)),
            false => self,
        }
    }
}

/// Returns the beginning of a text of any length.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

impl fmt::Display for LinkedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(text, _)| f.write_str(text))
    }
}

impl From<String> for LinkedText {
    fn from(text: String) -> Self {
        Self(vec![(text, None)])
    }
}

impl From<&str> for LinkedText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_texts_end_in_an_ellipsis() {
        assert_eq!(shortened("Opened “ä”.", 11), "Opened “ä”.");
        assert_eq!(shortened("Opened “äöü”.", 9), "Opened “ä…");
    }

    #[test]
    fn links_keep_the_punctuation_around_them() {
        let text = LinkedText::from("Try (‘")
            .tick(4)
            .text("’), then ‘")
            .tick(5)
            .text("’.");
        let parts = text.into_parts().into_iter().map(|part| match part {
            TextPart::Text(text) => text,
            TextPart::Link {
                before,
                word,
                after,
                ..
            } => format!("[{before}|{word}|{after}]"),
        });
        let parts: Vec<String> = parts.collect();
        assert_eq!(parts.concat(), "Try [(‘|4|’),] then [‘|5|’.]");
    }

    #[test]
    fn a_text_reads_the_same_with_and_without_its_links() {
        let goal = |name: &str| LinkedText::default().record(Kind::Goal, &name.parse().unwrap());
        let goals = LinkedText::joined([goal("fed"), goal("safe")], " and ");
        let text = LinkedText::from("At tick ").tick(4).text(": ").then(goals);
        assert_eq!(text.to_string(), "At tick 4: fed and safe");
        let links = text.clone().into_parts().into_iter();
        let links = links.filter_map(|part| match part {
            TextPart::Link { target, .. } => Some(target.to_string()),
            TextPart::Text(_) => None,
        });
        assert_eq!(
            links.collect::<Vec<_>>(),
            ["Go to tick 4", "Show the goal fed", "Show the goal safe"]
        );
        assert_eq!(text.clone().shortened(60), text);
        assert_eq!(text.shortened(9), LinkedText::from("At tick 4…"));
        assert!(LinkedText::joined([], ", ").is_empty());
    }
}
