//! What becomes of a thing that is in no place: somebody carries it, or a fact says what happened to
//! it. The effects of primitive tasks show which facts these are: those that a task makes true of a
//! thing that it takes out of its place.

use std::collections::BTreeMap;

use taskloom_document::{Document, Name, ValueKind};
use taskloom_domain::Domain;
use taskloom_domain::lang::typed::{Change, Term};
use taskloom_planner::plan::{Atom, Value};
use taskloom_runtime::ValueTimelines;

use super::maps::{Form, Map, changes, reads};
use super::play::{State, is_absent};

/// The maximum number of lines below the name of a token.
const MAX_LINES: usize = 3;

/// The fate of a thing that left its place, such as `caught` or `escaped`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    /// The name of the fact.
    pub text: String,
    /// `true` if the thing did it itself, and `false` if another actor did.
    pub is_own: bool,
}

/// The facts about things that are in no place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Departures {
    /// The facts that say who carries a thing, and the form of each.
    carries: BTreeMap<Name, Carrying>,
    /// The facts that say what happened to a thing; `true` if the thing did it itself.
    marks: BTreeMap<Name, bool>,
}

/// The forms of facts that say who carries a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carrying {
    /// The carrier is the value.
    Value,
    /// The fact holds for the thing and its carrier.
    ThingFirst,
    /// The fact holds for the carrier and the thing.
    CarrierFirst,
}

impl Departures {
    /// Finds the facts in the effects of a domain's tasks.
    pub fn of(domain: &Domain, maps: &[Map]) -> Self {
        let document = domain.document();
        let mut departures = Self::default();
        for (_, task) in domain.primitives() {
            let effects: Vec<&Change> = changes(task).collect();
            let removed: Vec<&Term> = effects
                .iter()
                .filter_map(|change| taken_away(maps, change, &effects))
                .collect();
            for change in &effects {
                departures.add(document, maps, change, &removed);
            }
        }
        departures
    }

    /// Adds the fact of a change of something that a task takes out of its place.
    fn add(&mut self, document: &Document, maps: &[Map], change: &Change, removed: &[&Term]) {
        let fact = change.fact();
        let Some(record) = document.facts.get(fact) else {
            return;
        };
        if maps.iter().any(|map| map.fact == *fact) {
            return;
        }
        let carries = |of: &Name| {
            maps.first()
                .is_some_and(|map| document.is_kind_of(of, &map.things))
        };
        let carries_at = |at: usize| {
            record
                .params
                .get(at)
                .is_some_and(|param| carries(&param.of))
        };
        match change {
            Change::Set(_, args) => match args.as_slice() {
                [thing] if removed.contains(&thing) => {
                    let is_own = *thing == Term::Me;
                    let before = self.marks.get(fact).copied();
                    self.marks
                        .insert(fact.clone(), before.unwrap_or(true) && is_own);
                }
                [thing, _] if removed.contains(&thing) && carries_at(1) => {
                    self.carries.insert(fact.clone(), Carrying::ThingFirst);
                }
                [_, thing] if removed.contains(&thing) && carries_at(0) => {
                    self.carries.insert(fact.clone(), Carrying::CarrierFirst);
                }
                _ => {}
            },
            Change::Object(_, args, _) => {
                let is_carried = matches!(&record.value, ValueKind::Object(of) if carries(of));
                if is_carried && matches!(args.as_slice(), [thing] if removed.contains(&thing)) {
                    self.carries.insert(fact.clone(), Carrying::Value);
                }
            }
            Change::Unset(..) | Change::Number(..) => {}
        }
    }

    /// Returns `true` if a fact is one of these.
    pub fn contains(&self, fact: &Name) -> bool {
        self.carries.contains_key(fact) || self.marks.contains_key(fact)
    }

    /// Returns the thing that somebody carries according to a ground fact, and who carries it.
    pub fn carried<'v>(
        &self,
        maps: &'v [Map],
        atom: &'v Atom,
        value: &'v Value,
    ) -> Option<(&'v Name, &'v Name)> {
        let form = self.carries.get(&atom.fact);
        match (form, atom.args.as_slice(), value) {
            (Some(Carrying::Value), [thing], Value::Object(Some(carrier)))
            | (Some(Carrying::ThingFirst), [thing, carrier], Value::Bool(true))
            | (Some(Carrying::CarrierFirst), [carrier, thing], Value::Bool(true)) => {
                Some((thing, carrier))
            }
            _ => maps.iter().find_map(|map| map.carried(atom, value)),
        }
    }

    /// Returns who carries a thing.
    pub fn carrier(&self, maps: &[Map], state: &State, thing: &Name) -> Option<Name> {
        let mut carried = state
            .iter()
            .filter_map(|(atom, value)| self.carried(maps, atom, value));
        let found = carried.find(|(of, _)| *of == thing);
        found.map(|(_, carrier)| carrier.clone())
    }

    /// Returns what happened to a thing.
    pub fn departure(&self, state: &State, thing: &Name) -> Option<Departure> {
        let is_it = |fact: &Name| {
            let atom = Atom {
                fact: fact.clone(),
                args: vec![thing.clone()],
            };
            state.get(&atom) == Some(&Value::Bool(true))
        };
        let (fact, is_own) = self.marks.iter().find(|(fact, _)| is_it(fact))?;
        Some(Departure {
            text: fact.to_string(),
            is_own: *is_own,
        })
    }

    /// Returns the lines that a token needs below its name at any time, for what it carries and what
    /// happened to it, and the maximum number of things that are nowhere.
    pub fn survey<'t>(
        &self,
        document: &Document,
        maps: &[Map],
        things: impl Iterator<Item = &'t Name> + Clone,
        initial: &State,
        world: &ValueTimelines,
    ) -> (usize, usize) {
        let mut ticks: BTreeMap<u32, Vec<(&Atom, &Value)>> = BTreeMap::new();
        for (atom, timeline) in world.iter() {
            for (tick, value) in timeline.by_tick() {
                ticks.entry(tick).or_default().push((atom, value));
            }
        }
        let mut state = initial.clone();
        let mut whereabouts: BTreeMap<&Name, Whereabouts> = BTreeMap::new();
        for thing in things.clone() {
            whereabouts.insert(thing, self.whereabouts(document, maps, &state, thing));
        }
        let (mut lines, mut nowhere) = count(&whereabouts);
        for changes in ticks.into_values() {
            for (atom, value) in &changes {
                state.insert(Atom::clone(atom), Value::clone(value));
            }
            let is_about =
                |thing: &&Name| changes.iter().any(|(atom, _)| atom.args.contains(thing));
            for thing in things.clone().filter(is_about) {
                whereabouts.insert(thing, self.whereabouts(document, maps, &state, thing));
            }
            let now = count(&whereabouts);
            (lines, nowhere) = (lines.max(now.0), nowhere.max(now.1));
        }
        (lines.min(MAX_LINES), nowhere)
    }

    fn whereabouts(
        &self,
        document: &Document,
        maps: &[Map],
        state: &State,
        thing: &Name,
    ) -> Whereabouts {
        let is_located = state.iter().any(|(atom, value)| {
            matches!(reads(maps, atom, value), Some((of, Some(_), true)) if of == thing)
        });
        if is_located || is_absent(document, state, thing) {
            return Whereabouts::Placed;
        }
        match self.carrier(maps, state, thing) {
            Some(carrier) => Whereabouts::Carried(carrier),
            None if self.departure(state, thing).is_some() => Whereabouts::Gone,
            None => Whereabouts::Nowhere,
        }
    }
}

enum Whereabouts {
    /// In a place, or absent.
    Placed,
    Carried(Name),
    /// It left its place.
    Gone,
    Nowhere,
}

/// Returns the maximum number of lines below a token, and the number of things that are nowhere.
fn count(whereabouts: &BTreeMap<&Name, Whereabouts>) -> (usize, usize) {
    let mut lines: BTreeMap<&Name, usize> = BTreeMap::new();
    let mut nowhere = 0;
    for (thing, now) in whereabouts {
        match now {
            Whereabouts::Placed => {}
            Whereabouts::Carried(carrier) => *lines.entry(carrier).or_default() += 1,
            Whereabouts::Gone => *lines.entry(thing).or_default() += 1,
            Whereabouts::Nowhere => nowhere += 1,
        }
    }
    (lines.into_values().max().unwrap_or(0), nowhere)
}

/// Returns the thing that a change takes out of its place, if no other change of the task puts it
/// into another one.
fn taken_away<'c>(maps: &[Map], change: &'c Change, all: &[&Change]) -> Option<&'c Term> {
    let Change::Unset(fact, args) = change else {
        return None;
    };
    let is_map = |map: &Map| map.fact == *fact && map.form == Form::Relation;
    let [thing, _] = args.as_slice() else {
        return None;
    };
    let is_put = |other: &&&Change| matches!(other, Change::Set(other, args) if other == fact && args.first() == Some(thing));
    (maps.iter().any(is_map) && !all.iter().any(|other| is_put(&other))).then_some(thing)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use testkit::domain::document;

    use super::*;
    use crate::panels::stage::maps::{maps, with_others};

    const HOUSE: &str = "
type person
type room
type key
fact at(?p: person, ?r: room)
fact lies(?k: key, ?r: room)
fact has(?p: person, ?k: key)
fact caught(?p: person)
fact escaped(?p: person)
fact tired(?p: person)
primitive walk(?a: room, ?b: room)
  eff not at(?me, ?a)
  eff at(?me, ?b)
  eff tired(?me)
primitive leave(?a: room)
  eff not at(?me, ?a)
  eff escaped(?me)
primitive catch(?p: person, ?r: room)
  eff caught(?p) when at(?p, ?r)
  eff not at(?p, ?r)
primitive take(?k: key, ?r: room)
  eff not lies(?k, ?r)
  eff has(?me, ?k)
agent guest: person
";

    #[test]
    fn effects_show_what_becomes_of_things_without_a_place() {
        let domain = Domain::from(&document(HOUSE));
        let all = maps(&domain, None);
        let main = all.iter().find(|map| map.fact.as_str() == "at").unwrap();
        let maps = with_others(&domain, main, &all);
        let departures = Departures::of(&domain, &maps);
        let marks = departures.marks.iter();
        let marks: Vec<(&str, bool)> = marks.map(|(fact, own)| (fact.as_str(), *own)).collect();
        assert_eq!(marks, [("caught", false), ("escaped", true)]);
        let carries = departures.carries.iter();
        let carries: Vec<(&str, Carrying)> =
            carries.map(|(fact, form)| (fact.as_str(), *form)).collect();
        assert_eq!(carries, [("has", Carrying::CarrierFirst)]);
    }
}
