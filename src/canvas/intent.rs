//! The designer's intents on a canvas.

use std::collections::BTreeSet;

use super::arrange::Arrangement;
use super::geometry::Vec2;
use super::scene::{Direction, End, Node, Selected, Wire};

/// An action on a canvas, requested by a gesture, a key or a menu. Positions are in pixels of
/// the canvas, displacements in graph units, unless stated otherwise. `None` stands for the
/// selection.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Move the camera by this many pixels.
    Pan(Vec2),
    /// Fit everything into the view.
    Fit,
    /// Fit the selection into the view.
    FitSelection,
    /// Multiply the zoom.
    Zoom(f64),
    /// Zoom to 100 %.
    ActualSize,
    /// Show or hide the minimap.
    Minimap,

    /// Select only this.
    Select(Selected),
    /// Select all nodes.
    SelectAll,
    /// Add everything downstream of the selection to it.
    SelectAfter,
    /// Go to the node in this direction.
    Go(Direction),
    /// Go to the next node in reading order, or to the previous one if `true`.
    Step(bool),
    /// Go to the next port of the node, or to the previous one if `true`.
    Port(bool),
    /// Go to the next wire of the node or the port, or to the previous one if `true`.
    Wire(bool),
    /// Cancel the gesture, otherwise clear the selection, otherwise leave.
    Escape,
    /// Scroll the selection into view and focus it.
    Reveal,
    /// Take the focus.
    Focus,

    /// An arrow key: moves the selection, farther with Shift; without a selection, goes to a node.
    Arrow(Direction, bool),
    /// Move the selection by this displacement, as part of a series.
    Nudge(Vec2),
    /// Move dragged nodes.
    Move {
        /// The nodes.
        nodes: BTreeSet<Node>,
        /// The displacement.
        by: Vec2,
        /// The wire that a single node was dropped on.
        onto: Option<Wire>,
    },
    /// Move a frame's corner by this displacement.
    Resize(Node, Vec2),
    /// Draw a wire.
    Connect {
        /// The output.
        from: End,
        /// The input.
        to: End,
        /// The wire whose end was dragged there.
        instead_of: Option<Wire>,
    },
    /// Remove a wire, whose end was dragged to an empty place.
    Disconnect(Wire),
    /// Remove all wires of a port.
    Break(End),
    /// Remove these wires, which were cut.
    Cut(Vec<Wire>),
    /// Add a bend point to a wire at this position, in graph units.
    Bend(Option<(Wire, Vec2)>),
    /// Put a frame around the selection; without one, add a note.
    Frame,
    /// Edit a node's name or text.
    Rename(Option<Node>),
    /// Delete the selection.
    Delete,
    /// Explain why the selected block's task is in the plan.
    Why,
    /// Mute or unmute blocks.
    Mute,
    /// Collapse nodes to their titles, or expand them.
    Collapse,
    /// Fold the column of the selected card to its heading.
    FoldColumn,
    /// Unfold all columns.
    UnfoldColumns,
    /// Extract a compound task from blocks.
    Extract,
    /// Replace a call by the called task's method.
    Inline,
    /// Align the selected nodes, or distribute them.
    Arrange(Arrangement),
    /// Lay out the diagram.
    Tidy,
    /// Lay out the blocks that were never placed.
    Place,

    /// Search for something to add where there is room.
    Add,
    /// Search for something to add at this position.
    Menu(Vec2),
    /// Open the menu of what was right-clicked, at this position; of the canvas if it is empty.
    Commands(Selected, Vec2),
    /// Open the menu of the selection, next to it.
    CommandsOfSelection,
    /// Search for the other end of a wire that was drawn from a port to an empty place.
    Search {
        /// The port.
        from: End,
        /// The position where it was released.
        at: Vec2,
    },
    /// Search for something to insert on a wire, at this position.
    Insert(Wire, Vec2),
    /// Search for something to connect to a node, or to a port of it.
    Connections(Option<(Node, Option<End>)>),
    /// Open a node.
    Open(Option<Node>),
    /// Return to where the diagram was entered from.
    Leave,
}
