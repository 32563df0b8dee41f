//! The edits of a document.

use super::Info;
use super::block::Block;
use super::drawing::Frame;
use super::name::Name;
use super::point::Point;
use super::record::{Field, Record, RecordRef};
use super::span::Span;
use super::stage::Axes;
use super::wire::{BlockId, Wire};

/// A change of a document. Only edits change a document; each preserves the document's own
/// invariants, or fails as a whole and changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Sets the document's title and note.
    SetInfo(Info),
    /// Adds a record. Fails if the name is taken in its namespace (facts share one with conditions,
    /// primitive with compound tasks; every other kind has its own).
    Add(Name, Record),
    /// Replaces the value of an existing record.
    Replace(Name, Record),
    /// Removes a record. References to it stay and get diagnostics.
    Remove(RecordRef),
    /// Removes a record together with everything that cannot exist without it: blocks that call it
    /// (a block with one wire in and one out is replaced by a single wire), clauses and effects
    /// that name it, initial values, list entries. Objects and other uses of a removed type get its
    /// parent type.
    RemoveWithUses(RecordRef),
    /// Renames a record and every use of it. Fails if the name is taken, or if it would change the
    /// meaning of a text.
    Rename(RecordRef, Name),
    /// Renames a variable of a record (its parameter or the variable of its Bind blocks) and every
    /// use that no quantifier shadows. Fails if the record already has a variable of that name, or
    /// if a quantifier would capture a use.
    RenameVariable(RecordRef, Name, Name),
    /// Sets one text of a record. An index just past the end of a list appends.
    SetText(RecordRef, Field, String),
    /// Inserts a text into a list of a record, before the entry of this field. An index just past
    /// the end appends.
    InsertText(RecordRef, Field, String),
    /// Replaces a part of one text of a record.
    ReplaceText(RecordRef, Field, Span, String),
    /// Sets a name by which a record refers to something: a type, an agent, a goal, task or fact in
    /// a list, an actor's object.
    SetName(RecordRef, Field, Name),
    /// Removes one text from a list (precondition, effect, initial value, ...).
    RemoveText(RecordRef, Field),
    /// Adds a block to a compound task's method.
    AddBlock {
        /// The compound task.
        task: Name,
        /// An id that the flowchart does not have.
        id: BlockId,
        /// The block.
        block: Block,
        /// Its position.
        at: Point,
    },
    /// Replaces a block. Wires of outputs that no longer exist are removed.
    SetBlock(Name, BlockId, Block),
    /// Removes blocks; each with one wire in and one out is replaced by a single wire.
    RemoveBlocks(Name, Vec<BlockId>),
    /// Adds a wire. Fails if an end does not exist, if the wire already exists, or if it would
    /// close a cycle.
    Connect(Name, Wire),
    /// Removes a wire.
    Disconnect(Name, Wire),
    /// Moves blocks to new positions.
    MoveBlocks(Name, Vec<(BlockId, Point)>),
    /// Moves cards of the Board; `None` returns a card to its column.
    MoveCards(Vec<(RecordRef, Option<Point>)>),
    /// Mutes or unmutes blocks. Begin and End cannot be muted.
    Mute(Name, Vec<BlockId>, bool),
    /// Collapses blocks to their title, or expands them.
    Collapse(Name, Vec<BlockId>, bool),
    /// Collapses cards of the Board to their title, or expands them.
    CollapseCards(Vec<RecordRef>, bool),
    /// Sets the frame with this id on a method, or on the Board if no task is given. Without a
    /// frame, removes it.
    SetFrame(Option<Name>, BlockId, Option<Frame>),
    /// Sets the points that a wire passes through, in its direction.
    Bend(Name, Wire, Vec<Point>),
    /// Selects the fact that gives the positions on the map; none: the first suitable fact.
    ChooseMap(Option<Name>),
    /// Selects the facts that give the coordinates of places; none: the facts `x` and `y`.
    ChooseAxes(Option<Axes>),
    /// Moves places of the map; `None` returns a place to its automatic position.
    MovePlaces(Vec<(Name, Option<Point>)>),
    /// Applies several changes as one: all of them or none.
    Batch(Vec<Edit>),
}

impl Edit {
    /// Returns the edits of a batch, and of the batches in it, in order.
    pub(super) fn single_edits(&self) -> Vec<&Self> {
        let (mut single, mut pending) = (vec![], vec![self]);
        while let Some(edit) = pending.pop() {
            match edit {
                Self::Batch(edits) => pending.extend(edits.iter().rev()),
                edit => single.push(edit),
            }
        }
        single
    }

    /// Returns `true` if this edit and the next one are applied in one pass: both change wires of
    /// the same method in the same way, or both remove a record with its uses.
    pub(super) fn continues_with(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Connect(task, _), Self::Connect(other, _))
            | (Self::Disconnect(task, _), Self::Disconnect(other, _))
            | (Self::Bend(task, ..), Self::Bend(other, ..)) => task == other,
            (Self::RemoveWithUses(_), Self::RemoveWithUses(_)) => true,
            _ => false,
        }
    }
}
