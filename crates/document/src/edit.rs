//! The changes that a document can undergo.

use super::Info;
use super::block::Block;
use super::drawing::Frame;
use super::flowchart::{BlockId, Wire};
use super::layout::Point;
use super::name::Name;
use super::record::{Field, Record, RecordRef};
use crate::diagnostic::Span;

/// A change of a document. Only an edit changes a document; each keeps the
/// document's own invariants or fails as a whole and changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// The document's title and note.
    SetInfo(Info),
    /// A new record. Fails where the name is taken in its namespace (facts with
    /// conditions, primitive with compound tasks, every other kind by itself).
    Add(Name, Record),
    /// Another value for a record that exists.
    Replace(Name, Record),
    /// Takes a record away. What refers to it stays and gets diagnostics.
    Remove(RecordRef),
    /// Takes a record away, and with it what cannot stand without it: blocks
    /// that call it (their wires close where they had one in and one out),
    /// clauses and effects that name it, initial values, list entries. What was
    /// of a removed type is of its parent.
    RemoveWithUses(RecordRef),
    /// Another name, in the record and in every use of it. Fails where the name
    /// is taken, or where a text would then mean something else.
    Rename(RecordRef, Name),
    /// Another name for a variable of a record: its parameter or the variable of
    /// its Bind blocks, and every use that no quantifier hides. Fails where the
    /// record has a variable of that name, or a quantifier would catch a use.
    RenameVariable(RecordRef, Name, Name),
    /// One text of a record. An index just past the end of a list appends.
    SetText(RecordRef, Field, String),
    /// Another text for a part of one text of a record.
    ReplaceText(RecordRef, Field, Span, String),
    /// Another name where a record refers to something by its name alone: a
    /// type, an agent, goal, task or fact in a list, the superior.
    SetName(RecordRef, Field, Name),
    /// Takes one text out of a list (precondition, effect, initial value, ...).
    RemoveText(RecordRef, Field),
    /// A new block of a compound task's method, at a place.
    AddBlock {
        /// The compound task.
        task: Name,
        /// An id that the flowchart does not have.
        id: BlockId,
        /// The block.
        block: Block,
        /// Where it stands.
        at: Point,
    },
    /// Another value for a block. Wires of outputs that it no longer has go.
    SetBlock(Name, BlockId, Block),
    /// Takes blocks away; a wire closes over one that had one in and one out.
    RemoveBlocks(Name, Vec<BlockId>),
    /// Draws a wire. Fails where an end does not exist, where it already is, or
    /// where it would close a cycle.
    Connect(Name, Wire),
    /// Takes a wire away.
    Disconnect(Name, Wire),
    /// Moves blocks to where they stand now.
    MoveBlocks(Name, Vec<(BlockId, Point)>),
    /// Moves cards of the Board; `None` puts one back into its column.
    MoveCards(Vec<(RecordRef, Option<Point>)>),
    /// Mutes blocks, or lets them count again. Begin and End cannot be muted.
    Mute(Name, Vec<BlockId>, bool),
    /// Lets blocks show their title alone, or all of them again.
    Collapse(Name, Vec<BlockId>, bool),
    /// Lets cards of the Board show their title alone, or all of them again.
    CollapseCards(Vec<RecordRef>, bool),
    /// Puts a frame on a method, or on the Board where no task is named; in
    /// place of the one with this id. Without a frame, takes that one away.
    SetFrame(Option<Name>, BlockId, Option<Frame>),
    /// The points that a wire goes by, in its direction.
    Bend(Name, Wire, Vec<Point>),
    /// Lets this fact say on the map where things are; none: the first that does.
    ChooseMap(Option<Name>),
    /// Moves places of the map; `None` puts one back to where it stands by itself.
    MovePlaces(Vec<(Name, Option<Point>)>),
    /// Several changes that are one: all, or none.
    Batch(Vec<Edit>),
}

/// Why an edit was refused. The document is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditError {
    /// One sentence for the designer.
    pub message: String,
}

impl EditError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for EditError {}
