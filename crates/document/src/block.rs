//! A block of a flowchart: what it says, and what it is to a resolution.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::flowchart::{BlockId, Port};
use super::record::Field;
#[cfg(test)]
use super::schema::schema_of_text;
use super::world::Param;
use crate::syntax::TextRole;

/// One block of a flowchart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    /// Where the method starts.
    Begin {},
    /// A task of the network, with arguments: `walk-to(box)`.
    Task {
        /// The call, as typed.
        call: String,
    },
    /// A condition with an output for each side. An output left unconnected
    /// makes that side inapplicable, so one with `true` alone is a guard.
    Branch {
        /// The formula, as typed.
        condition: String,
    },
    /// Alternatives, tried in order.
    Choice {
        /// In which order they are tried.
        #[serde(default)]
        policy: ChoicePolicy,
        /// The outputs, as drawn.
        alternatives: Vec<Alternative>,
        /// Numeric expressions: what the policy tells them by.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        scores: BTreeMap<Port, String>,
    },
    /// A variable of a type such that a condition holds; every binding is an
    /// alternative, tried in object order (by name) or by the ordering.
    Bind {
        /// The variable and its type.
        variable: Param,
        /// The formula, as typed; empty: every object of the type.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        condition: String,
        /// A numeric expression, least first; empty: object order.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        order_by: String,
    },
    /// The method is complete; optional where nothing follows.
    End {},
}

/// The key that tells the kind of a block.
pub(super) const TAG: &str = "kind";

/// What serde calls the one type whose variants are told by [`TAG`].
pub(super) const TAGGED: &str = "Block";

/// How a block is read. What serde derives for an enum with a tag copies the block first, and then no longer knows in
/// which field something is wrong; so it is read as an enum without, and `json::read` finds the tag.
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
    },
    End {},
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ByKind::deserialize(deserializer)
    }
}

/// Which plan an agent wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The first in the designer's order.
    #[default]
    First,
    /// One of least cost.
    Cheapest,
}

/// In which order a Choice block's alternatives are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChoicePolicy {
    /// As drawn.
    #[default]
    First,
    /// By their scores, which are costs: the lowest first.
    Cheapest,
    /// By their scores, the highest first.
    Highest,
    /// By chance, with their scores for weights.
    Random,
}

impl ChoicePolicy {
    /// Whether it asks for scores.
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
    /// Tells it from the block's other outputs; wires refer to it.
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

/// Which of a block's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockText {
    /// The call of a Task, the condition of a Branch or Bind.
    Main,
    /// What the objects of a Bind are ordered by.
    Order,
    /// The score of an output of a Choice.
    Score(Port),
}

impl BlockText {
    /// Where the text stands in a record.
    pub fn field(self, block: &BlockId) -> Field {
        match self {
            Self::Main => Field::BlockText(block.clone()),
            Self::Order => Field::BlockOrder(block.clone()),
            Self::Score(port) => Field::BlockScore(block.clone(), port),
        }
    }
}

/// What a block is to a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The start.
    Begin,
    /// A task of the network.
    Task,
    /// Two sides, by a condition.
    Branch,
    /// So many outputs.
    Choice(u32),
    /// A binding for each object that fits.
    Bind,
    /// The end.
    End,
}

impl BlockKind {
    /// What it is called: `Branch`.
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

    /// Whether a method starts there.
    pub fn starts(self) -> bool {
        match self {
            Self::Begin => true,
            Self::Task | Self::Branch | Self::Choice(_) | Self::Bind | Self::End => false,
        }
    }

    /// Whether it does nothing and leads nowhere, as if it were not there.
    pub fn ends(self) -> bool {
        match self {
            Self::End => true,
            Self::Begin | Self::Task | Self::Branch | Self::Choice(_) | Self::Bind => false,
        }
    }

    /// Whether there is something to decide: which output is taken, or which object is bound.
    pub fn decides(self) -> bool {
        match self {
            Self::Branch | Self::Choice(_) | Self::Bind => true,
            Self::Begin | Self::Task | Self::End => false,
        }
    }

    /// Whether one of its outputs is taken, and the others are not.
    pub fn chooses_output(self) -> bool {
        match self {
            Self::Branch | Self::Choice(_) => true,
            Self::Begin | Self::Task | Self::Bind | Self::End => false,
        }
    }

    /// Whether several of its options can lead on in one state.
    pub fn is_open(self) -> bool {
        match self {
            Self::Choice(_) | Self::Bind => true,
            Self::Begin | Self::Task | Self::Branch | Self::End => false,
        }
    }

    /// How many ways lead on, whatever the state: the sides, the outputs; a Bind leads on in one.
    pub fn options(self) -> u32 {
        match self {
            Self::Branch => 2,
            Self::Choice(outputs) => outputs,
            Self::Begin | Self::Task | Self::Bind | Self::End => 1,
        }
    }

    /// Whether an option without a wire cannot be taken. Of other blocks such an option is a way to do nothing more.
    pub fn needs_wire(self) -> bool {
        match self {
            Self::Branch => true,
            Self::Begin | Self::Task | Self::Choice(_) | Self::Bind | Self::End => false,
        }
    }
}

impl Block {
    /// A Choice of these, tried as drawn.
    pub fn choice(alternatives: Vec<Alternative>) -> Self {
        Self::Choice {
            policy: ChoicePolicy::First,
            alternatives,
            scores: BTreeMap::new(),
        }
    }

    /// The outputs it has, in the order in which they stand on the block.
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

    /// Its texts of the expression language: which one each is, what it is for, and the text.
    pub fn texts(&self) -> impl Iterator<Item = (BlockText, TextRole, &String)> {
        let (texts, scores) = match self {
            Self::Task { call } => (
                [Some((BlockText::Main, TextRole::TaskCall, call)), None],
                None,
            ),
            Self::Branch { condition } => (
                [Some((BlockText::Main, TextRole::Formula, condition)), None],
                None,
            ),
            Self::Bind {
                condition,
                order_by,
                ..
            } => (
                [
                    Some((BlockText::Main, TextRole::Formula, condition)),
                    Some((BlockText::Order, TextRole::Number, order_by)),
                ],
                None,
            ),
            Self::Choice { scores, .. } => ([None, None], Some(scores)),
            Self::Begin {} | Self::End {} => ([None, None], None),
        };
        let scores = scores.into_iter().flatten();
        let scores = scores.map(|(port, text)| (BlockText::Score(*port), TextRole::Number, text));
        texts.into_iter().flatten().chain(scores)
    }

    /// The same texts, to change them.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = (BlockText, &mut String)> {
        let (texts, scores) = match self {
            Self::Task { call: text } | Self::Branch { condition: text } => {
                ([Some((BlockText::Main, text)), None], None)
            }
            Self::Bind {
                condition,
                order_by,
                ..
            } => (
                [
                    Some((BlockText::Main, condition)),
                    Some((BlockText::Order, order_by)),
                ],
                None,
            ),
            Self::Choice { scores, .. } => ([None, None], Some(scores)),
            Self::Begin {} | Self::End {} => ([None, None], None),
        };
        let scores = scores.into_iter().flatten();
        let scores = scores.map(|(port, text)| (BlockText::Score(*port), text));
        texts.into_iter().flatten().chain(scores)
    }

    /// One of its texts.
    pub fn text(&self, which: BlockText) -> Option<&String> {
        let mut texts = self.texts();
        texts.find_map(|(own, _, text)| (own == which).then_some(text))
    }

    /// The same text, to change it.
    pub fn text_mut(&mut self, which: BlockText) -> Option<&mut String> {
        let mut texts = self.texts_mut();
        texts.find_map(|(own, text)| (own == which).then_some(text))
    }

    /// The call of the task that it stands for, as typed.
    pub fn call(&self) -> Option<&String> {
        match self {
            Self::Task { call } => Some(call),
            Self::Begin {}
            | Self::Branch { .. }
            | Self::Choice { .. }
            | Self::Bind { .. }
            | Self::End {} => None,
        }
    }

    /// The variable that it binds for the blocks behind it.
    pub fn binds(&self) -> Option<&Param> {
        match self {
            Self::Bind { variable, .. } => Some(variable),
            Self::Begin {}
            | Self::Task { .. }
            | Self::Branch { .. }
            | Self::Choice { .. }
            | Self::End {} => None,
        }
    }

    /// The same variable, to change it.
    pub fn binds_mut(&mut self) -> Option<&mut Param> {
        match self {
            Self::Bind { variable, .. } => Some(variable),
            Self::Begin {}
            | Self::Task { .. }
            | Self::Branch { .. }
            | Self::Choice { .. }
            | Self::End {} => None,
        }
    }

    /// What it is to a resolution.
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

    /// Whether wires may enter it: every block but Begin.
    pub fn has_input(&self) -> bool {
        !self.kind().starts()
    }
}
