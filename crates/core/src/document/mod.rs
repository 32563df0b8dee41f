//! What the designer edits: one document of records, its edits and its file.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

mod agents;
mod edit;
mod flowchart;
mod layout;
mod name;
mod record;
mod tasks;
mod text_form;
mod world;

pub use agents::{Agent, Event, Expectation, Goal, Planning, Scenario, Sense};
pub use edit::{Edit, EditError};
pub use flowchart::{Alternative, Block, BlockId, Flowchart, Policy, Port, Wire};
pub use layout::{Layout, Point};
pub use name::{Name, NameError};
pub use record::{Field, Kind, Record, RecordRef};
pub use tasks::{Action, CompoundTask, Effect, EffectTiming, PrimitiveTask};
pub use world::{Condition, Fact, Object, Param, Source, Type, ValueKind};

/// Records of one kind by name. Cloning a document clones these maps, which
/// counts references and copies no record.
pub type Table<R> = BTreeMap<Name, Arc<R>>;

/// The document's own title and note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Info {
    /// Shown in the title bar and as a file name.
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A domain, its agents and its scenarios: all that a file holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Title and note.
    pub info: Arc<Info>,
    /// Types under `object`, which is no record.
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
    /// Where things stand.
    #[serde(default)]
    pub layout: Layout,
}

impl Document {
    /// The record of a kind and name.
    pub fn get(&self, record: &RecordRef) -> Option<Record> {
        let name = &record.name;
        match record.kind {
            Kind::Type => self.types.get(name).cloned().map(Record::Type),
            Kind::Object => self.objects.get(name).cloned().map(Record::Object),
            Kind::Fact => self.facts.get(name).cloned().map(Record::Fact),
            Kind::Condition => self.conditions.get(name).cloned().map(Record::Condition),
            Kind::Action => self.actions.get(name).cloned().map(Record::Action),
            Kind::PrimitiveTask => self
                .primitive_tasks
                .get(name)
                .cloned()
                .map(Record::PrimitiveTask),
            Kind::CompoundTask => self
                .compound_tasks
                .get(name)
                .cloned()
                .map(Record::CompoundTask),
            Kind::Goal => self.goals.get(name).cloned().map(Record::Goal),
            Kind::Agent => self.agents.get(name).cloned().map(Record::Agent),
            Kind::Scenario => self.scenarios.get(name).cloned().map(Record::Scenario),
        }
    }

    /// The names of all records of a kind, in order.
    pub fn names(&self, kind: Kind) -> Vec<&Name> {
        match kind {
            Kind::Type => self.types.keys().collect(),
            Kind::Object => self.objects.keys().collect(),
            Kind::Fact => self.facts.keys().collect(),
            Kind::Condition => self.conditions.keys().collect(),
            Kind::Action => self.actions.keys().collect(),
            Kind::PrimitiveTask => self.primitive_tasks.keys().collect(),
            Kind::CompoundTask => self.compound_tasks.keys().collect(),
            Kind::Goal => self.goals.keys().collect(),
            Kind::Agent => self.agents.keys().collect(),
            Kind::Scenario => self.scenarios.keys().collect(),
        }
    }

    /// Whether `of` is `ancestor` or a kind of it. A cycle of parents, which a
    /// check reports, ends the walk.
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
