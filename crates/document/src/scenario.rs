//! Scenarios: the cast, the initial situation, events and expectations (semantics, section 6).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Table;
use super::crowds::Crowd;
use super::json::unique;
use super::name::Name;
use super::world::Object;
use crate::sort::map_of;

/// A change of the world at a given time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The tick at whose start it is due, from 0.
    pub at: u32,
    /// The interval in ticks at which it recurs; none: it occurs once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
    /// A formula, evaluated in the world: a recurring event occurs when it is due and this is true;
    /// a single event occurs as soon as it is due and this is true. Empty: always true.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// The effect, as typed: `not box_open`.
    pub effect: String,
}

/// A member of a scenario's cast: `anna as guard`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CastMember {
    /// The object of the actor, `?me` in every text; none: an actor without an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Name>,
    /// The agent that it plays.
    pub agent: Name,
    /// The actor's own tasks: calls as typed, done in this order; none: those of the scenario,
    /// or else of its agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// Initial beliefs that differ from the world, as initial values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beliefs: Vec<String>,
}

impl CastMember {
    /// Creates an actor without an object or anything of its own.
    pub fn playing(agent: Name) -> Self {
        Self {
            object: None,
            agent,
            tasks: vec![],
            beliefs: vec![],
        }
    }
}

/// An injected failure of an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// A call of a primitive task as typed, or a task's name for any arguments.
    pub task: String,
    /// The occurrence that fails, counted per actor from 1; none: every one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u32>,
    /// The probability of the failure, from 0 to 1; none: always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// A file contains no NaN, so equality is total, and two `Arc`s of one record can be compared by
/// pointer.
impl Eq for Failure {}

/// An expectation of a scenario; a scenario with expectations is a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expectation {
    /// A plan exists.
    PlanExists,
    /// No plan exists.
    NoPlan,
    /// The plan consists of exactly these steps.
    Plan(Vec<String>),
    /// The plan has this task among its steps or in its decomposition.
    Contains(String),
    /// The plan's cost is at most this.
    CostAtMost(f64),
    /// This formula is true at the end of the run.
    Finally(String),
    /// The run completes despite its events.
    Recovers,
}

/// A file contains no NaN, so equality is total, and two `Arc`s of one record can be compared by
/// pointer.
impl Eq for Expectation {}

/// A situation: objects, initial values, tasks or a goal, events, expectations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Objects of this scenario only.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub objects: Table<Object>,
    /// Initial values, as typed: `at(drawer)`, `ammo = 3`, `place_of(guard) = gate`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<String>,
    /// The actors in play, in the order in which they act; none: a single actor without
    /// object and agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<CastMember>,
    /// Actors that differ only in their names; they act after the cast.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowds: Vec<Crowd>,
    /// The initial task network: calls as typed, done in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// A formula that must be true at the end; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// Events during the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Injected failures of actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// The seed of the random numbers: the same seed gives the same run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u32,
    /// The expectations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expectation>,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

fn is_zero(seed: &u32) -> bool {
    *seed == 0
}

impl Scenario {
    /// Returns the objects of a scenario, its own and the domain's, by name. If both have an object
    /// of one name, the scenario's own comes first.
    pub fn all_objects<'a>(
        &'a self,
        domain: &'a Table<Object>,
    ) -> BTreeMap<&'a Name, &'a Arc<Object>> {
        let others = domain
            .iter()
            .filter(|(name, _)| !self.objects.contains_key(*name));
        map_of(others.chain(&self.objects))
    }
}
