//! Agents: the goals, repertoire, senses and replanning triggers of a kind of actor (semantics,
//! sections 4 and 5).

use serde::{Deserialize, Serialize};

use super::name::Name;
use super::tasks::{is_off, is_zero};

/// A condition that an agent wants to achieve (Orkin 2003; semantics, section 5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The formula that satisfies it, as typed.
    #[serde(default)]
    pub condition: String,
    /// Formulas to achieve in this order on the way to the goal, as typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subgoals: Vec<String>,
    /// Calls of tasks that serve it, as typed: a plan for one of them that leads to the goal comes
    /// before any other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// The priority, distinct within an agent; higher values come first.
    #[serde(default)]
    pub priority: i32,
    /// A numeric expression added to priority x relevance, such as a number on the blackboard that
    /// a captain writes; empty: 0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub bias: String,
    /// A numeric expression over the agent's beliefs; empty: 1.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub relevance: String,
    /// The number of ticks after it was reached or given up before it is pursued again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cooldown: u32,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The planning mode of an agent (semantics, section 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Planning {
    /// Forward decomposition with backtracking of these tasks, in order.
    Decomposition {
        /// Calls, as typed.
        tasks: Vec<String>,
        /// The kind of plan to find.
        #[serde(default)]
        policy: Policy,
    },
    /// Decomposition down to the first primitive task, without lookahead.
    Reactive {
        /// Calls, as typed.
        tasks: Vec<String>,
    },
    /// A* over primitive tasks towards the highest-value goal of these.
    Goals {
        /// Names of goals.
        goals: Vec<Name>,
        /// The search for plans that achieve them.
        #[serde(default, skip_serializing_if = "GoalSearch::is_default")]
        search: GoalSearch,
    },
}

impl Planning {
    /// The tasks to decompose, as typed; empty for goals.
    pub fn tasks(&self) -> &[String] {
        match self {
            Self::Decomposition { tasks, .. } | Self::Reactive { tasks } => tasks,
            Self::Goals { .. } => &[],
        }
    }
}

impl Default for Planning {
    fn default() -> Self {
        Self::Decomposition {
            tasks: vec![],
            policy: Default::default(),
        }
    }
}

/// The kind of plan that an agent looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The first in the designer's order.
    #[default]
    First,
    /// A plan of minimum cost.
    Cheapest,
}

/// The settings of an agent's search for plans that achieve its goals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GoalSearch {
    /// The direction of the search.
    #[serde(default)]
    pub direction: Direction,
    /// The heuristic that estimates the distance to the goal.
    #[serde(default)]
    pub heuristic: Heuristic,
    /// The maximum number of nodes to expand; none: as many as the planner's budget allows. When
    /// the limit is reached, the agent executes the plan that comes nearest to the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// The maximum number of steps in a plan; none: unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of ticks after which an agent that is executing a plan retries a goal for which
    /// there was no plan.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub retry: u32,
    /// The minimum number of ticks for which the agent executes plans for a goal before it switches
    /// to another one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub commitment: u32,
}

impl Default for GoalSearch {
    fn default() -> Self {
        Self {
            direction: Direction::default(),
            heuristic: Heuristic::default(),
            nodes: None,
            depth: None,
            retry: 1,
            commitment: 0,
        }
    }
}

impl GoalSearch {
    /// Returns `true` if this is the default, which a file omits.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

/// The direction of a search for a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From the current state forwards.
    #[default]
    Forward,
    /// From the goal backwards (regression).
    Regressive,
}

/// The heuristic that estimates the cost of reaching a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Heuristic {
    /// No heuristic: finds the cheapest plan by expanding everything that is cheaper.
    Blind,
    /// The number of the goal's conditions that do not hold.
    Unmet,
    /// The highest-cost condition of the goal under delete relaxation; admissible.
    #[default]
    Hmax,
    /// The sum over all of the goal's conditions under delete relaxation.
    Hadd,
    /// The cost of a relaxed plan, which ignores that facts become false.
    Ff,
}

/// A sense of an agent: a fact, how often the agent observes it, and under which condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sense {
    /// The fact.
    pub fact: Name,
    /// Ticks between two observations.
    pub every: u32,
    /// A formula over the fact's own parameters and `?me`, evaluated in the world, that selects the
    /// objects for which the fact is observed. Empty: all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// The number of ticks without observation after which an observation is forgotten; none: it is
    /// kept, true or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forget: Option<u32>,
    /// If `true`, the fact is unknown at first: it is believed to have its default value until it
    /// is observed, unless the cast says otherwise.
    #[serde(default, skip_serializing_if = "is_off")]
    pub unknown: bool,
}

/// The reaction of an actor to the completion of its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhenComplete {
    /// Stops.
    #[default]
    Stop,
    /// Plans for the same tasks or goals again.
    Again,
}

/// The conditions under which an agent replans (semantics, section 5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Triggers {
    /// Replans this many ticks after a step failed, at least 1; none: only when one of its beliefs
    /// changes.
    #[serde(default = "next_tick", skip_serializing_if = "is_next_tick")]
    pub failure: Option<u32>,
    /// The reaction to the completion of the plan.
    #[serde(default, skip_serializing_if = "is_stop")]
    pub complete: WhenComplete,
    /// If `true`, replans when an observation changes a fact that the rest of the plan, or the
    /// choices that led to it, read.
    #[serde(default, skip_serializing_if = "is_off")]
    pub perception: bool,
    /// If `true`, replans when an earlier alternative than that of the running step becomes
    /// possible.
    #[serde(default, skip_serializing_if = "is_off")]
    pub alternative: bool,
    /// Replans when the value of another goal exceeds that of the pursued goal by more than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<f64>,
    /// Replans every this many ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
}

/// A file contains no NaN, so equality is total, and two `Arc`s of one record can be compared by
/// pointer.
impl Eq for Triggers {}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            failure: next_tick(),
            complete: WhenComplete::Stop,
            perception: false,
            alternative: false,
            goal: None,
            every: None,
        }
    }
}

impl Triggers {
    /// Returns `true` if these are the defaults, which a file omits.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

fn next_tick() -> Option<u32> {
    Some(1)
}

fn is_next_tick(wait: &Option<u32>) -> bool {
    *wait == next_tick()
}

fn is_stop(complete: &WhenComplete) -> bool {
    *complete == WhenComplete::Stop
}

/// A kind of actor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The type of the objects that can play it.
    #[serde(
        rename = "type",
        default = "Name::root",
        skip_serializing_if = "is_root"
    )]
    pub of: Name,
    /// The planning mode, and the tasks or goals to plan for.
    #[serde(default)]
    pub planning: Planning,
    /// The tasks that it may use, its repertoire; none listed: all tasks of the domain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Name>,
    /// The senses. A sensor fact without a sense is observed completely at every tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub senses: Vec<Sense>,
    /// The conditions under which it replans.
    #[serde(default, skip_serializing_if = "Triggers::is_default")]
    pub triggers: Triggers,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            of: Name::root(),
            planning: Planning::default(),
            uses: vec![],
            senses: vec![],
            triggers: Triggers::default(),
            title: String::new(),
            note: String::new(),
        }
    }
}

fn is_root(of: &Name) -> bool {
    *of == Name::root()
}
