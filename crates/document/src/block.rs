//! The blocks of a flowchart: their texts, and their role in a resolution.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

#[cfg(test)]
use super::schema::schema_of_text;
use super::wire::Port;
use super::world::Param;
use crate::syntax::TextRole;

/// One block of a flowchart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    /// The start of the method.
    Begin {},
    /// A task of the network, with arguments: `walk-to(box)`.
    Task {
        /// The call, as typed.
        call: String,
        /// The number of times that the task is done, one after the other: 2 to 100. Once, if it is
        /// omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeat: Option<u32>,
        /// A formula, as typed: the task is done each time only if it is true then. Empty: always.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        repeat_while: String,
        /// The number of ticks within which the task has to be complete, counted from the start of its
        /// first step; otherwise it fails. Any number, if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout: Option<u32>,
        /// The number of times that an actor retries the task after a failure. If it fails once more,
        /// the actor gives it up until something changes. Any number, if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry: Option<u32>,
        /// `true` if the task is in the background: what follows doesn't wait for it, and it is stopped
        /// when the tasks of the method that aren't in the background are complete, unless the plan needs it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        background: bool,
        /// The call of the task that cleans up after this one if it is aborted, as typed; empty: none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        on_abort: String,
    },
    /// A condition with one output for each outcome. An output left unconnected makes that outcome
    /// inapplicable, so a Branch with `true` alone is a guard.
    Branch {
        /// The formula, as typed.
        condition: String,
    },
    /// Alternatives, tried in order.
    Choice {
        /// The order in which they are tried.
        #[serde(default)]
        policy: ChoicePolicy,
        /// The outputs, as drawn.
        alternatives: Vec<Alternative>,
        /// Numeric expressions by output, which the policy compares.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        scores: BTreeMap<Port, String>,
    },
    /// A variable of a type, bound to an object for which a condition holds; every binding is an
    /// alternative, tried in object order (by name) or by the ordering.
    Bind {
        /// The variable and its type.
        variable: Param,
        /// The formula, as typed; empty: every object of the type.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        condition: String,
        /// A numeric expression, lowest first; empty: object order.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        order_by: String,
        /// A question that a game answers with the objects to choose from: `cover-near(?me)`; empty: none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        query: String,
    },
    /// The end of the method; optional where nothing follows.
    End {},
}

/// The key that holds the kind of a block.
pub(super) const TAG: &str = "kind";

/// The name that serde has for the one type whose variants are identified by [`TAG`].
pub(super) const TAGGED: &str = "Block";

/// Deserializes blocks. Serde's derived code for a tagged enum copies the block first, and then
/// can't tell which field has an error; so blocks are read as an untagged enum, and `json::read`
/// handles the tag.
#[derive(Deserialize)]
#[serde(
    remote = "Block",
    rename = "Block",
    rename_all = "snake_case",
    deny_unknown_fields
)]
enum ByKind {
    Begin {},
    Task {
        call: String,
        #[serde(default)]
        repeat: Option<u32>,
        #[serde(default)]
        repeat_while: String,
        #[serde(default)]
        timeout: Option<u32>,
        #[serde(default)]
        retry: Option<u32>,
        #[serde(default)]
        background: bool,
        #[serde(default)]
        on_abort: String,
    },
    Branch {
        condition: String,
    },
    Choice {
        #[serde(default)]
        policy: ChoicePolicy,
        alternatives: Vec<Alternative>,
        #[serde(default)]
        scores: BTreeMap<Port, String>,
    },
    Bind {
        variable: Param,
        #[serde(default)]
        condition: String,
        #[serde(default)]
        order_by: String,
        #[serde(default)]
        query: String,
    },
    End {},
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ByKind::deserialize(deserializer)
    }
}

/// The order in which a Choice block's alternatives are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChoicePolicy {
    /// In the drawn order.
    #[default]
    First,
    /// By their scores, which are costs: lowest first.
    Cheapest,
    /// By their scores, highest first.
    Highest,
    /// At random, weighted by their scores.
    Random,
}

impl ChoicePolicy {
    /// Returns `true` if it uses scores.
    pub fn is_scored(self) -> bool {
        match self {
            Self::Cheapest | Self::Highest | Self::Random => true,
            Self::First => false,
        }
    }
}

/// One output of a Choice block, written `1 with the key`.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Alternative {
    /// The id, unique in the block; wires refer to it.
    pub id: u16,
    /// Free text.
    pub label: String,
}
impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.label)
    }
}
impl FromStr for Alternative {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (id, label) = text.split_once(' ').unwrap_or((text, ""));
        let id = id
            .parse()
            .map_err(|_| format!("'{text}' is not an alternative: a number, then a label"))?;
        Ok(Self {
            id,
            label: label.to_owned(),
        })
    }
}
#[cfg(test)]
schema_of_text!(
    Alternative,
    r"^[0-9]+( |$)",
    "An output of a Choice block: '1 with the key'."
);

/// Identifies one of a block's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockText {
    /// The call of a Task, the condition of a Branch or Bind.
    Main,
    /// The *while* formula of a Task.
    While,
    /// The call of the task that cleans up after an aborted Task.
    Abort,
    /// The expression that orders the objects of a Bind.
    Order,
    /// The query of a Bind.
    Query,
    /// The score of an output of a Choice.
    Score(Port),
}

/// The role of a block in a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The start.
    Begin,
    /// A task of the network.
    Task,
    /// Two outcomes of a condition.
    Branch,
    /// A choice between this many outputs.
    Choice(u32),
    /// A binding for each matching object.
    Bind,
    /// The end.
    End,
}

impl BlockKind {
    /// Returns the name of the kind: `Branch`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Begin => "Begin",
            Self::Task => "Task",
            Self::Branch => "Branch",
            Self::Choice(_) => "Choice",
            Self::Bind => "Bind",
            Self::End => "End",
        }
    }

    /// Returns `true` if a method starts there.
    pub fn starts(self) -> bool {
        matches!(self, Self::Begin)
    }

    /// Returns `true` if it does nothing and leads nowhere, as if it did not exist.
    pub fn ends(self) -> bool {
        matches!(self, Self::End)
    }

    /// Returns `true` if it is a decision: which output is taken, or which object is bound.
    pub fn decides(self) -> bool {
        matches!(self, Self::Branch | Self::Choice(_) | Self::Bind)
    }

    /// Returns `true` if exactly one of its outputs is taken.
    pub fn chooses_output(self) -> bool {
        matches!(self, Self::Branch | Self::Choice(_))
    }

    /// Returns `true` if several of its options can be applicable in one state.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Choice(_) | Self::Bind)
    }

    /// Returns the number of options in any state: the outcomes or outputs; 1 for a Bind.
    pub fn options(self) -> u32 {
        match self {
            Self::Branch => 2,
            Self::Choice(outputs) => outputs,
            Self::Begin | Self::Task | Self::Bind | Self::End => 1,
        }
    }

    /// Returns `true` if an option without a wire cannot be taken. In other blocks such an option
    /// does nothing more.
    pub fn needs_wire(self) -> bool {
        matches!(self, Self::Branch)
    }
}

impl Block {
    /// The maximum number of times that a Task block can do its task.
    pub const MAX_REPEAT: u32 = 100;

    /// Returns a Task block that calls a task once.
    pub fn task(call: impl Into<String>) -> Self {
        Self::Task {
            call: call.into(),
            repeat: None,
            repeat_while: String::new(),
            timeout: None,
            retry: None,
            background: false,
            on_abort: String::new(),
        }
    }

    /// Returns the number of subtasks that a Task block stands for; 1 for other blocks. A number
    /// that isn't allowed counts as the nearest one that is.
    pub fn repetitions(&self) -> u32 {
        match self {
            Self::Task { repeat, .. } => repeat.unwrap_or(1).clamp(1, Self::MAX_REPEAT),
            _ => 1,
        }
    }

    /// Returns the *while* formula of a Task block, as typed, if there is one.
    pub fn repeat_while(&self) -> Option<&str> {
        match self {
            Self::Task { repeat_while, .. } => {
                Some(repeat_while.trim()).filter(|formula| !formula.is_empty())
            }
            _ => None,
        }
    }

    /// Returns the number of ticks after which the task of a Task block fails if it isn't complete.
    pub fn timeout(&self) -> Option<u32> {
        match self {
            Self::Task { timeout, .. } => *timeout,
            _ => None,
        }
    }

    /// Returns the maximum number of retries of the task of a Task block, if there is one.
    pub fn retry(&self) -> Option<u32> {
        match self {
            Self::Task { retry, .. } => *retry,
            _ => None,
        }
    }

    /// Returns `true` if it is a Task block whose task is in the background.
    pub fn is_background(&self) -> bool {
        matches!(
            self,
            Self::Task {
                background: true,
                ..
            }
        )
    }

    /// Returns a Task block whose task is in the background, or isn't; any other block unchanged.
    #[must_use]
    pub fn with_background(&self, is_background: bool) -> Self {
        let mut block = self.clone();
        if let Self::Task { background, .. } = &mut block {
            *background = is_background;
        }
        block
    }

    /// Returns the call of the task that cleans up after the task of a Task block, as typed, if there
    /// is one.
    pub fn on_abort(&self) -> Option<&str> {
        match self {
            Self::Task { on_abort, .. } => Some(on_abort.trim()).filter(|call| !call.is_empty()),
            _ => None,
        }
    }

    /// Returns a Task block with another number of repetitions; any other block unchanged.
    #[must_use]
    pub fn with_repeat(&self, times: Option<u32>) -> Self {
        let mut block = self.clone();
        if let Self::Task { repeat, .. } = &mut block {
            *repeat = times;
        }
        block
    }

    /// Returns a Task block with another *while* formula; any other block unchanged.
    #[must_use]
    pub fn with_repeat_while(&self, formula: &str) -> Self {
        let mut block = self.clone();
        if let Self::Task { repeat_while, .. } = &mut block {
            formula.clone_into(repeat_while);
        }
        block
    }

    /// Returns a Task block with another timeout; any other block unchanged.
    #[must_use]
    pub fn with_timeout(&self, ticks: Option<u32>) -> Self {
        let mut block = self.clone();
        if let Self::Task { timeout, .. } = &mut block {
            *timeout = ticks;
        }
        block
    }

    /// Returns a Task block with another limit of retries; any other block unchanged.
    #[must_use]
    pub fn with_retry(&self, times: Option<u32>) -> Self {
        let mut block = self.clone();
        if let Self::Task { retry, .. } = &mut block {
            *retry = times;
        }
        block
    }

    /// Returns a Task block with another cleanup; any other block unchanged.
    #[must_use]
    pub fn with_on_abort(&self, call: &str) -> Self {
        let mut block = self.clone();
        if let Self::Task { on_abort, .. } = &mut block {
            call.clone_into(on_abort);
        }
        block
    }

    /// Returns a Choice between these alternatives, tried as drawn.
    pub fn choice(alternatives: Vec<Alternative>) -> Self {
        Self::Choice {
            policy: ChoicePolicy::First,
            alternatives,
            scores: BTreeMap::new(),
        }
    }

    /// Returns its outputs, in the order in which they appear on the block.
    pub fn ports(&self) -> Vec<Port> {
        match self {
            Self::Begin {} | Self::Task { .. } | Self::Bind { .. } => vec![Port::Out],
            Self::Branch { .. } => vec![Port::True, Port::False],
            Self::Choice { alternatives, .. } => alternatives
                .iter()
                .map(|a| Port::Alternative(a.id))
                .collect(),
            Self::End {} => vec![],
        }
    }

    /// Iterates over its texts of the expression language, each with its id and role.
    pub fn texts(&self) -> impl Iterator<Item = (BlockText, TextRole, &String)> {
        let texts = match self {
            Self::Task {
                call,
                repeat_while,
                on_abort,
                ..
            } => vec![
                (BlockText::Main, TextRole::TaskCall, call),
                (BlockText::While, TextRole::Formula, repeat_while),
                (BlockText::Abort, TextRole::TaskCall, on_abort),
            ],
            Self::Branch { condition } => vec![(BlockText::Main, TextRole::Formula, condition)],
            Self::Bind {
                condition,
                order_by,
                query,
                ..
            } => vec![
                (BlockText::Main, TextRole::Formula, condition),
                (BlockText::Order, TextRole::Number, order_by),
                (BlockText::Query, TextRole::Query, query),
            ],
            Self::Choice { scores, .. } => {
                let score = BlockText::Score;
                let scores = scores.iter();
                let scores = scores.map(|(port, text)| (score(*port), TextRole::Number, text));
                scores.collect()
            }
            Self::Begin {} | Self::End {} => vec![],
        };
        texts.into_iter()
    }

    /// Iterates over the same texts mutably.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = (BlockText, &mut String)> {
        let texts = match self {
            Self::Task {
                call,
                repeat_while,
                on_abort,
                ..
            } => vec![
                (BlockText::Main, call),
                (BlockText::While, repeat_while),
                (BlockText::Abort, on_abort),
            ],
            Self::Branch { condition } => vec![(BlockText::Main, condition)],
            Self::Bind {
                condition,
                order_by,
                query,
                ..
            } => vec![
                (BlockText::Main, condition),
                (BlockText::Order, order_by),
                (BlockText::Query, query),
            ],
            Self::Choice { scores, .. } => {
                let scores = scores.iter_mut();
                let scores = scores.map(|(port, text)| (BlockText::Score(*port), text));
                scores.collect()
            }
            Self::Begin {} | Self::End {} => vec![],
        };
        texts.into_iter()
    }

    /// Returns one of its texts.
    pub fn text(&self, which: BlockText) -> Option<&String> {
        let mut texts = self.texts();
        texts.find_map(|(own, _, text)| (own == which).then_some(text))
    }

    /// Returns the same text mutably.
    pub fn text_mut(&mut self, which: BlockText) -> Option<&mut String> {
        let mut texts = self.texts_mut();
        texts.find_map(|(own, text)| (own == which).then_some(text))
    }

    /// Returns the call of a Task block, as typed.
    pub fn call(&self) -> Option<&String> {
        match self {
            Self::Task { call, .. } => Some(call),
            _ => None,
        }
    }

    /// Returns the variable that a Bind block binds for the blocks after it.
    pub fn binds(&self) -> Option<&Param> {
        match self {
            Self::Bind { variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// Returns the same variable mutably.
    pub fn binds_mut(&mut self) -> Option<&mut Param> {
        match self {
            Self::Bind { variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// Returns its role in a resolution.
    pub fn kind(&self) -> BlockKind {
        match self {
            Self::Begin {} => BlockKind::Begin,
            Self::Task { .. } => BlockKind::Task,
            Self::Branch { .. } => BlockKind::Branch,
            Self::Choice { alternatives, .. } => BlockKind::Choice(alternatives.len() as u32),
            Self::Bind { .. } => BlockKind::Bind,
            Self::End {} => BlockKind::End,
        }
    }

    /// Returns `true` if wires may enter it: every block except Begin.
    pub fn has_input(&self) -> bool {
        !self.kind().starts()
    }
}
