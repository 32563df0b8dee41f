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
    /// `true` if the place is the fact's value.
    pub has_value: bool,
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
            has_value: fact.value != ValueKind::Boolean,
            is_seen: fact.source == Source::Sensor,
        })
    }

    /// Returns the values that put a thing into a place, out of another one.
    pub fn moving(&self, thing: &Name, from: Option<&Name>, to: &Name) -> Vec<(Atom, Value)> {
        let atom = |args: &[&Name]| Atom {
            fact: self.fact.clone(),
            args: args.iter().copied().cloned().collect(),
        };
        if self.has_value {
            return vec![(atom(&[thing]), Value::Object(Some(to.clone())))];
        }
        let left = from.map(|from| (atom(&[thing, from]), Value::Bool(false)));
        let come = (atom(&[thing, to]), Value::Bool(true));
        left.into_iter().chain([come]).collect()
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

/// Reads a ground fact as [`Map::reads`] does, by whichever map it belongs to.
pub fn reads<'v>(
    maps: &[Map],
    atom: &'v Atom,
    value: &'v Value,
) -> Option<(&'v Name, Option<&'v Name>, bool)> {
    maps.iter().find_map(|map| map.reads(atom, value))
}

/// Returns the maps that are shown together: the main one, and those that say which other things
/// lie in its places, if a task can move them.
pub fn with_others(document: &Document, main: &Map, all: &[Map]) -> Vec<Map> {
    let is_moved = |map: &&Map| {
        let mut tasks = document.primitive_tasks.values();
        tasks.any(|task| {
            let mut effects = task.effects.iter();
            effects.any(|effect| writes(&effect.text, map.fact.as_str()))
        })
    };
    let is_other = |map: &&Map| {
        let is_same = document.is_kind_of(&map.things, &main.things)
            || document.is_kind_of(&main.things, &map.things);
        map.places == main.places && !is_same
    };
    let others = all.iter().filter(is_other).filter(is_moved).cloned();
    std::iter::once(main.clone()).chain(others).collect()
}

/// Returns `true` if an effect, as typed, sets a fact.
fn writes(effect: &str, fact: &str) -> bool {
    let effect = effect.trim_start();
    let effect = effect.strip_prefix("not ").unwrap_or(effect).trim_start();
    let rest = effect.strip_prefix(fact);
    rest.is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Returns the facts of a document that say where things are. Those with a place as their value
/// come first, since of two objects that a fact is about neither need be a place.
pub fn maps(document: &Document) -> Vec<Map> {
    let facts = document.facts.iter();
    let mut maps: Vec<Map> = facts
        .filter_map(|(name, fact)| Map::of(name, fact))
        .collect();
    maps.sort_by_key(|map| !map.has_value);
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
            r#"{{ "taskloom": 3, "types": {{ "person": {{ "parent": "object" }},
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
