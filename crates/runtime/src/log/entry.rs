//! The lines of a log, as values that serde writes as JSON.
//!
//! They refer to everything by its text, so a log can be read without its document. Indices count from 0.
//! Members that are empty are left out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::number;

mod plan;
mod step;

pub use plan::{
    Above, Binding, Decomposition, Effort, LoggedAbort, LoggedAnswer, LoggedGoal, LoggedPlan,
    LoggedStep, LoggedTarget, LoggedTask, PlanCause, PlanEntry, PlanOutcome, Rejected,
};
pub use step::{StepEntry, StepReason, StepState};

/// The version of the format. It increases if the name or the meaning of a member changes, or if there is a
/// new kind of line, but not if a member is added.
pub const LOG_FORMAT: u32 = 1;

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "entry", rename_all = "kebab-case")]
pub enum LogEntry {
    /// The first line.
    Start(StartEntry),
    /// An actor that isn't in the scenario's cast is in play from now on.
    Actor(ActorEntry),
    /// The world at the beginning of a tick. Level `all` only.
    Snapshot(SnapshotEntry),
    /// An actor at the end of its turn, at the tick of a snapshot. Level `all` only.
    ActorSnapshot(ActorSnapshotEntry),
    /// An event of the scenario has occurred. Level `all` only.
    Event(EventEntry),
    /// The game has set a fact. Level `all` only.
    Set(SetEntry),
    /// The game has added or removed an object.
    Object(ObjectEntry),
    /// An actor's senses have changed its beliefs, or it has forgotten something. Level `all` only.
    Sense(SenseEntry),
    /// An actor has planned.
    Plan(PlanEntry),
    /// A step has started, acted, or ended.
    Step(StepEntry),
    /// An actor has not followed an order.
    Refused(TextEntry),
    /// A message of the game about an actor.
    Say(TextEntry),
    /// The run has ended. A game's log has no such line.
    End(EndEntry),
}

impl LogEntry {
    /// Returns the tick of the line.
    pub fn tick(&self) -> u32 {
        match self {
            Self::Start(start) => start.tick,
            Self::Actor(actor) => actor.tick,
            Self::Snapshot(snapshot) => snapshot.tick,
            Self::ActorSnapshot(snapshot) => snapshot.tick,
            Self::Event(event) => event.tick,
            Self::Set(set) => set.tick,
            Self::Object(object) => object.tick,
            Self::Sense(sense) => sense.tick,
            Self::Plan(plan) => plan.tick,
            Self::Step(step) => step.tick,
            Self::Refused(text) | Self::Say(text) => text.tick,
            Self::End(end) => end.tick,
        }
    }

    /// Returns the actor that the line is about, if it is about one.
    pub fn actor(&self) -> Option<usize> {
        match self {
            Self::Actor(actor) => Some(actor.actor.number),
            Self::ActorSnapshot(snapshot) => Some(snapshot.actor),
            Self::Sense(sense) => Some(sense.actor),
            Self::Plan(plan) => Some(plan.actor),
            Self::Step(step) => Some(step.actor),
            Self::Refused(text) | Self::Say(text) => Some(text.actor),
            Self::Start(_)
            | Self::Snapshot(_)
            | Self::Event(_)
            | Self::Set(_)
            | Self::Object(_)
            | Self::End(_) => None,
        }
    }
}

/// The amount of detail of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// Nothing is written.
    Off,
    /// Plans, and the starts and ends of steps.
    Decisions,
    /// Everything: also changes of facts and beliefs, trees of plans, rejected alternatives and snapshots.
    #[default]
    All,
}

/// The first line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StartEntry {
    /// The version of the format.
    pub format: u32,
    /// The amount of detail.
    pub level: LogLevel,
    /// The document's title.
    pub title: String,
    /// The hash of the document's file.
    pub document: String,
    /// The scenario.
    pub scenario: String,
    /// The tick at which the log begins.
    pub tick: u32,
    /// The number of ticks per second, if the game has specified it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(with = "number::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub ticks_per_second: Option<f64>,
    /// The scenario's cast, in order.
    pub actors: Vec<LoggedActor>,
}

/// An actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedActor {
    /// The number by which other lines refer to it: its index in the cast, or a later one.
    pub number: usize,
    /// Its object or, without one, its agent; left out if the scenario has no cast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The facts for which it has a sense. All other facts are always visible to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub senses: Vec<String>,
}

/// An actor that isn't in the cast.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActorEntry {
    /// The tick.
    pub tick: u32,
    /// The actor.
    pub actor: LoggedActor,
}

/// The values of ground facts, by their texts: booleans, numbers, objects' names, or null if undefined.
pub type FactValues = BTreeMap<String, FactValue>;

/// An object that the game has added or removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectEntry {
    /// The tick.
    pub tick: u32,
    /// The object.
    pub object: String,
    /// Its type, if it was added. Otherwise it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "type")]
    pub of: Option<String>,
    /// The values of facts that it took with it. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FactChange>,
}

/// The world at the beginning of a tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SnapshotEntry {
    /// The tick.
    pub tick: u32,
    /// The values of all ground facts that were set. All others have their default values.
    pub facts: FactValues,
}

/// An actor at the end of its turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActorSnapshotEntry {
    /// The tick.
    pub tick: u32,
    /// The actor.
    pub actor: usize,
    /// Its beliefs; left out if it sees everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beliefs: Option<FactValues>,
    /// Its memory.
    pub memory: FactValues,
    /// Its plan, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<CurrentPlan>,
    /// Its steps in progress, in the plan's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<StepEntry>,
}

/// The plan that an actor executes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CurrentPlan {
    /// The index of its planning, among those of the actor.
    pub number: usize,
    /// The plan.
    #[serde(flatten)]
    pub plan: LoggedPlan,
}

/// An event of the scenario that has occurred.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EventEntry {
    /// The tick.
    pub tick: u32,
    /// Its index in the scenario.
    pub event: usize,
    /// Its changes of the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FactChange>,
    /// The reason why it changed nothing, if it couldn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A fact that the game has set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SetEntry {
    /// The tick.
    pub tick: u32,
    /// The change of the world.
    #[serde(flatten)]
    pub change: FactChange,
}

/// Changes of an actor's beliefs by its senses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SenseEntry {
    /// The tick.
    pub tick: u32,
    /// The actor.
    pub actor: usize,
    /// The changes of its beliefs.
    pub changes: Vec<FactChange>,
}

/// A line with a text about an actor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TextEntry {
    /// The tick.
    pub tick: u32,
    /// The actor.
    pub actor: usize,
    /// The text.
    pub text: String,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndEntry {
    /// The tick.
    pub tick: u32,
    /// The way in which it ended.
    pub end: LoggedEnd,
    /// The part of the goal that is false, if the goal is missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
}

/// The way in which a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LoggedEnd {
    /// All tasks are complete, and the goal is true.
    Complete,
    /// All tasks are complete, but the goal is false.
    GoalMissed,
    /// There is no plan, and nothing could change that.
    Failed,
    /// The last tick allowed was reached.
    OutOfTicks,
    /// Too many plans failed, or the same one was made again and again.
    OutOfPlans,
    /// The remaining actors begin again endlessly.
    Endless,
    /// The run was stopped.
    Stopped,
}

/// A change of a ground fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FactChange {
    /// The ground fact, such as `at(key)`.
    pub fact: String,
    /// Its value before.
    pub before: FactValue,
    /// Its value after.
    pub after: FactValue,
}

/// The value of a ground fact, in JSON as itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FactValue {
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(
        #[serde(with = "number")]
        #[cfg_attr(test, schemars(with = "f64"))]
        f64,
    ),
    /// An object's name; null if undefined.
    Object(Option<String>),
}
