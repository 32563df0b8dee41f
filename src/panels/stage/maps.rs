//! The facts that say where things are.

use std::collections::BTreeSet;

use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Fact, Name, Source, ValueKind};
use taskloom_domain::lang::typed::Change;
use taskloom_domain::records::Primitive;
use taskloom_domain::text::values;
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{Atom, Value};

/// A fact that says where things are: `place_of(?who)`, whose value is a place, or
/// `at(?who, ?where)`, or `at(?where)`, which is about the only actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// The fact.
    pub fact: Name,
    /// Its signature: `place_of(?who)`.
    pub signature: String,
    /// Its form.
    pub form: Form,
    /// The type of the things that it locates.
    pub things: Name,
    /// The type of its places.
    pub places: Name,
    /// `true` if characters may be wrong about it.
    pub is_seen: bool,
    /// The objects that aren't places, although the fact's type of places includes them: they carry
    /// what is there.
    pub carriers: BTreeSet<Name>,
}

/// The forms of facts that say where things are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The place of a thing is the fact's value.
    Value,
    /// The fact holds for a thing and its place.
    Relation,
    /// The fact holds for the place of the actor of this name, which has no object.
    Actor(Name),
}

impl Map {
    fn of(name: &Name, fact: &Fact) -> Option<Self> {
        let (form, things, places) = match (&fact.value, fact.params.as_slice()) {
            (ValueKind::Object(place), [thing]) => (Form::Value, &thing.of, place),
            (ValueKind::Boolean, [thing, place]) => (Form::Relation, &thing.of, &place.of),
            _ => return None,
        };
        Some(Self::new((name, fact), form, things, places))
    }

    /// Returns the map that locates an actor without an object, if a task moves it: if it makes the
    /// fact true for one place and false for another.
    fn of_actor(domain: &Domain, name: &Name, fact: &Fact, actor: &Name) -> Option<Self> {
        let (ValueKind::Boolean, [place]) = (&fact.value, fact.params.as_slice()) else {
            return None;
        };
        let is_moved = domain.primitives().any(|(_, task)| {
            let changes = || changes(task).filter(|change| change.fact() == name);
            changes().any(|change| matches!(change, Change::Set(..)))
                && changes().any(|change| matches!(change, Change::Unset(..)))
        });
        let form = Form::Actor(actor.clone());
        is_moved.then(|| Self::new((name, fact), form, &place.of, &place.of))
    }

    fn new((name, fact): (&Name, &Fact), form: Form, things: &Name, places: &Name) -> Self {
        let params: Vec<String> = fact.params.iter().map(|p| format!("?{}", p.name)).collect();
        Self {
            fact: name.clone(),
            signature: format!("{name}({})", params.join(", ")),
            form,
            things: things.clone(),
            places: places.clone(),
            is_seen: fact.source == Source::Sensor,
            carriers: BTreeSet::new(),
        }
    }

    /// Returns the actor that it locates, if it is about no object.
    pub fn actor(&self) -> Option<&Name> {
        match &self.form {
            Form::Actor(actor) => Some(actor),
            Form::Value | Form::Relation => None,
        }
    }

    /// Returns the values that put a thing into a place, out of another one.
    pub fn moving(&self, thing: &Name, from: Option<&Name>, to: &Name) -> Vec<(Atom, Value)> {
        let atom = |args: &[&Name]| Atom {
            fact: self.fact.clone(),
            args: args.iter().copied().cloned().collect(),
        };
        let holds_for = |place| match self.form {
            Form::Actor(_) => atom(&[place]),
            Form::Value | Form::Relation => atom(&[thing, place]),
        };
        if self.form == Form::Value {
            return vec![(atom(&[thing]), Value::Object(Some(to.clone())))];
        }
        let left = from.map(|from| (holds_for(from), Value::Bool(false)));
        let come = (holds_for(to), Value::Bool(true));
        left.into_iter().chain([come]).collect()
    }

    /// Returns the thing that a ground fact is about, and the place where its value puts it; with
    /// `false`, the place where the value says that it isn't.
    pub fn reads<'v>(
        &'v self,
        atom: &'v Atom,
        value: &'v Value,
    ) -> Option<(&'v Name, Option<&'v Name>, bool)> {
        if atom.fact != self.fact {
            return None;
        }
        match (&self.form, value, atom.args.as_slice()) {
            (_, Value::Object(place), [thing]) => {
                let place = place
                    .as_ref()
                    .filter(|place| !self.carriers.contains(*place));
                Some((thing, place, true))
            }
            (_, Value::Bool(is_there), [thing, place]) if !self.carriers.contains(place) => {
                Some((thing, Some(place), *is_there))
            }
            (Form::Actor(actor), Value::Bool(is_there), [place]) => {
                Some((actor, Some(place), *is_there))
            }
            _ => None,
        }
    }
}

impl Map {
    /// Returns the thing that a ground fact is about and its carrier, if the fact's value is one.
    pub fn carried<'v>(&'v self, atom: &'v Atom, value: &'v Value) -> Option<(&'v Name, &'v Name)> {
        if atom.fact != self.fact {
            return None;
        }
        let (thing, carrier) = match (value, atom.args.as_slice()) {
            (Value::Object(Some(carrier)), [thing]) | (Value::Bool(true), [thing, carrier]) => {
                (thing, carrier)
            }
            _ => return None,
        };
        self.carriers.contains(carrier).then_some((thing, carrier))
    }
}

/// Reads a ground fact as [`Map::reads`] does, by whichever map it belongs to.
pub fn reads<'v>(
    maps: &'v [Map],
    atom: &'v Atom,
    value: &'v Value,
) -> Option<(&'v Name, Option<&'v Name>, bool)> {
    maps.iter().find_map(|map| map.reads(atom, value))
}

/// Returns the maps that are shown together: the main one, and those that say which other things
/// lie in its places, or with those who are there, if a task can move them.
pub fn with_others(domain: &Domain, main: &Map, all: &[Map]) -> Vec<Map> {
    let document = domain.document();
    let is_moved = |map: &&Map| {
        let mut tasks = domain.primitives();
        tasks.any(|(_, task)| changes(task).any(|change| *change.fact() == map.fact))
    };
    let is_other = |map: &&Map| {
        let is_same = document.is_kind_of(&map.things, &main.things)
            || document.is_kind_of(&main.things, &map.things);
        let is_wider = map.places != "object" && document.is_kind_of(&main.places, &map.places);
        (map.places == main.places || is_wider) && (!is_same || map.actor().is_some())
    };
    let others = all.iter().filter(is_other).filter(is_moved).cloned();
    std::iter::once(main.clone()).chain(others).collect()
}

/// Returns the changes that the effects of a task make.
pub fn changes(task: &Primitive) -> impl Iterator<Item = &Change> {
    values(task.effects.iter().map(|(_, effect)| effect)).map(|effect| &effect.change)
}

/// Returns the facts of a document that say where things are, with those about an actor without an
/// object last. Those with a place as their value come first, since of two objects that a fact is
/// about neither need be a place.
pub fn maps(domain: &Domain, actor: Option<&Name>) -> Vec<Map> {
    let facts = domain.document().facts.iter();
    let of_things = facts.clone().filter_map(|(name, fact)| Map::of(name, fact));
    let mut maps: Vec<Map> = of_things.collect();
    maps.compact_sort_by_key(|map| map.form != Form::Value);
    let of_actor = |actor| {
        let facts = facts.filter_map(move |(name, fact)| Map::of_actor(domain, name, fact, actor));
        facts.collect::<Vec<_>>()
    };
    maps.extend(actor.map_or_else(Vec::new, of_actor));
    maps
}

/// Returns the name by which the map shows the only actor of a scenario if it has no object.
pub fn only_actor(document: &Document, scene: &Scene) -> Option<Name> {
    let [actor] = scene.cast.as_slice() else {
        return None;
    };
    if actor.me().is_some() {
        return None;
    }
    let objects = scene.record.all_objects(&document.objects);
    let names = actor.name().cloned().into_iter();
    let others = ["actor", "the-actor"]
        .into_iter()
        .filter_map(|name| Name::new(name).ok());
    names.chain(others).find(|name| !objects.contains_key(name))
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

    fn domain(facts: &str) -> Domain {
        let text = format!(
            r#"{{ "taskloom": 4, "types": {{ "person": {{ "parent": "object" }},
            "room": {{ "parent": "object" }} }}, "facts": {{ {facts} }} }}"#
        );
        Domain::from(&Document::from_json(&text).unwrap())
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
        let maps = maps(&domain(FACTS), None);
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
    fn fact_of_a_place_that_tasks_move_locates_an_actor_without_an_object() {
        let document = Document::from_json(
            r#"{ "taskloom": 4, "types": { "room": { "parent": "object" } }, "facts": {
            "at": { "params": ["?r: room"] }, "lit": { "params": ["?r: room"] } },
            "primitive_tasks": { "walk": { "params": ["?to: room"], "effects": [
            { "text": "forall ?r: room. not at(?r)" }, { "text": "at(?to)" }, { "text": "lit(?to)" }] } } }"#,
        );
        let domain = Domain::from(&document.unwrap());
        assert_eq!(maps(&domain, None), []);
        let maps = maps(&domain, Some(&name("robot")));
        let [map] = maps.as_slice() else {
            panic!("{maps:?}");
        };
        assert_eq!(map.signature, "at(?r)");
        let (hall, vault) = (name("hall"), name("vault"));
        let moved = map.moving(&name("robot"), Some(&hall), &vault);
        let moved: Vec<String> = moved
            .iter()
            .map(|(atom, value)| format!("{atom} = {value}"))
            .collect();
        assert_eq!(moved, ["at(hall) = false", "at(vault) = true"]);
    }

    #[test]
    fn chosen_map_precedes_changed_ones_and_those_the_first() {
        let maps = maps(&domain(FACTS), None);
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
