//! Crowds: many actors of a scenario that one pattern describes, `12 clerk as worker` (semantics,
//! section 6).
//!
//! The expansion of a scenario has their actors among its objects and in its cast, like all others.
//! So nothing that plans, runs or shows a scenario has a rule for crowds.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::mentions::{Meaning, mentions};
use super::record::Record;
use super::syntax::ast::Initial;
use super::syntax::{free_variables, parse_initial, print_reference};
use super::uses::contains_ignoring_case;
use super::{CastMember, Document, Name, Object, Scenario};
use crate::sort::set_of;

/// The maximum number of actors in the crowds of a scenario.
pub const MAX_IN_CROWDS: u32 = 1_000;

/// The maximum size of what the crowds of a scenario expand to, in bytes, approximately.
const MAX_BYTES: u64 = 16_000_000;

/// A number of actors that differ only in their names: `clerk-1` to `clerk-12`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Crowd {
    /// The number of actors, from 1 to 1,000.
    pub count: u32,
    /// The name of the crowd. Its actors are called `name-1`, `name-2` and so on.
    pub name: Name,
    /// The agent that they act as. Its type is the type of their objects.
    pub agent: Name,
    /// The initial values of each actor, as typed, in which `?me` is the actor:
    /// `place_of(?me) = desk`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<String>,
    /// The tasks of each actor: calls as typed, done in this order; none: those of the scenario,
    /// or else of its agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// The initial beliefs of each actor that differ from the world, as initial values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beliefs: Vec<String>,
}

impl Crowd {
    /// Creates a crowd without initial values, tasks or beliefs.
    pub fn playing(count: u32, name: Name, agent: Name) -> Self {
        Self {
            count,
            name,
            agent,
            initial: vec![],
            tasks: vec![],
            beliefs: vec![],
        }
    }

    /// Returns the name of its n-th actor, counted from 1.
    pub fn actor(&self, number: u32) -> Name {
        self.name.numbered(number)
    }

    /// Returns `true` if this is the name of one of its actors.
    pub fn has_actor(&self, name: &Name) -> bool {
        let (text, stem) = (name.as_str(), self.name.as_str());
        let start = text.get(..stem.len());
        let is_of = start.is_some_and(|start| start.eq_ignore_ascii_case(stem));
        let number = text.get(stem.len()..).filter(|_| is_of);
        let number = number.and_then(|rest| rest.strip_prefix('-'));
        let number = number.filter(|digits| !digits.starts_with(['0', '+']));
        let number = number.and_then(|digits| digits.parse::<u32>().ok());
        number.is_some_and(|number| number <= self.count.min(MAX_IN_CROWDS))
    }

    /// Returns the approximate size of one of its actors, in bytes.
    fn size_of_actor(&self) -> u64 {
        const RECORD: u64 = 200;
        let me = self.name.as_str().len() as u64 + 8;
        let texts = self.initial.iter().chain(&self.tasks).chain(&self.beliefs);
        let text = |text: &String| {
            let variables = text.bytes().filter(|byte| *byte == b'?').count() as u64;
            24 + text.len() as u64 + me * variables
        };
        RECORD + 2 * me + texts.map(text).sum::<u64>()
    }
}

/// A scenario with the actors of its crowds.
#[derive(Debug, Clone)]
pub struct Expansion {
    /// The scenario, without crowds. The actors of its crowds are among its objects and, after its
    /// own, in its cast, and their initial values come after its own.
    pub scenario: Arc<Scenario>,
    /// The number of actors of each crowd.
    pub sizes: Vec<u32>,
    /// For each initial value of an actor of a crowd, in order: the crowd, and the value's index
    /// there.
    pub origins: Vec<(usize, usize)>,
}

impl Document {
    /// Returns a scenario with the actors of its crowds. One without crowds is shared.
    ///
    /// A crowd whose agent does not exist has no actors, and one that would exceed a limit has
    /// only the actors within it. If an actor's name is already an object, the actor is that
    /// object. A value that the scenario itself sets takes precedence over those of its crowds.
    pub fn expanded(&self, scenario: &Arc<Scenario>) -> Expansion {
        let sizes = self.crowd_sizes(scenario);
        if sizes.is_empty() {
            let scenario = scenario.clone();
            let origins = vec![];
            return Expansion {
                scenario,
                sizes,
                origins,
            };
        }
        let own = scenario.facts_set_for_crowds();
        let mut origins = vec![];
        let mut expanded = Scenario {
            crowds: vec![],
            ..Scenario::clone(scenario)
        };
        for (at, (crowd, size)) in scenario.crowds.iter().zip(&sizes).enumerate() {
            let Some(agent) = self.agents.get(&crowd.agent) else {
                continue;
            };
            let object = Arc::new(Object {
                of: agent.of.clone(),
                title: String::new(),
                note: String::new(),
            });
            for number in 1..=*size {
                let name = crowd.actor(number);
                for (value, text) in crowd.initial.iter().enumerate() {
                    let text = with_me(text, &name);
                    let is_set = || fact_in(&text).is_some_and(|fact| own.contains(&fact));
                    if own.is_empty() || !is_set() {
                        expanded.initial.push(text);
                        origins.push((at, value));
                    }
                }
                expanded.cast.push(CastMember {
                    object: Some(name.clone()),
                    agent: crowd.agent.clone(),
                    tasks: crowd.tasks.clone(),
                    beliefs: crowd.beliefs.clone(),
                });
                if !self.objects.contains_key(&name) {
                    let objects = &mut expanded.objects;
                    objects.entry(name).or_insert_with(|| object.clone());
                }
            }
        }
        Expansion {
            scenario: expanded.into(),
            sizes,
            origins,
        }
    }

    /// Returns a scenario with the actors of its crowds, by name.
    pub fn expanded_scenario(&self, name: &Name) -> Option<Arc<Scenario>> {
        let scenario = self.scenarios.get(name)?;
        Some(self.expanded(scenario).scenario)
    }

    /// Returns the number of actors of each crowd of a scenario, within the limits.
    fn crowd_sizes(&self, scenario: &Scenario) -> Vec<u32> {
        let (mut actors, mut bytes) = (MAX_IN_CROWDS, MAX_BYTES);
        let size = |crowd: &Crowd| {
            if !self.agents.contains_key(&crowd.agent) {
                return 0;
            }
            let of_actor = crowd.size_of_actor();
            let fitting = u32::try_from(bytes / of_actor).unwrap_or(u32::MAX);
            let size = crowd.count.min(actors).min(fitting);
            actors -= size;
            bytes -= of_actor * u64::from(size);
            size
        };
        scenario.crowds.iter().map(size).collect()
    }

    /// Returns `true` if a name is an object of a scenario only because it is an actor of one of
    /// its crowds.
    pub(super) fn is_in_crowd(&self, scenario: &Scenario, name: &Name) -> bool {
        let is_other = || scenario.objects.contains_key(name) || self.objects.contains_key(name);
        let mut crowds = scenario.crowds.iter();
        crowds.any(|crowd| crowd.has_actor(name) && self.agents.contains_key(&crowd.agent))
            && !is_other()
    }
}

impl Scenario {
    /// Gives the n-th crowd another name, and its actors in the scenario's texts, too.
    pub fn rename_crowd(&mut self, document: &Document, at: usize, to: Name) {
        let before = Record::Scenario(self.clone().into());
        let (Some(crowd), view) = (self.crowds.get_mut(at), before.view()) else {
            return;
        };
        let from = std::mem::replace(&mut crowd.name, to.clone());
        let named = Crowd {
            name: from.clone(),
            ..crowd.clone()
        };
        let mut renamed = Record::Scenario(self.clone().into());
        for (field, role) in view.text_fields() {
            let Some(text) = renamed.text_mut(&field) else {
                continue;
            };
            for mention in mentions(text, role).into_iter().rev() {
                let meaning = document.meaning(view.own_objects(), &mention.name, mention.position);
                if meaning == Some(Meaning::OwnObject(mention.name.clone()))
                    && named.has_actor(&mention.name)
                {
                    let start = mention.range.start;
                    text.replace_range(start..start + from.as_str().len(), to.as_str());
                }
            }
        }
        if let Record::Scenario(renamed) = renamed {
            *self = Arc::unwrap_or_clone(renamed);
        }
    }

    /// Returns the ground facts to which its own initial values give a value, as [`fact_in`] does,
    /// if they name an actor of a crowd.
    fn facts_set_for_crowds(&self) -> BTreeSet<String> {
        let names_actor = |text: &String| {
            let mut crowds = self.crowds.iter();
            crowds.any(|crowd| contains_ignoring_case(text, &format!("{}-", crowd.name)))
        };
        let texts = self.initial.iter().filter(|text| names_actor(text));
        set_of(texts.filter_map(|text| fact_in(text)))
    }
}

/// Returns the ground fact that an initial value is about, in a form that is the same for all texts
/// that mean it.
fn fact_in(text: &str) -> Option<String> {
    match parse_initial(text).value {
        Initial::True(fact) | Initial::False(fact) | Initial::Value(fact, _) => {
            Some(print_reference(&fact).to_ascii_lowercase())
        }
        Initial::Missing => None,
    }
}

/// Returns an initial value in which `?me` is this object.
fn with_me(text: &str, me: &Name) -> String {
    let mut replaced = text.to_owned();
    for variable in free_variables(text).into_iter().rev() {
        if variable.name != Name::me() {
            continue;
        }
        // The question mark separates the variable from what precedes it.
        let start = variable.range.start - 1;
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let is_joined = before.is_some_and(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        let space = if is_joined { " " } else { "" };
        replaced.replace_range(start..variable.range.end, &format!("{space}{me}"));
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        text.parse().unwrap()
    }

    fn document() -> Document {
        let text = r#"{ "taskloom": 4, "types": { "person": { "parent": "object" } },
            "objects": { "clerk-2": { "type": "object" } }, "agents": { "worker": { "type": "person" } },
            "scenarios": { "day": { "objects": { "anna": { "type": "person" } }, "initial": ["calm"],
                "cast": [{ "object": "anna", "agent": "worker" }],
                "crowds": [
                    { "count": 2, "name": "clerk", "agent": "worker", "initial": ["at(?me, hall)"], "tasks": ["work(?me)"] },
                    { "count": 1, "name": "ghost", "agent": "nobody" },
                    { "count": 1, "name": "clerk", "agent": "worker", "beliefs": ["calm"] }
                ] } } }"#;
        Document::from_json(text).unwrap()
    }

    #[test]
    fn actors_of_crowds_come_after_the_cast() {
        let document = document();
        let Expansion {
            scenario, sizes, ..
        } = document.expanded(&document.scenarios[&name("day")]);
        assert_eq!(sizes, [2, 0, 1]);
        assert!(scenario.crowds.is_empty());
        assert_eq!(
            scenario.initial,
            ["calm", "at(clerk-1, hall)", "at(clerk-2, hall)"]
        );
        let actors = scenario.cast.iter().map(|member| {
            let object = member.object.as_ref().unwrap();
            (object.as_str(), member.tasks.len(), member.beliefs.len())
        });
        let expected = [
            ("anna", 0, 0),
            ("clerk-1", 1, 0),
            ("clerk-2", 1, 0),
            ("clerk-1", 0, 1),
        ];
        assert_eq!(actors.collect::<Vec<_>>(), expected);
        // The domain's object of this name remains what it is.
        assert!(!scenario.objects.contains_key(&name("clerk-2")));
        assert_eq!(scenario.objects[&name("clerk-1")].of, "person");
    }

    #[test]
    fn scenarios_without_crowds_are_shared() {
        let document = document();
        let plain = Arc::new(Scenario::default());
        assert!(Arc::ptr_eq(&document.expanded(&plain).scenario, &plain));
    }

    #[test]
    fn own_values_of_a_scenario_take_precedence_over_those_of_crowds() {
        let document = document();
        let mut scenario = Scenario::clone(&document.scenarios[&name("day")]);
        scenario.initial = vec![
            "place( Clerk-1 ) = hall".into(),
            "place(clerk-11) = hall".into(),
        ];
        scenario.crowds[0].initial = vec!["calm(?me)".into(), "place(?me) = desk".into()];
        let Expansion {
            scenario, origins, ..
        } = document.expanded(&scenario.into());
        let values = ["calm(clerk-1)", "calm(clerk-2)", "place(clerk-2) = desk"];
        assert_eq!(scenario.initial[2..], values);
        assert_eq!(origins, [(0, 0), (0, 0), (0, 1)]);
    }

    #[test]
    fn renaming_a_crowd_renames_its_actors_in_texts() {
        let document = document();
        let mut scenario = Scenario::clone(&document.scenarios[&name("day")]);
        scenario.initial = vec!["place(clerk-1) = clerk-2".into()];
        scenario.goal = "calm(Clerk-1) and not calm(clerk-11, anna) and clerk".into();
        scenario.rename_crowd(&document, 0, name("porter"));
        assert_eq!(scenario.crowds[0].name, "porter");
        // clerk-2 is an object of the domain, and clerk-11 is nobody.
        assert_eq!(scenario.initial, ["place(porter-1) = clerk-2"]);
        let goal = "calm(porter-1) and not calm(clerk-11, anna) and clerk";
        assert_eq!(scenario.goal, goal);
        scenario.rename_crowd(&document, 7, name("porter"));
    }

    #[test]
    fn expansions_are_bounded() {
        let mut document = document();
        let mut scenario = Scenario::default();
        let crowd = |count, name: &str| {
            Crowd::playing(count, name.parse().unwrap(), "worker".parse().unwrap())
        };
        scenario.crowds = vec![crowd(u32::MAX, "a"), crowd(1, "b")];
        assert_eq!(
            document.expanded(&scenario.clone().into()).sizes,
            [1_000, 0]
        );
        scenario.crowds = vec![crowd(0, "a"), crowd(7, "b"), crowd(994, "c")];
        assert_eq!(
            document.expanded(&scenario.clone().into()).sizes,
            [0, 7, 993]
        );
        scenario.crowds[1].initial = vec!["at(?me, ".to_owned() + &"x".repeat(8_000_000) + ")"];
        assert_eq!(
            document.expanded(&scenario.clone().into()).sizes,
            [0, 1, 994]
        );
        document.agents.clear();
        assert_eq!(document.expanded(&scenario.into()).sizes, [0, 0, 0]);
    }

    #[test]
    fn replaces_me_as_a_token() {
        let replaced = |text| with_me(text, &name("clerk-1"));
        assert_eq!(replaced("at(?me) = ?mercy"), "at(clerk-1) = ?mercy");
        assert_eq!(
            replaced("boss(?ME, ?me)=?me"),
            "boss(clerk-1, clerk-1)=clerk-1"
        );
        assert_eq!(replaced("not?me"), "not clerk-1");
        assert_eq!(replaced("at(?me"), "at(clerk-1");
        assert_eq!(
            replaced("n = count ?me: p. at(?me)"),
            "n = count ?me: p. at(?me)"
        );
        assert_eq!(replaced("größe(?me) ?"), "größe(clerk-1) ?");
    }

    #[test]
    fn actors_are_recognized_by_their_names() {
        let crowd = Crowd::playing(12, name("Clerk-a"), name("worker"));
        assert!(crowd.has_actor(&crowd.actor(7)));
        let has = |text| crowd.has_actor(&name(text));
        assert!(has("clerk-a-1") && has("CLERK-A-12"));
        let others = [
            "clerk-a",
            "clerk-a-",
            "clerk-a-0",
            "clerk-a-01",
            "clerk-a-13",
            "clerk-b-1",
            "cl",
        ];
        assert!(!others.into_iter().any(has));
    }
}
