//! What a gesture comes to: the one thing to do.

use std::collections::BTreeSet;

use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{End, Node, Selected, Wire};

/// What a gesture asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Move the camera by so many pixels.
    Pan(Vec2),
    /// Select this and nothing else.
    Select(Selected),
    /// Nodes were dragged.
    Move {
        /// Which.
        nodes: BTreeSet<Node>,
        /// How far, in graph units.
        by: Vec2,
        /// The wire that the one node was dropped on.
        onto: Option<Wire>,
    },
    /// The corner of a frame was dragged so far, in graph units.
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
    /// A wire was drawn from a port to nowhere.
    Search {
        /// The port.
        from: End,
        /// Where it was let go, in pixels of the canvas.
        at: Vec2,
    },
    /// A wire's end was dragged to nowhere.
    Disconnect(Wire),
    /// All wires of a port are to go.
    Break(End),
    /// These wires were cut.
    Cut(Vec<Wire>),
    /// The menu was asked for, here in pixels of the canvas.
    Menu(Vec2),
    /// What can be done with a node is asked for, here in pixels of the canvas.
    Commands(Node, Vec2),
    /// Something is to be added where there is room.
    Add,
    /// A frame is to be put around this, or where there is nothing, to hold a note.
    Frame(Option<Rect>),
    /// A wire is to go by this place, in graph units.
    Bend(Wire, Vec2),
    /// Something is to be put on this wire, asked for here in pixels of the canvas.
    Insert(Wire, Vec2),
    /// What can be connected to this node, or to this port of it, is asked for.
    Connections(Node, Option<End>),
    /// A node is to be opened.
    Open(Node),
    /// A node is to be renamed.
    Rename(Node),
    /// What is selected is to go.
    Delete(Selected),
    /// The arrow keys moved nodes by this much, in graph units.
    Nudge(BTreeSet<Node>, Vec2),
    /// Escape, with nothing under way and nothing selected.
    Leave,
}
