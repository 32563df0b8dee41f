//! The beliefs of the shown character: its own memory, and its false beliefs about the world.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use taskloom_document::sort::{map_of, set_of};
use taskloom_document::{Document, Name, Source};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Value, World};
use taskloom_runtime::{Run, ValueTimelines};

use super::states::State;

/// A character of a scenario with a cast.
pub struct CharacterBeliefs {
    document: Arc<Document>,
    character: usize,
    /// Its name.
    pub name: String,
    /// The facts that it has senses for, and may be wrong about; `None` if it sees everything.
    senses: Option<BTreeSet<Name>>,
    /// Its false initial beliefs.
    initial_beliefs: State,
}

/// A false belief about a ground fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// The believed value.
    pub value: Value,
    /// The origin of the belief.
    pub why: Why,
}

/// The origin of a false belief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// An initial belief; the character hasn't noticed that it is false.
    InitialBelief,
    /// Something that the character observed, forgot or did, and that was true at that time.
    Since,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InitialBelief => ", initial belief",
            Self::Since => "",
        })
    }
}

impl CharacterBeliefs {
    /// Returns the n-th character of a scenario; `None` without a cast, where beliefs and the world
    /// are the same.
    pub fn new(domain: &Domain, scenario: &Name, character: usize) -> Option<Self> {
        let scene = domain.scene(scenario)?;
        let actor = scene.cast.get(character)?;
        let name = actor.name()?.to_string();
        let senses = actor.agent.as_ref().map(|(_, agent)| &agent.senses);
        let senses = senses.filter(|senses| !senses.is_empty());
        let senses = senses.map(|senses| set_of(senses.iter().map(|sense| sense.fact.clone())));
        let world = World::initial(domain, scene);
        let actual: State = map_of(world.assigned_atoms());
        let believed = world
            .believed_by(actor.clone())
            .assigned_atoms()
            .into_iter();
        let initial_beliefs = believed.filter(|(atom, value)| actual.get(atom) != Some(value));
        let initial_beliefs = map_of(initial_beliefs);
        Some(Self {
            document: domain.document().clone(),
            character,
            name,
            senses,
            initial_beliefs,
        })
    }

    fn source_of(&self, atom: &Atom) -> Option<Source> {
        let fact = self.document.facts.get(&atom.fact)?;
        Some(fact.source)
    }

    /// Returns `true` if a ground fact is in its memory.
    pub fn is_own(&self, atom: &Atom) -> bool {
        self.source_of(atom) == Some(Source::Memory)
    }

    /// Returns `true` if it can be wrong about the world.
    pub fn can_be_wrong(&self) -> bool {
        self.senses.is_some()
    }

    /// Returns the value histories of its memory and of its beliefs.
    pub fn observed(&self, run: &Run) -> ValueTimelines {
        run.believed_timelines(&self.document, self.character)
    }

    /// Returns the initial values of its memory that differ from the world's.
    pub fn own_initial(&self) -> impl Iterator<Item = (Atom, Value)> {
        let own = self
            .initial_beliefs
            .iter()
            .filter(|(atom, _)| self.is_own(atom));
        own.map(|(atom, value)| (atom.clone(), value.clone()))
    }

    /// Returns its belief about a ground fact if it isn't the actual value: the last that it has
    /// observed, or else the initial one.
    pub fn belief<'v>(
        &'v self,
        atom: &Atom,
        value: &Value,
        observed: Option<&'v Value>,
        initial_value: impl FnOnce() -> Option<&'v Value>,
    ) -> Option<Belief> {
        let senses = self.senses.as_ref()?;
        // A fact without a sense is always visible.
        if self.source_of(atom) != Some(Source::Sensor) || !senses.contains(&atom.fact) {
            return None;
        }
        let own = || self.initial_beliefs.get(atom).or_else(initial_value);
        let believed = observed.or_else(own)?;
        if believed == value {
            return None;
        }
        let why = if observed.is_some() {
            Why::Since
        } else {
            Why::InitialBelief
        };
        Some(Belief {
            value: believed.clone(),
            why,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::Played;
    use super::*;
    use crate::session::{Cursor, Happened};
    use crate::worker::Answer;
    use taskloom_planner::plan::{Budget, Strategy, initial_state};
    use taskloom_runtime::{MAX_TICKS, default_planner, run_test};

    /// Anna sees only who is in her room; ben takes the gold away, of which she has no sense.
    const HOUSE: &str = r#"{
      "taskloom": 4,
      "types": { "person": { "parent": "object" }, "room": { "parent": "object" } },
      "objects": { "anna": { "type": "person" }, "ben": { "type": "person" },
        "hall": { "type": "room" }, "vault": { "type": "room" } },
      "facts": {
        "place_of": { "params": ["?p: person"], "value": { "object": "room" }, "source": "sensor" },
        "gold": { "params": ["?r: room"], "source": "sensor" },
        "alarm": { "source": "blackboard" },
        "tired": { "source": "memory" }
      },
      "actions": { "Walk": { "params": ["?to: room"], "duration": "2" }, "Wait": { "duration": "5" } },
      "primitive_tasks": {
        "walk": { "params": ["?to: room"], "action": "Walk(?to)", "effects": [{ "text": "place_of(?me) := ?to" }] },
        "take": { "effects": [{ "text": "not gold(place_of(?me))" }, { "text": "alarm" }, { "text": "tired" }] },
        "wait": { "action": "Wait()" }
      },
      "agents": {
        "guard": { "type": "person", "senses": [{ "fact": "place_of", "every": 1, "when": "place_of(?p) = place_of(?me)" },
                                              { "fact": "gold", "every": 1, "when": "false" }] },
        "thief": { "type": "person" }
      },
      "scenarios": { "night": {
        "initial": ["place_of(anna) = hall", "place_of(ben) = hall", "gold(vault)"],
        "cast": [
          { "object": "anna", "agent": "guard", "tasks": ["wait", "walk(vault)", "wait"], "beliefs": ["gold(hall)"] },
          { "object": "ben", "agent": "thief", "tasks": ["walk(vault)", "take"] }
        ]
      } }
    }"#;

    /// Returns the values at the end of a tick, and false beliefs: `gold(vault) false ? true`.
    fn at(tick: u32, character: usize) -> String {
        let domain = Domain::from(&Document::from_json(HOUSE).unwrap());
        let scenario: Name = "night".parse().unwrap();
        let mut plan = default_planner(Budget::default());
        let test = run_test(&domain, &scenario, &mut plan, MAX_TICKS);
        let whose = (scenario.clone(), character);
        let mut answer = Answer::without_plan(1, whose, Strategy::First, test.outcome.unwrap());
        answer.initial = initial_state(&domain, &scenario);
        answer.run = test.run;
        let beliefs = CharacterBeliefs::new(&domain, &scenario, character);
        let cursor = Cursor {
            happened: Some(Happened::Tick(tick)),
            ..Cursor::default()
        };
        let rows = Played::new(Arc::new(answer), beliefs).around(cursor);
        let described = rows.iter().map(|row| {
            let believed = row.believed.as_ref();
            let believed = believed.map(|belief| format!(" ? {}{}", belief.value, belief.why));
            format!("{} {}{}", row.atom, row.after, believed.unwrap_or_default())
        });
        described.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn false_beliefs_are_shown_next_to_actual_values() {
        assert_eq!(
            at(4, 0),
            "alarm true\ngold(hall) false ? true, initial belief\ngold(vault) false ? true, initial belief\n\
             place_of(anna) hall\nplace_of(ben) vault ? hall, initial belief\ntired false"
        );
        // She comes to where he is.
        let met = at(9, 0);
        assert!(met.contains("place_of(ben) vault\n"), "{met}");
    }

    #[test]
    fn memory_is_private_and_full_sight_prevents_false_beliefs() {
        let described = at(4, 1);
        assert!(described.contains("tired true"), "{described}");
        assert!(!described.contains('?'), "{described}");
    }
}
