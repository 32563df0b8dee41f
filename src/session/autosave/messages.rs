//! What the machine hears, and what it has done about it.

use crate::session::library::{Entry, Keep};

/// Whether the document is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    /// Nothing has been changed yet.
    No,
    /// There are commits that are not written yet.
    Writing,
    /// Every commit is written.
    Yes,
    /// It cannot be written, and this is why.
    Failed(String),
}

/// Whether this tab may write the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// It is about to be told.
    Asking,
    /// It may.
    Here,
    /// Another tab has the document.
    Elsewhere,
    /// It may: another tab has the original, and this is a copy.
    Copy,
}

/// What the world is like when something happens.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The time, in milliseconds since 1970.
    pub time: f64,
    /// The title of the document as it is now.
    pub title: String,
    /// An id that no document has.
    pub unused_id: String,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// An edit, an undo or a redo changed the document.
    Edited,
    /// The document is that of a new entry, to be kept as it is.
    Opened,
    /// The time is over that [`Command::Wait`] asked for.
    Due,
    /// What is unsaved is to be written now.
    Flush,
    /// A write has ended: whether it was done, or refused since another has written.
    Written {
        /// The document that was written.
        id: String,
        /// How many commits it held.
        commits: u64,
        /// Whether it was done; why it could not be.
        result: Result<bool, String>,
    },
    /// What was left without a write, or written on closing, is not kept.
    Lost(String),
    /// The lock of a document was granted; otherwise refused, or taken away.
    Locked {
        /// The document.
        id: String,
        /// Whether this tab has it.
        granted: bool,
    },
    /// Another tab wants the document with this id.
    Wanted(String),
    /// The document was taken over from another tab, as it is there.
    TakenOver {
        /// Its row.
        entry: Entry,
        /// Whether its lock was granted.
        granted: bool,
    },
    /// The page may be gone the next moment.
    Left,
    /// The open document is to go on as a document of its own.
    Copy,
    /// The designer knows that this is a copy.
    CopyKnown,
    /// Another document is about to be opened.
    Switch {
        /// Its row.
        next: Entry,
        /// Why the open one gets a restore point.
        why: String,
        /// Whether the open one is as the editor gave it.
        is_example: bool,
    },
}

/// What is to be done, in this order.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Tell when commits have been gathered for a while.
    Wait,
    /// Write the open document.
    Write {
        /// Its row.
        entry: Entry,
        /// How many commits it holds, to be told again.
        commits: u64,
        /// The restore point to keep.
        keep: Keep,
    },
    /// Keep the open document's text where that needs no time, under this id.
    Leave(String),
    /// What was left under this id is written.
    ForgetLeft(String),
    /// Remember this document as the tab's, and ask for its lock as often as this.
    Acquire(String, u32),
    /// Let the open document's lock go.
    Release,
    /// Keep the open document for the last time, then let its lock go.
    Close(Entry, Keep),
    /// Take the document with this id out of the list, then let its lock go.
    Discard(String),
}
