//! The facts that say where things are.

use std::collections::BTreeSet;

use taskloom::document::{Document, Fact, Name, Source, ValueKind};
use taskloom::planner::plan::{Atom, Value};

/// A fact that says where things are: `place_of(?who)`, whose value is a place, or
/// `at(?who, ?where)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// The fact.
    pub fact: Name,
    /// Its signature: `place_of(?who)`.
    pub signature: String,
    /// The type of the things that it locates.
    pub things: Name,
    /// The type of its places.
    pub places: Name,
    /// `true` if characters may be wrong about it.
    pub is_seen: bool,
}

impl Map {
    fn of(name: &Name, fact: &Fact) -> Option<Self> {
        let (things, places) = match (&fact.value, fact.params.as_slice()) {
            (ValueKind::Object(place), [thing]) => (&thing.of, place),
            (ValueKind::Boolean, [thing, place]) => (&thing.of, &place.of),
            _ => return None,
        };
        let params: Vec<String> = fact.params.iter().map(|p| format!("?{}", p.name)).collect();
        Some(Self {
            fact: name.clone(),
            signature: format!("{name}({})", params.join(", ")),
            things: things.clone(),
            places: places.clone(),
            is_seen: fact.source == Source::Sensor,
        })
    }

    /// Returns the thing that a ground fact is about, and the place where its value puts it; with
    /// `false`, the place where the value says that it isn't.
    pub fn reads<'v>(
        &self,
        atom: &'v Atom,
        value: &'v Value,
    ) -> Option<(&'v Name, Option<&'v Name>, bool)> {
        if atom.fact != self.fact {
            return None;
        }
        match (value, atom.args.as_slice()) {
            (Value::Object(place), [thing]) => Some((thing, place.as_ref(), true)),
            (Value::Bool(is_there), [thing, place]) => Some((thing, Some(place), *is_there)),
            _ => None,
        }
    }
}

/// Returns the facts of a document that say where things are. Those with a place as their value
/// come first, since of two objects that a fact is about neither need be a place.
pub fn maps(document: &Document) -> Vec<Map> {
    let facts = document.facts.iter();
    let mut maps: Vec<Map> = facts
        .filter_map(|(name, fact)| Map::of(name, fact))
        .collect();
    let has_value = |map: &Map| {
        let fact = document.facts.get(&map.fact);
        fact.is_some_and(|fact| fact.value != ValueKind::Boolean)
    };
    maps.sort_by_key(|map| !has_value(map));
    maps
}

/// Returns the map to show: the designer's choice, else the first that changes, else the first.
pub fn shown<'m>(
    maps: &'m [Map],
    choice: Option<&Name>,
    changed: &BTreeSet<Name>,
) -> Option<&'m Map> {
    let chosen = maps.iter().find(|map| Some(&map.fact) == choice);
    let changes = || maps.iter().find(|map| changed.contains(&map.fact));
    chosen.or_else(changes).or(maps.first())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Name {
        name.parse().unwrap()
    }

    fn document(facts: &str) -> Document {
        let text = format!(
            r#"{{ "taskloom": 2, "types": {{ "person": {{ "parent": "object" }},
            "room": {{ "parent": "object" }} }}, "facts": {{ {facts} }} }}"#
        );
        Document::from_json(&text).unwrap()
    }

    const FACTS: &str = r#"
        "at": { "params": ["?who: person", "?where: room"] },
        "alarm": {},
        "gold": { "params": ["?r: room"] },
        "home": { "value": { "object": "room" } },
        "place_of": { "params": ["?p: person"], "value": { "object": "room" }, "source": "sensor" },
        "strength": { "params": ["?p: person"], "value": { "number": {} } },
        "way": { "params": ["?a: room", "?b: room", "?c: room"] }"#;

    #[test]
    fn facts_that_relate_things_to_places_are_maps() {
        let maps = maps(&document(FACTS));
        let described = maps.iter().map(|map| {
            let Map { things, places, .. } = map;
            format!("{}: {things} in {places}", map.signature)
        });
        assert_eq!(
            described.collect::<Vec<_>>(),
            [
                "place_of(?p): person in room",
                "at(?who, ?where): person in room"
            ]
        );
    }

    #[test]
    fn chosen_map_precedes_changed_ones_and_those_the_first() {
        let maps = maps(&document(FACTS));
        let shows = |choice: Option<&str>, changed: &[&str]| {
            let changed = changed.iter().map(|fact| name(fact)).collect();
            let choice = choice.map(name);
            let map = shown(&maps, choice.as_ref(), &changed);
            map.map(|map| map.fact.to_string()).unwrap_or_default()
        };
        assert_eq!(shows(None, &[]), "place_of");
        assert_eq!(shows(None, &["at", "alarm"]), "at");
        assert_eq!(shows(None, &["at", "place_of"]), "place_of");
        assert_eq!(shows(Some("at"), &["place_of"]), "at");
        // A fact that is no longer a map is no choice.
        assert_eq!(shows(Some("gold"), &["at"]), "at");
        assert_eq!(shown(&[], None, &BTreeSet::new()), None);
    }
}
