//! Records by kind and name, and the fields inside them.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::agents::{Agent, Goal};
use super::flowchart::{BlockId, Port};
use super::name::Name;
use super::scenario::Scenario;
#[cfg(test)]
use super::schema::schema_of_text;
use super::tasks::{Action, CompoundTask, PrimitiveTask};
use super::world::{Condition, Fact, Object, Type};

/// The kinds of record, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// [`Type`]
    Type,
    /// [`Object`] of the domain
    Object,
    /// [`Fact`]
    Fact,
    /// [`Condition`]
    Condition,
    /// [`Action`]
    Action,
    /// [`PrimitiveTask`]
    PrimitiveTask,
    /// [`CompoundTask`]
    CompoundTask,
    /// [`Goal`]
    Goal,
    /// [`Agent`]
    Agent,
    /// [`Scenario`]
    Scenario,
}

impl Kind {
    /// All kinds, in the order of the file.
    pub const ALL: [Self; 10] = [
        Self::Type,
        Self::Object,
        Self::Fact,
        Self::Condition,
        Self::Action,
        Self::PrimitiveTask,
        Self::CompoundTask,
        Self::Goal,
        Self::Agent,
        Self::Scenario,
    ];

    /// Returns its name in messages: `compound task`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Object => "object",
            Self::Fact => "fact",
            Self::Condition => "condition",
            Self::Action => "action",
            Self::PrimitiveTask => "primitive task",
            Self::CompoundTask => "compound task",
            Self::Goal => "goal",
            Self::Agent => "agent",
            Self::Scenario => "scenario",
        }
    }

    /// Returns the word before the colon of a [`RecordRef`]'s text.
    fn key(self) -> &'static str {
        match self {
            Self::PrimitiveTask => "primitive",
            Self::CompoundTask => "compound",
            other => other.label(),
        }
    }
}

/// A reference to a record: `compound:get-ball`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub struct RecordRef {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: Name,
}

impl RecordRef {
    /// Creates a reference to the record of this kind and name.
    pub fn new(kind: Kind, name: Name) -> Self {
        Self { kind, name }
    }
}
impl fmt::Display for RecordRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.key(), self.name)
    }
}
impl FromStr for RecordRef {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, name) = text
            .split_once(':')
            .ok_or_else(|| format!("'{text}' is not a record: 'kind:name'"))?;
        let kind = Kind::ALL
            .into_iter()
            .find(|k| k.key() == key)
            .ok_or_else(|| format!("'{key}' is not a kind of record"))?;
        Ok(Self {
            kind,
            name: Name::new(name).map_err(|e| e.to_string())?,
        })
    }
}
#[cfg(test)]
schema_of_text!(
    RecordRef,
    r"^(type|object|fact|condition|action|primitive|compound|goal|agent|scenario):[A-Za-z][A-Za-z0-9_-]*$",
    "A record: 'compound:get-ball'."
);

/// A record of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// See [`Type`].
    Type(Arc<Type>),
    /// See [`Object`].
    Object(Arc<Object>),
    /// See [`Fact`].
    Fact(Arc<Fact>),
    /// See [`Condition`].
    Condition(Arc<Condition>),
    /// See [`Action`].
    Action(Arc<Action>),
    /// See [`PrimitiveTask`].
    PrimitiveTask(Arc<PrimitiveTask>),
    /// See [`CompoundTask`].
    CompoundTask(Arc<CompoundTask>),
    /// See [`Goal`].
    Goal(Arc<Goal>),
    /// See [`Agent`].
    Agent(Arc<Agent>),
    /// See [`Scenario`].
    Scenario(Arc<Scenario>),
}

/// A borrowed record of any kind in a document.
#[derive(Debug, Clone, Copy)]
pub enum RecordView<'a> {
    /// See [`Type`].
    Type(&'a Arc<Type>),
    /// See [`Object`].
    Object(&'a Arc<Object>),
    /// See [`Fact`].
    Fact(&'a Arc<Fact>),
    /// See [`Condition`].
    Condition(&'a Arc<Condition>),
    /// See [`Action`].
    Action(&'a Arc<Action>),
    /// See [`PrimitiveTask`].
    PrimitiveTask(&'a Arc<PrimitiveTask>),
    /// See [`CompoundTask`].
    CompoundTask(&'a Arc<CompoundTask>),
    /// See [`Goal`].
    Goal(&'a Arc<Goal>),
    /// See [`Agent`].
    Agent(&'a Arc<Agent>),
    /// See [`Scenario`].
    Scenario(&'a Arc<Scenario>),
}

impl Record {
    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Type(_) => Kind::Type,
            Self::Object(_) => Kind::Object,
            Self::Fact(_) => Kind::Fact,
            Self::Condition(_) => Kind::Condition,
            Self::Action(_) => Kind::Action,
            Self::PrimitiveTask(_) => Kind::PrimitiveTask,
            Self::CompoundTask(_) => Kind::CompoundTask,
            Self::Goal(_) => Kind::Goal,
            Self::Agent(_) => Kind::Agent,
            Self::Scenario(_) => Kind::Scenario,
        }
    }
}

/// A field of a record. Those marked *text* hold a text of the expression language that
/// [`super::Edit::SetText`] can replace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The record itself, or its name.
    Whole,
    /// The type of an object or agent, the parent of a type, the value kind of a fact.
    Type,
    /// The n-th parameter.
    Param(usize),
    /// *Text:* a condition's or goal's formula.
    Formula,
    /// *Text:* the action of a primitive task.
    Action,
    /// *Text:* the n-th precondition.
    Precondition(usize),
    /// *Text:* the n-th integrity rule.
    Integrity(usize),
    /// *Text:* the n-th completion condition.
    Completion(usize),
    /// *Text:* the n-th effect.
    Effect(usize),
    /// *Text:* the cost of a primitive task.
    Cost,
    /// *Text:* the duration of an action.
    Duration,
    /// *Text:* the relevance of a goal.
    Relevance,
    /// *Text:* the bias of a goal.
    Bias,
    /// *Text:* the n-th subgoal of a goal.
    Subgoal(usize),
    /// The flowchart as a whole.
    Method,
    /// A block of the flowchart, as a whole.
    Block(BlockId),
    /// *Text:* the call of a Task block, the condition of a Branch or Bind block.
    BlockText(BlockId),
    /// *Text:* the ordering of a Bind block.
    BlockOrder(BlockId),
    /// *Text:* the score of an output of a Choice block.
    BlockScore(BlockId, Port),
    /// The variable of a Bind block.
    BlockVariable(BlockId),
    /// *Text:* the n-th task of a scenario or an agent.
    Task(usize),
    /// *Text:* the n-th initial value of a scenario.
    Initial(usize),
    /// *Text:* a scenario's goal.
    Goal,
    /// *Text:* the effect of a scenario's n-th event.
    Event(usize),
    /// *Text:* the condition of a scenario's n-th event.
    EventWhen(usize),
    /// *Text:* the task of a scenario's n-th failure.
    Failure(usize),
    /// The n-th expectation, or its text if it has one.
    Expectation(usize),
    /// The n-th step of the n-th expectation (*text*).
    ExpectedStep(usize, usize),
    /// A scenario's own object.
    Object(Name),
    /// The agent of a scenario's n-th character.
    Cast(usize),
    /// The object of a scenario's n-th character.
    CastObject(usize),
    /// *Text:* a task of a scenario's n-th character.
    CastTask(usize, usize),
    /// *Text:* a belief of a scenario's n-th character.
    Belief(usize, usize),
    /// An agent's n-th sense, or its fact. *Text:* its condition.
    Sense(usize),
    /// The n-th task of an agent's repertoire.
    Uses(usize),
    /// The n-th goal of an agent.
    AgentGoal(usize),
}
