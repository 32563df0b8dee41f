//! Groups of cards within a long column: by the agents that use them, or by the first word of their
//! names.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::set_of;
use taskloom_document::{Document, Kind, Name, Planning, RecordRef};
use taskloom_domain::dependencies::{Link, Role};

use crate::diagram::face::Face;

/// The number of cards from which on they are grouped.
const LONG: usize = 10;
/// The minimum number of names with the same first word that are a group.
const COMMON: usize = 3;
/// The heading of the cards that are in no other group.
const OTHERS: &str = "Others";

/// The heading of the cards that several agents use.
const SHARED: &str = "Shared";

/// Cards with their records, in the order of their names.
pub type Cards = Vec<(RecordRef, Face)>;

/// Some of a column's cards.
#[derive(Debug, PartialEq)]
pub struct Group {
    /// Its heading; empty without one.
    pub title: String,
    /// Its cards.
    pub cards: Cards,
}

/// The agents that use a task or a goal.
#[derive(Debug, Default)]
pub struct Users {
    /// The number of all agents.
    agents: usize,
    of: BTreeMap<RecordRef, BTreeSet<Name>>,
}

impl Users {
    /// Finds the users of all tasks and goals.
    pub fn new(document: &Document, links: &BTreeSet<Link>) -> Self {
        let mut used: BTreeMap<&RecordRef, Vec<&RecordRef>> = BTreeMap::new();
        for Link { from, to, .. } in links.iter().filter(|link| is_use(link)) {
            used.entry(to).or_default().push(from);
        }
        let mut users = Self {
            agents: document.agents.len(),
            of: BTreeMap::new(),
        };
        for (name, agent) in &document.agents {
            let own = RecordRef::new(Kind::Agent, name.clone());
            let mut open: Vec<RecordRef> = used
                .get(&own)
                .into_iter()
                .flatten()
                .copied()
                .cloned()
                .collect();
            // Without a list, it may use every primitive task for its goals.
            if agent.uses.is_empty() && matches!(agent.planning, Planning::Goals { .. }) {
                let tasks = document.primitive_tasks.keys();
                open.extend(tasks.map(|task| RecordRef::new(Kind::PrimitiveTask, task.clone())));
            }
            while let Some(record) = open.pop() {
                let below = used.get(&record).into_iter().flatten().copied().cloned();
                let below: Vec<RecordRef> = below.collect();
                if users.of.entry(record).or_default().insert(name.clone()) {
                    open.extend(below);
                }
            }
        }
        users
    }

    /// Returns the heading of a record's group.
    fn heading(&self, record: &RecordRef) -> Option<String> {
        let agents = self.of.get(record)?;
        let mut names = agents.iter();
        match (names.next(), names.next()) {
            (Some(only), None) => Some(format!("{only} only")),
            _ => Some(SHARED.to_owned()),
        }
    }
}

/// Returns `true` for a link on which the users of tasks and goals depend.
pub fn is_use(link: &Link) -> bool {
    matches!(
        link.role,
        Role::Task | Role::Goal | Role::Repertoire | Role::Subtask
    )
}

/// Divides the cards of one kind into groups; all of them are one group if they are few, or have
/// nothing in common.
pub fn grouped(cards: Cards, users: &Users) -> Vec<Group> {
    let by_use = |(record, _): &(RecordRef, Face)| users.heading(record);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (record, _) in &cards {
        *counts.entry(first_word(&record.name)).or_default() += 1;
    }
    let by_word = |(record, _): &(RecordRef, Face)| {
        let word = first_word(&record.name);
        (counts.get(&word)? >= &COMMON).then_some(word)
    };
    let is_long = cards.len() >= LONG;
    if is_long && users.agents > 1 && distinguishes(&cards, &by_use) {
        divided(cards, &by_use)
    } else if is_long && distinguishes(&cards, &by_word) {
        divided(cards, &by_word)
    } else {
        let title = String::new();
        vec![Group { title, cards }]
    }
}

/// The heading of a card's group, if it has one.
type Heading<'a> = dyn Fn(&(RecordRef, Face)) -> Option<String> + 'a;

/// Returns `true` if not all cards are in the same group.
fn distinguishes(cards: &Cards, heading: &Heading<'_>) -> bool {
    let headings = set_of(cards.iter().map(heading));
    headings.len() > 1
}

/// Divides cards by their headings; those that are shared, or have none, come last.
fn divided(cards: Cards, heading: &Heading<'_>) -> Vec<Group> {
    let mut groups: BTreeMap<Option<String>, Cards> = BTreeMap::new();
    for card in cards {
        groups.entry(heading(&card)).or_default().push(card);
    }
    let others = groups.remove(&None);
    let shared = groups.remove_entry(&Some(SHARED.to_owned()));
    let groups = groups
        .into_iter()
        .chain(shared)
        .filter_map(|(title, cards)| {
            Some(Group {
                title: title?,
                cards,
            })
        });
    let others = others.map(|cards| Group {
        title: OTHERS.to_owned(),
        cards,
    });
    groups.chain(others).collect()
}

/// Returns the first word of a name: `walk` of `walk-to`, `walk_to` or `WalkTo`.
fn first_word(name: &Name) -> String {
    let name = name.as_str();
    let mut before = ' ';
    let end = name.char_indices().find(|(_, letter)| {
        let ends = matches!(letter, '-' | '_')
            || letter.is_ascii_uppercase() && !before.is_ascii_uppercase() && before != ' ';
        before = *letter;
        ends
    });
    let word = end.map_or(name, |(at, _)| name.get(..at).unwrap_or(name));
    word.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::board::cards::face;
    use taskloom_domain::dependencies::Reader;

    fn groups(document: &Document, kind: Kind) -> String {
        let links = Reader::default().links(document);
        let names = document.names(kind).into_iter();
        let records = names.map(|name| RecordRef::new(kind, name.clone()));
        let cards = records.filter_map(|r| Some((r.clone(), face(document, &r)?)));
        let groups = grouped(cards.collect(), &Users::new(document, &links));
        let groups = groups
            .iter()
            .map(|g| format!("{}:{}", g.title, g.cards.len()));
        groups.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn first_words_end_at_a_separator_or_a_capital() {
        for name in ["walk", "walk-to", "walk_to", "WalkTo", "walkTo"] {
            assert_eq!(first_word(&name.parse().unwrap()), "walk", "{name}");
        }
        assert_eq!(first_word(&"HTTP-get".parse().unwrap()), "http");
    }

    #[test]
    fn few_cards_and_unrelated_names_are_not_grouped() {
        let first = crate::examples::first();
        assert_eq!(groups(&first, Kind::PrimitiveTask), ":6");
        let mut document = first;
        let task = document.primitive_tasks.values().next().unwrap().clone();
        let mut add = |name: String| {
            let task = task.clone();
            document.primitive_tasks.insert(name.parse().unwrap(), task);
        };
        for number in 0..4 {
            add(format!("walk-{number}"));
            add(format!("run_{number}"));
        }
        assert_eq!(
            groups(&document, Kind::PrimitiveTask),
            "run:4 walk:5 Others:5"
        );
    }

    #[test]
    fn tasks_are_grouped_by_the_agents_that_use_them() {
        let text = include_str!("../../../public/examples/rts.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let found = groups(&document, Kind::PrimitiveTask);
        assert!(
            found.contains("captain only:") && found.contains("Shared:"),
            "{found}"
        );
        let found = groups(&document, Kind::CompoundTask);
        assert_eq!(found, "captain only:8 day-hand only:2");
    }
}
