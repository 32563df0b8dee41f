//! The result of a gesture: a single command.

use std::collections::BTreeSet;

use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{End, Node, Selected, Wire};

/// A command of a gesture.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Move the camera by this many pixels.
    Pan(Vec2),
    /// Select only this.
    Select(Selected),
    /// Nodes were dragged.
    Move {
        /// The nodes.
        nodes: BTreeSet<Node>,
        /// The displacement, in graph units.
        by: Vec2,
        /// The wire that a single node was dropped on.
        onto: Option<Wire>,
    },
    /// A frame's corner was dragged by this displacement, in graph units.
    Resize(Node, Vec2),
    /// A wire was drawn.
    Connect {
        /// The output.
        from: End,
        /// The input.
        to: End,
        /// The wire whose end was dragged there.
        instead_of: Option<Wire>,
    },
    /// A wire was drawn from a port to an empty place.
    Search {
        /// The port.
        from: End,
        /// The position where it was released, in pixels of the canvas.
        at: Vec2,
    },
    /// A wire's end was dragged to an empty place.
    Disconnect(Wire),
    /// Remove all wires of a port.
    Break(End),
    /// These wires were cut.
    Cut(Vec<Wire>),
    /// The context menu was requested at this position, in pixels of the canvas.
    Menu(Vec2),
    /// A node's commands were requested at this position, in pixels of the canvas.
    Commands(Node, Vec2),
    /// Add something where there is room.
    Add,
    /// Put a frame around this rectangle; `None` adds a note.
    Frame(Option<Rect>),
    /// Add a bend point to a wire at this position, in graph units.
    Bend(Wire, Vec2),
    /// Insert something on this wire; requested at this position, in pixels of the canvas.
    Insert(Wire, Vec2),
    /// The possible connections of this node, or of this port of it, were requested.
    Connections(Node, Option<End>),
    /// Open a node.
    Open(Node),
    /// Rename a node.
    Rename(Node),
    /// Delete the selection.
    Delete(Selected),
    /// The arrow keys moved nodes by this displacement, in graph units.
    Nudge(BTreeSet<Node>, Vec2),
    /// Escape was pressed with no gesture in progress and nothing selected.
    Leave,
}
