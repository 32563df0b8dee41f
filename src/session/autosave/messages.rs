//! What the machine hears, and what it has done about it.

use crate::session::library::{Basis, Entry, Keep, Origin};

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
    /// The time is over that [`Command::Retry`] asked for.
    Retry,
    /// A write of this row takes suspiciously long.
    Slow(Entry),
    /// A restore point with this label is to be kept of the document as it is.
    Keep(String),
    /// A write has ended: whether it was done, or refused since another has written.
    Written {
        /// The row that was written.
        entry: Entry,
        /// How many commits it held.
        commits: u64,
        /// Whether it was done; why it could not be.
        result: Result<bool, String>,
    },
    /// What was left without a write is not kept.
    Lost(String),
    /// Why documents that were open before could not be written; `None` once all are.
    Owed(Option<String>),
    /// The lock of a document was granted; otherwise refused, or taken away.
    Locked {
        /// The document.
        id: String,
        /// Whether this tab has it.
        granted: bool,
    },
    /// Another tab wants the document with this id.
    Wanted(String),
    /// The document is about to be taken over from another tab.
    TakeOver,
    /// It could not be taken over.
    NotTakenOver,
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
        /// Where it comes from.
        next: Origin,
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
    /// Tell when this many milliseconds are over: a write failed.
    Retry(u32),
    /// Ask the browser not to delete what it keeps.
    Persist,
    /// Write the open document.
    Write {
        /// Its row.
        entry: Entry,
        /// What it is based on.
        basis: Basis,
        /// How many commits it holds, to be told again.
        commits: u64,
        /// The restore point to keep.
        keep: Keep,
    },
    /// Keep the open document's text where that needs no time, under this id.
    Leave(String, Basis),
    /// Keep the open document's text as a document of its own.
    KeepCopy(Entry),
    /// What was left under this id is written.
    ForgetLeft(String),
    /// Remember this document as the tab's, and ask for its lock as often as this.
    Acquire(String, u32),
    /// Let the open document's lock go.
    Release,
    /// Keep the open document for the last time, then let its lock go.
    Close(Entry, Basis, Keep),
    /// Take this document out of the list if nobody has written it since, then let its lock go.
    Discard(Entry),
}
