//! By what a canvas tells nodes, ports and wires apart: one type of each for both diagrams.

use std::collections::BTreeSet;

use taskloom::document::{self, BlockId, Port, RecordRef};
use taskloom::domain::needs::Role;

use super::geometry::Rect;

/// Height of a frame's title, in graph units.
pub const TITLE: f64 = 30.0;

/// What stands on a canvas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// A frame, behind all others.
    Frame(BlockId),
    /// A block of a method.
    Block(BlockId),
    /// A card of the Board.
    Card(RecordRef),
    /// A point that a wire of a method goes by, by its number along the wire. It lies over all others.
    Bend(document::Wire, usize),
}

impl Node {
    /// The block, on a method's canvas.
    pub fn block(&self) -> Option<&BlockId> {
        match self {
            Self::Block(id) => Some(id),
            _ => None,
        }
    }

    /// The record, on the Board.
    pub fn card(&self) -> Option<&RecordRef> {
        match self {
            Self::Card(record) => Some(record),
            _ => None,
        }
    }

    /// The frame.
    pub fn frame(&self) -> Option<&BlockId> {
        match self {
            Self::Frame(id) => Some(id),
            _ => None,
        }
    }

    /// The wire and which of its points it is.
    pub fn bend(&self) -> Option<(document::Wire, usize)> {
        match self {
            Self::Bend(wire, number) => Some((wire.clone(), *number)),
            _ => None,
        }
    }

    /// What tells it from the others of its canvas, as a text.
    pub fn name(&self) -> String {
        match self {
            Self::Frame(id) | Self::Block(id) => id.to_string(),
            Self::Card(record) => record.to_string(),
            Self::Bend(wire, number) => format!("{wire} {number}"),
        }
    }

    /// Whether it is a block or a card.
    pub fn is_solid(&self) -> bool {
        matches!(self, Self::Block(_) | Self::Card(_))
    }

    /// Where the pointer gets hold of it: a frame by its title alone.
    pub fn body(&self, rect: Rect) -> Rect {
        match self {
            Self::Frame(_) => Rect { h: TITLE, ..rect },
            _ => rect,
        }
    }
}

/// A port among those of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The input of a block.
    In,
    /// An output of a block.
    Out(Port),
    /// What the record of a card needs, on the left.
    Need(Role),
    /// The record itself, for those that need it.
    Offer,
}

impl Slot {
    /// The value of a port element's `data-port`.
    pub fn key(self) -> String {
        match self {
            Self::In => "in".into(),
            Self::Out(port) => port.to_string(),
            Self::Need(role) => role.label().into(),
            Self::Offer => "offer".into(),
        }
    }

    /// On which side of its node it is.
    pub fn side(self) -> Side {
        match self {
            Self::In | Self::Need(_) => Side::Input,
            Self::Out(_) | Self::Offer => Side::Output,
        }
    }
}

/// On which side of its node a port is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Left: wires enter.
    Input,
    /// Right: wires leave.
    Output,
}

/// A port of a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The node.
    pub node: Node,
    /// Its port.
    pub port: Slot,
}

/// A wire, which its two ends tell from all others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wire {
    /// The output it leaves.
    pub from: End,
    /// The input it enters.
    pub to: End,
}

impl Wire {
    /// Whether it leads from or to a node.
    pub fn touches(&self, node: &Node) -> bool {
        self.from.node == *node || self.to.node == *node
    }

    /// What tells it from the others of its canvas, as a text.
    pub fn name(&self) -> String {
        let [from, to] = [&self.from, &self.to].map(|end| end.node.name() + " " + &end.port.key());
        format!("{from} {to}")
    }

    /// Whether it leads from or to a port.
    pub fn ends_at(&self, end: &End) -> bool {
        self.from == *end || self.to == *end
    }
}

/// The blocks among nodes.
pub fn blocks<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> BTreeSet<BlockId> {
    BTreeSet::from_iter(nodes.into_iter().filter_map(Node::block).cloned())
}

/// The frames among nodes.
pub fn frames<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> BTreeSet<BlockId> {
    BTreeSet::from_iter(nodes.into_iter().filter_map(Node::frame).cloned())
}

/// The records of the cards among nodes.
pub fn cards<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> BTreeSet<RecordRef> {
    BTreeSet::from_iter(nodes.into_iter().filter_map(Node::card).cloned())
}

/// The wire of a flowchart that a method's canvas shows as this one.
pub fn wire_of(drawn: &Wire) -> Option<document::Wire> {
    match (drawn.from.port, drawn.to.port) {
        (Slot::Out(port), Slot::In) => Some(document::Wire {
            from: drawn.from.node.block()?.clone(),
            port,
            to: drawn.to.node.block()?.clone(),
        }),
        _ => None,
    }
}
