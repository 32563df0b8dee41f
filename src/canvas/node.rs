//! The identities of nodes, ports and wires: one type of each for both diagrams.

use std::collections::BTreeSet;

use taskloom_document::sort::set_of;
use taskloom_document::{BlockId, Port, RecordRef};
use taskloom_domain::dependencies::Role;

use super::geometry::Rect;

/// The height of a frame's title, in graph units.
pub const TITLE: f64 = 30.0;

/// A node on a canvas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// A frame, behind all others.
    Frame(BlockId),
    /// A block of a method.
    Block(BlockId),
    /// A card of the Board.
    Card(RecordRef),
    /// A bend point of a method's wire, by its index along the wire. It lies above all others.
    Bend(taskloom_document::Wire, usize),
}

impl Node {
    /// Returns the block, on a method's canvas.
    pub fn block(&self) -> Option<&BlockId> {
        match self {
            Self::Block(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the record, on the Board.
    pub fn card(&self) -> Option<&RecordRef> {
        match self {
            Self::Card(record) => Some(record),
            _ => None,
        }
    }

    /// Returns the frame.
    pub fn frame(&self) -> Option<&BlockId> {
        match self {
            Self::Frame(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the wire, and the index of the bend point on it.
    pub fn bend(&self) -> Option<(taskloom_document::Wire, usize)> {
        match self {
            Self::Bend(wire, number) => Some((wire.clone(), *number)),
            _ => None,
        }
    }

    /// Returns a text that identifies it on its canvas.
    pub fn name(&self) -> String {
        match self {
            Self::Frame(id) | Self::Block(id) => id.to_string(),
            Self::Card(record) => record.to_string(),
            Self::Bend(wire, number) => format!("{wire} {number}"),
        }
    }

    /// Returns `true` if it is a block or a card.
    pub fn is_solid(&self) -> bool {
        matches!(self, Self::Block(_) | Self::Card(_))
    }

    /// Returns the part that the pointer can grab: of a frame, only its title.
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
    /// A need of a card's record, on the left.
    Need(Role),
    /// The facts that a card's record changes, on the left.
    Changes,
    /// The record itself, for records that need it.
    Offer,
}

impl Slot {
    /// Returns the value of a port element's `data-port`.
    pub fn key(self) -> String {
        match self {
            Self::In => "in".into(),
            Self::Out(port) => port.to_string(),
            Self::Need(role) => role.label().into(),
            Self::Changes => "effects".into(),
            Self::Offer => "offer".into(),
        }
    }

    /// Returns its side of the node.
    pub fn side(self) -> Side {
        match self {
            Self::In | Self::Need(_) | Self::Changes => Side::Input,
            Self::Out(_) | Self::Offer => Side::Output,
        }
    }
}

/// The side of the node that a port is on.
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

/// A wire, identified by its two ends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wire {
    /// The output it leaves.
    pub from: End,
    /// The input it enters.
    pub to: End,
}

impl Wire {
    /// Returns `true` if it starts or ends at a node.
    pub fn touches(&self, node: &Node) -> bool {
        self.from.node == *node || self.to.node == *node
    }

    /// Returns a text that identifies it on its canvas.
    pub fn name(&self) -> String {
        let [from, to] = [&self.from, &self.to].map(|end| end.node.name() + " " + &end.port.key());
        format!("{from} {to}")
    }

    /// Returns `true` if it starts or ends at a port.
    pub fn ends_at(&self, end: &End) -> bool {
        self.from == *end || self.to == *end
    }
}

/// Returns the blocks among nodes.
pub fn blocks<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> BTreeSet<BlockId> {
    set_of(nodes.into_iter().filter_map(Node::block).cloned())
}

/// Returns the frames among nodes.
pub fn frames<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> BTreeSet<BlockId> {
    set_of(nodes.into_iter().filter_map(Node::frame).cloned())
}

/// Returns the records of the cards among nodes.
pub fn cards<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> BTreeSet<RecordRef> {
    set_of(nodes.into_iter().filter_map(Node::card).cloned())
}

/// Returns the flowchart's wire that a method's canvas shows as this one.
pub fn wire_of(drawn: &Wire) -> Option<taskloom_document::Wire> {
    match (drawn.from.port, drawn.to.port) {
        (Slot::Out(port), Slot::In) => Some(taskloom_document::Wire {
            from: drawn.from.node.block()?.clone(),
            port,
            to: drawn.to.node.block()?.clone(),
        }),
        _ => None,
    }
}
