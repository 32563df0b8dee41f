//! Records by kind and name, their tables in a document, and the fields inside them.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::agents::{Agent, Goal};
use super::block::BlockText;
use super::json::write;
use super::name::Name;
use super::scenario::Scenario;
#[cfg(test)]
use super::schema::schema_of_text;
use super::tasks::{Action, CompoundTask, PrimitiveTask};
use super::wire::{BlockId, Port};
use super::world::{Condition, Fact, Object, Param, Type};
use super::{Document, Table};

/// A type of records, with the table of a document that has its records.
pub trait RecordType: Clone + PartialEq + Send + Sync + 'static {
    /// The kind of these records.
    const KIND: Kind;
    /// Returns the records of this type.
    fn table(document: &Document) -> &Table<Self>;
    /// Converts it into a record of any kind.
    fn into_record(self) -> Record;
}

/// Defines, from one table, what there is for each kind of record. A line has the kind, its table in
/// a document, its name, the word in references, its namespace, and the field of its parameters.
macro_rules! records {
    ($(
        $kind:ident, $table:ident, $label:literal, $key:literal,
        [$($namesake:ident),+] $(, $params:ident)?;
    )*) => {
        /// The kinds of record, in the order of the file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $(#[doc = concat!("[`", stringify!($kind), "`](crate::", stringify!($kind), ")")] $kind,)*
        }

        impl Kind {
            /// All kinds, in the order of the file.
            pub const ALL: [Self; [$(Self::$kind),*].len()] = [$(Self::$kind),*];

            /// Returns its name in messages: `compound task`.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$kind => $label,)*
                }
            }

            /// Returns the kinds that share a namespace with this kind: a formula could not
            /// distinguish a fact from a condition, nor a call a primitive from a compound task.
            pub fn namespace(self) -> &'static [Self] {
                match self {
                    $(Self::$kind => &[$(Self::$namesake),+],)*
                }
            }

            /// Returns the word before the colon of a [`RecordRef`]'s text.
            fn key(self) -> &'static str {
                match self {
                    $(Self::$kind => $key,)*
                }
            }
        }

        /// A record of any kind.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Record {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind(Arc<$kind>),)*
        }

        impl Record {
            /// Returns its kind.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                }
            }

            /// Returns `true` if two records are the same object in memory.
            pub fn is_same(&self, other: &Self) -> bool {
                self.view().is_same(other.view())
            }

            /// Returns its title.
            pub fn title(&self) -> &str {
                match self {
                    $(Self::$kind(record) => &record.title,)*
                }
            }

            /// Returns its note.
            pub fn note(&self) -> &str {
                match self {
                    $(Self::$kind(record) => &record.note,)*
                }
            }

            /// Borrows its title and its note, which only the designer reads.
            pub fn title_and_note_mut(&mut self) -> (&mut String, &mut String) {
                match self {
                    $(Self::$kind(record) => {
                        let record = Arc::make_mut(record);
                        (&mut record.title, &mut record.note)
                    })*
                }
            }

            /// Borrows the record.
            pub fn view(&self) -> RecordView<'_> {
                match self {
                    $(Self::$kind(record) => RecordView::$kind(record),)*
                }
            }

            /// Borrows its parameters; `None` if its kind has none.
            pub fn params_mut(&mut self) -> Option<&mut Vec<Param>> {
                match self {
                    $($(Self::$kind(record) => Some(&mut Arc::make_mut(record).$params),)?)*
                    _ => None,
                }
            }
        }

        /// A borrowed record of any kind in a document.
        #[derive(Debug, Clone, Copy)]
        pub enum RecordView<'a> {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind(&'a Arc<$kind>),)*
        }

        impl<'a> RecordView<'a> {
            /// Returns its parameters; none if its kind has none.
            pub fn params(self) -> &'a [Param] {
                match self {
                    $($(Self::$kind(record) => &record.$params,)?)*
                    _ => &[],
                }
            }
        }

        impl RecordView<'_> {
            /// Returns `true` if two records are the same object in memory.
            pub(super) fn is_same(self, other: Self) -> bool {
                match (self, other) {
                    $((Self::$kind(one), Self::$kind(other)) => Arc::ptr_eq(one, other),)*
                    _ => false,
                }
            }

            /// Returns `true` if two records differ at most in what only the designer reads: titles
            /// and notes. Records that are shared are compared by pointer only.
            pub(super) fn same_meaning(self, other: Self) -> bool {
                match (self, other) {
                    $((Self::$kind(one), Self::$kind(other)) => {
                        let bare = |record: &$kind| $kind {
                            title: String::new(),
                            note: String::new(),
                            ..record.clone()
                        };
                        Arc::ptr_eq(one, other) || bare(one) == bare(other)
                    })*
                    _ => false,
                }
            }

            /// Returns the text of its value in a file.
            pub(super) fn to_json(self) -> String {
                match self {
                    $(Self::$kind(record) => write(record),)*
                }
            }

            /// Returns the record, sharing its content.
            pub fn to_record(self) -> Record {
                match self {
                    $(Self::$kind(record) => Record::$kind(record.clone()),)*
                }
            }
        }

        $(impl RecordType for $kind {
            const KIND: Kind = Kind::$kind;
            fn table(document: &Document) -> &Table<Self> {
                &document.$table
            }
            fn into_record(self) -> Record {
                Record::$kind(Arc::new(self))
            }
        })*

        impl Document {
            /// Borrows the record of a kind and name.
            pub fn view(&self, record: &RecordRef) -> Option<RecordView<'_>> {
                let name = &record.name;
                match record.kind {
                    $(Kind::$kind => self.$table.get(name).map(RecordView::$kind),)*
                }
            }

            /// Returns the reference with the spelling of the record's own name.
            pub fn spelled(&self, record: &RecordRef) -> Option<RecordRef> {
                let name = match record.kind {
                    $(Kind::$kind => self.$table.get_key_value(&record.name)?.0,)*
                };
                Some(RecordRef::new(record.kind, name.clone()))
            }

            /// Returns the records of a kind with their names, in order.
            pub(super) fn table(&self, kind: Kind) -> Vec<(&Name, RecordView<'_>)> {
                match kind {
                    $(Kind::$kind => {
                        let records = self.$table.iter();
                        records.map(|(name, record)| (name, RecordView::$kind(record))).collect()
                    })*
                }
            }

            /// Replaces the records that are equal to those of another version by these, so that
            /// both share them.
            pub(super) fn share_records(&mut self, other: &Self) {
                $(for (name, record) in &mut self.$table {
                    if let Some(same) = other.$table.get(name).filter(|same| *same == record) {
                        record.clone_from(same);
                    }
                })*
            }

            /// Inserts a record into its table; replaces one of the same name.
            pub(super) fn put(&mut self, name: Name, record: Record) {
                match record {
                    $(Record::$kind(record) => drop(self.$table.insert(name, record)),)*
                }
            }

            /// Removes a record from its table.
            pub(super) fn take(&mut self, record: &RecordRef) -> Option<Record> {
                match record.kind {
                    $(Kind::$kind => self.$table.remove(&record.name).map(Record::$kind),)*
                }
            }
        }
    };
}

records! {
    Type, types, "type", "type", [Type];
    Object, objects, "object", "object", [Object];
    Fact, facts, "fact", "fact", [Fact, Condition], params;
    Condition, conditions, "condition", "condition", [Fact, Condition], params;
    Action, actions, "action", "action", [Action], params;
    PrimitiveTask, primitive_tasks, "primitive task", "primitive",
        [PrimitiveTask, CompoundTask], params;
    CompoundTask, compound_tasks, "compound task", "compound",
        [PrimitiveTask, CompoundTask], params;
    Goal, goals, "goal", "goal", [Goal];
    Agent, agents, "agent", "agent", [Agent];
    Scenario, scenarios, "scenario", "scenario", [Scenario];
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
    /// *Text:* the n-th claim.
    Claim(usize),
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
    /// *Text:* the *while* formula of a Task block.
    BlockWhile(BlockId),
    /// *Text:* the cleanup of a Task block.
    BlockAbort(BlockId),
    /// *Text:* the query of a Bind block.
    BlockQuery(BlockId),
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
    /// *Text:* the goal of a scenario or of a compound task.
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
    /// The agent of a scenario's n-th actor.
    Cast(usize),
    /// The object of a scenario's n-th actor.
    CastObject(usize),
    /// *Text:* a task of a scenario's n-th actor.
    CastTask(usize, usize),
    /// *Text:* a belief of a scenario's n-th actor.
    Belief(usize, usize),
    /// The agent of a scenario's n-th crowd.
    Crowd(usize),
    /// *Text:* an initial value of a scenario's n-th crowd.
    CrowdInitial(usize, usize),
    /// *Text:* a task of a scenario's n-th crowd.
    CrowdTask(usize, usize),
    /// *Text:* a belief of a scenario's n-th crowd.
    CrowdBelief(usize, usize),
    /// An agent's n-th sense, or its fact. *Text:* its condition.
    Sense(usize),
    /// The n-th task of an agent's repertoire.
    Uses(usize),
    /// The n-th goal of an agent.
    AgentGoal(usize),
}

impl BlockText {
    /// Returns the field of the text in a record.
    pub fn field(self, block: &BlockId) -> Field {
        match self {
            Self::Main => Field::BlockText(block.clone()),
            Self::While => Field::BlockWhile(block.clone()),
            Self::Abort => Field::BlockAbort(block.clone()),
            Self::Query => Field::BlockQuery(block.clone()),
            Self::Order => Field::BlockOrder(block.clone()),
            Self::Score(port) => Field::BlockScore(block.clone(), port),
        }
    }
}
