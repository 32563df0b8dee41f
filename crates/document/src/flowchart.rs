//! Decomposition methods as flowcharts (semantics, section 3; the notation of Krylov & Abramov
//! 2020, section 6, completed).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::block::Block;
use super::wire::{BlockId, Wire};

/// An acyclic graph of blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flowchart {
    /// The blocks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub blocks: BTreeMap<BlockId, Arc<Block>>,
    /// The wires, in the order in which they were drawn, which is the order in which a planner
    /// tries unordered tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wires: Vec<Wire>,
    /// The blocks that are ignored: see [`Flowchart::without_muted`].
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub muted: BTreeSet<BlockId>,
}
