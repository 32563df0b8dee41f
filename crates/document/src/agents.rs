//! Agents: what a kind of character wants, may do and senses, and when it changes its mind
//! (semantics, sections 4 and 5).

use serde::{Deserialize, Serialize};

use super::name::Name;

/// What an agent wants to be true (Orkin 2003; semantics, section 5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The formula that satisfies it, as typed.
    #[serde(default)]
    pub condition: String,
    /// Formulas that are to hold one after the other on the way there, as typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subgoals: Vec<String>,
    /// Distinct within an agent; a greater one comes first.
    #[serde(default)]
    pub priority: i32,
    /// Added to priority x relevance: a numeric expression, as of a number on the blackboard that a
    /// captain writes; empty: 0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub bias: String,
    /// A numeric expression of what is believed; empty: 1.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub relevance: String,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
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
    /// A* over primitive tasks towards the worthiest of these goals.
    Goals {
        /// Names of goals.
        goals: Vec<Name>,
        /// How plans for them are looked for.
        #[serde(default, skip_serializing_if = "GoalSearch::is_default")]
        search: GoalSearch,
    },
}

impl Planning {
    /// The tasks that it is about, as typed.
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

/// How an agent looks for plans for its goals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GoalSearch {
    /// From where to where.
    #[serde(default)]
    pub direction: Direction,
    /// What tells how far it is to the goal.
    #[serde(default)]
    pub heuristic: Heuristic,
    /// How many states are looked at at most; none: as many as the planner's budget allows. Where
    /// it is used up, the plan that comes nearest to the goal is followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// How many steps a plan has at most; none: as many as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// After how many ticks who follows a plan tries a goal again for which there was no plan.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub retry: u32,
}

impl Default for GoalSearch {
    fn default() -> Self {
        Self {
            direction: Direction::default(),
            heuristic: Heuristic::default(),
            nodes: None,
            depth: None,
            retry: 1,
        }
    }
}

impl GoalSearch {
    /// Whether this is what a file leaves out.
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

/// Where a search for a goal begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// At the state as it is.
    #[default]
    Forward,
    /// At the goal (regression).
    Regressive,
}

/// What a search for a goal estimates the cost of reaching it by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Heuristic {
    /// Nothing: the cheapest plan, by looking at all that is cheaper.
    Blind,
    /// How many of the goal's conditions do not hold.
    Unmet,
    /// The dearest of the goal's conditions, if nothing ever became false: never more than it costs.
    #[default]
    Hmax,
    /// All of the goal's conditions together, if nothing ever became false.
    Hadd,
    /// A plan that would do if nothing ever became false.
    Ff,
}

/// A sense of an agent: a fact, how often it looks, and when it sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sense {
    /// The fact.
    pub fact: Name,
    /// Ticks between two looks.
    pub every: u32,
    /// A formula over the fact's own parameters and `?me`, judged in the world: of which objects the
    /// fact is seen. Empty: of all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// After how many ticks unseen what was seen is forgotten; none: it is kept, true or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forget: Option<u32>,
    /// The fact is unknown at first: believed to have the value that nobody has set, until it is
    /// observed or the cast says otherwise.
    #[serde(default, skip_serializing_if = "is_off")]
    pub unknown: bool,
}

/// What a character does when its plan is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhenComplete {
    /// Nothing more.
    #[default]
    Stop,
    /// It plans for the same again.
    Again,
}

/// When an agent makes a new plan (semantics, section 5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Triggers {
    /// So many ticks after a step failed, at least 1; none: only when something that it believes changes.
    #[serde(default = "next_tick", skip_serializing_if = "is_next_tick")]
    pub failure: Option<u32>,
    /// When the plan is complete.
    #[serde(default, skip_serializing_if = "is_stop")]
    pub complete: WhenComplete,
    /// When a perception changes what the rest of the plan, or the choices that led to it, read.
    #[serde(default, skip_serializing_if = "is_off")]
    pub perception: bool,
    /// When an earlier alternative than that of the running step has become possible.
    #[serde(default, skip_serializing_if = "is_off")]
    pub alternative: bool,
    /// When another goal is worth more than the pursued one by more than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<f64>,
    /// Every so many ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
}

/// No number of a file is unequal to itself. So two `Arc`s of one record are told to be equal by pointer.
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
    /// Whether these are what a file leaves out.
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

fn is_off(switch: &bool) -> bool {
    !switch
}

/// A kind of character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The type of the objects that play it.
    #[serde(
        rename = "type",
        default = "Name::root",
        skip_serializing_if = "is_root"
    )]
    pub of: Name,
    /// How and for what it plans.
    #[serde(default)]
    pub planning: Planning,
    /// The tasks that it may use, its repertoire; none listed: all of the domain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Name>,
    /// What it sees. Of a sensor fact without a sense it sees everything, at every tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub senses: Vec<Sense>,
    /// When it makes a new plan.
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
