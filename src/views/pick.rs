//! What was chosen in the search box of a canvas: one type for both, so that the program has the box once.

use taskloom::document::{Block, Kind, Name, RecordRef, Source, Wire};

use crate::canvas::role::Role;
use crate::commands::Command;

/// What was chosen in a canvas's search box.
#[derive(Debug, Clone, PartialEq)]
pub enum Pick {
    /// A block, for a method.
    Block(Block),
    /// A wire to a block that is there.
    Wire(Wire),
    /// A card that is there: to be shown, or to be wired at this need.
    Card(RecordRef, Option<Role>),
    /// A new record, of a task for a method together with a block that calls it; where its name is typed, that name.
    New(Kind, Source, Option<Name>),
    /// A command of the menu of what is selected.
    Run(&'static Command),
}
