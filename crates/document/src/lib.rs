//! The documents of Taskloom: the records of a file, flowcharts, edits, history and the file
//! format; the [`syntax`] of the texts in them; and the [`diagnostic`]s with which all of Taskloom
//! reports errors and their locations.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub mod diagnostic;
pub mod sort;
pub mod stop;
pub mod syntax;

mod agents;
mod apply;
mod block;
mod charts;
mod clip;
mod conflict;
mod crowds;
mod difference;
mod drawing;
mod edit;
mod edit_error;
mod entries;
mod file;
mod find;
mod flowchart;
mod history;
mod invariants;
mod json;
mod layout;
mod located;
mod meaning;
mod mentions;
mod migrations;
mod muted;
mod name;
mod paste;
mod point;
mod record;
mod references;
mod remove;
mod rename;
mod scenario;
#[cfg(test)]
mod schema;
mod scope;
mod span;
mod stage;
mod tables;
mod tasks;
mod texts;
mod uses;
mod wire;
mod world;

pub use agents::{
    Agent, Direction, Goal, GoalSearch, Heuristic, Planning, Policy, Sense, Triggers, WhenComplete,
};
pub use block::{Alternative, Block, BlockKind, BlockText, ChoicePolicy};
pub use clip::{Clip, ClipError};
pub use conflict::conflict;
pub use crowds::{Crowd, Expansion, MAX_IN_CROWDS};
pub use difference::Difference;
pub use drawing::{Drawing, Frame, Tint};
pub use edit::Edit;
pub use edit_error::EditError;
pub use file::{FILE_EXTENSION, FileError, FileMistake, VERSION, hash_of};
pub use find::{Found, FoundPlace, Pattern};
pub use flowchart::Flowchart;
pub use history::History;
pub use layout::Layout;
pub use located::FilePlaces;
pub use name::{Name, NameError, is_device, kebab};
pub use paste::Pasted;
pub use point::Point;
pub use record::{Field, Kind, Record, RecordRef, RecordType, RecordView};
pub use scenario::{CastMember, Event, Expectation, Failure, Scenario};
pub use scope::TypesOfMe;
pub use stage::{Axes, Stage};
pub use tasks::{Action, CompoundTask, Effect, EffectTiming, PrimitiveTask};
pub use texts::Text;
pub use wire::{BlockId, Port, Wire};
pub use world::{Condition, Fact, Object, Param, Source, Type, ValueKind};

/// Records of one kind by name. Cloning a document clones these maps, which increments reference
/// counts but copies no record.
pub type Table<R> = BTreeMap<Name, Arc<R>>;

/// The document's own title and note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Info {
    /// Shown in the title bar and used as a file name.
    #[serde(default)]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A domain with its agents and scenarios: the entire content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Title and note.
    #[serde(default)]
    pub info: Arc<Info>,
    /// Types under `object`, which is not a record.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub types: Table<Type>,
    /// Objects of the domain.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: Table<Object>,
    /// Facts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: Table<Fact>,
    /// Named conditions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: Table<Condition>,
    /// Actions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: Table<Action>,
    /// Primitive tasks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub primitive_tasks: Table<PrimitiveTask>,
    /// Compound tasks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub compound_tasks: Table<CompoundTask>,
    /// Goals.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub goals: Table<Goal>,
    /// Agents.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: Table<Agent>,
    /// Scenarios.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scenarios: Table<Scenario>,
    /// Positions on the canvases.
    #[serde(default)]
    pub layout: Layout,
}

impl Document {
    /// Returns `true` if `of` is `ancestor` or a subtype of it. A cycle of parents, which is
    /// reported by a check, ends the walk.
    pub fn is_kind_of(&self, of: &Name, ancestor: &Name) -> bool {
        let mut current = of;
        for _ in 0..=self.types.len() {
            if current == ancestor {
                return true;
            }
            match self.types.get(current) {
                Some(record) => current = &record.parent,
                None => break,
            }
        }
        *ancestor == "object"
    }
}
