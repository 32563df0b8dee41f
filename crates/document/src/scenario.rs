//! Scenarios: who is in play in which situation, what happens, and what is expected (semantics,
//! section 6).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Table;
use super::json::unique;
use super::name::Name;
use super::world::Object;

/// A change of the world at a time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The tick at whose start it is due; the first tick is 0.
    pub at: u32,
    /// After how many ticks it is due again; none: it happens once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
    /// A formula, judged in the world: what is due happens if it holds, and what happens once does
    /// so as soon as it holds. Empty: it always does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// The effect, as typed: `not box_open`.
    pub effect: String,
}

/// Who plays what in a scenario: `anna as guard`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CastMember {
    /// The object that plays, `?me` in every text; none: a character that is no object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Name>,
    /// What it plays.
    pub agent: Name,
    /// Tasks of its own: calls as typed, done in this order; none: the scenario's, or else its agent's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// What it believes at first and is otherwise in the world, as initial values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beliefs: Vec<String>,
}

impl CastMember {
    /// A character that is no object, with nothing of its own.
    pub fn playing(agent: Name) -> Self {
        Self {
            object: None,
            agent,
            tasks: vec![],
            beliefs: vec![],
        }
    }
}

/// An action that fails by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// A call of a primitive task as typed, or a task's name: with whatever arguments.
    pub task: String,
    /// Which of the times that a character does it fails, from 1; none: each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u32>,
    /// With what chance it fails then, from 0 to 1; none: always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// No number of a file is unequal to itself. So two `Arc`s of one record are told to be equal by pointer.
impl Eq for Failure {}

/// What a scenario expects; a scenario with expectations is a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expectation {
    /// A plan exists.
    PlanExists,
    /// No plan exists.
    NoPlan,
    /// The plan is just these steps.
    Plan(Vec<String>),
    /// The plan has this task among its steps or in its decomposition.
    Contains(String),
    /// The plan costs at most this.
    CostAtMost(f64),
    /// This formula holds when the run has ended.
    Finally(String),
    /// The run completes in spite of its events.
    Recovers,
}

/// No number of a file is unequal to itself. So two `Arc`s of one record are told to be equal by pointer.
impl Eq for Expectation {}

/// A situation: objects, initial values, tasks or a goal, events, expectations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Objects of this scenario alone.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub objects: Table<Object>,
    /// Initial values, as typed: `at(drawer)`, `ammo = 3`, `place_of(guard) = gate`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<String>,
    /// The characters in play, in the order in which they act; none: one that is no object and no
    /// agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<CastMember>,
    /// The initial task network: calls as typed, done in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// A formula that holds at the end; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// What happens while the plan runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Which actions fail by themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// What chance begins with: the same seed, the same run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u32,
    /// What is expected.
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
    /// The objects of a scenario, its own and the domain's, by name. The
    /// scenario's own comes first where both have the name.
    pub fn all_objects<'a>(
        &'a self,
        domain: &'a Table<Object>,
    ) -> BTreeMap<&'a Name, &'a Arc<Object>> {
        BTreeMap::from_iter(domain.iter().chain(self.objects.iter()))
    }
}
