//! Goals, agents and scenarios (semantics, sections 4 to 6).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Table;
use super::json::unique;
use super::name::Name;
use super::world::Object;

/// What an agent wants to be true (Orkin 2003; semantics, section 5).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The formula that satisfies it, as typed.
    #[serde(default)]
    pub condition: String,
    /// Distinct within an agent; a greater one comes first.
    #[serde(default)]
    pub priority: i32,
    /// Added to priority x relevance; a superior agent may set it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bias: f64,
    /// A numeric expression of the state; empty: 1.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub relevance: String,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// No number of a file is unequal to itself. So two `Arc`s of one record are told to be equal by pointer.
impl Eq for Goal {}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// How an agent plans (semantics, section 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Planning {
    /// Forward decomposition with backtracking of these tasks, in order.
    Decomposition {
        /// Calls, as typed.
        tasks: Vec<String>,
        /// Which plan is wanted.
        #[serde(default)]
        policy: super::block::Policy,
    },
    /// Decomposition down to the first primitive task, without looking ahead.
    Reactive {
        /// Calls, as typed.
        tasks: Vec<String>,
    },
    /// A* over primitive tasks towards the current one of these goals.
    Goals {
        /// Names of goals.
        goals: Vec<Name>,
    },
}

impl Default for Planning {
    fn default() -> Self {
        Self::Decomposition {
            tasks: vec![],
            policy: Default::default(),
        }
    }
}

/// A sensor of an agent: a fact that it sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sense {
    /// The fact.
    pub fact: Name,
    /// Ticks between two looks.
    pub every: u32,
    /// A formula that holds while it can be seen; empty: always.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
}

/// A character that plans.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// How and for what it plans.
    #[serde(default)]
    pub planning: Planning,
    /// The tasks that it may use; none listed: all of the domain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Name>,
    /// What it sees; none listed: every sensor fact, at every tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub senses: Vec<Sense>,
    /// The agent that may set its goals' biases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superior: Option<Name>,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A change of the world at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The tick at whose start it happens; the first tick is 0.
    pub at: u32,
    /// The effect, as typed: `not box_open`.
    pub effect: String,
}

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
    /// The agents in play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Name>,
    /// The initial task network: calls as typed, done in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// A formula that holds at the end; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// What happens while the plan runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
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
