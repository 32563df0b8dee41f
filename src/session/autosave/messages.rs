//! The inputs of the state machine, and its commands.

use crate::session::library::{Basis, Entry, Keep, Origin};

/// The save state of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    /// Nothing has been changed yet.
    No,
    /// Some commits aren't written yet.
    Writing,
    /// Every commit is written.
    Yes,
    /// The document can't be written, for this reason.
    Failed(String),
}

/// This tab's ownership of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The request is pending.
    Asking,
    /// This tab owns the document and may write it.
    Here,
    /// Another tab owns the document.
    Elsewhere,
    /// This tab may write: it has a copy, while another tab owns the original.
    Copy,
}

/// The circumstances of an input.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The time, in milliseconds since 1970.
    pub time: f64,
    /// The document's current title.
    pub title: String,
    /// An id that no document uses.
    pub unused_id: String,
    /// The id of the page.
    pub page_id: String,
}

/// An input of the state machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// An edit, an undo or a redo changed the document.
    Edited,
    /// A document was opened under a new entry, to be stored as it is.
    Opened,
    /// The image below the map isn't stored as it is shown. The input that requests a write follows.
    ImageUnsaved,
    /// The document was read from or written to a file, which is to be stored with it.
    FileSet,
    /// The delay requested by [`Command::Wait`] is over.
    Due,
    /// Unsaved changes must be written now.
    Flush,
    /// The delay requested by [`Command::Retry`] is over.
    Retry,
    /// The write of this row takes suspiciously long.
    Slow(Entry),
    /// A restore point with this label must be created of the current document.
    Keep(String),
    /// A write has ended.
    Written {
        /// The row that was written.
        entry: Entry,
        /// The number of commits it contained.
        commits: u64,
        /// `true` if the document was written, `false` if it was refused because somebody else has
        /// written it, or the reason why it failed.
        result: Result<bool, String>,
        /// `true` if the image should have been written, too, but couldn't be.
        is_image_missing: bool,
    },
    /// The text couldn't be put into local storage.
    Lost(String),
    /// Previously open documents couldn't be written, for this reason; `None` once all are written.
    Pending(Option<String>),
    /// A document's lock was granted, refused or lost.
    Locked {
        /// The document.
        id: String,
        /// `true` if this tab has it.
        granted: bool,
    },
    /// Another tab requests the document with this id.
    Wanted(String),
    /// The document is about to be taken over from another tab.
    TakeOver,
    /// The document couldn't be taken over.
    NotTakenOver,
    /// The document was taken over from another tab, in its state there.
    TakenOver {
        /// Its row.
        entry: Entry,
        /// `true` if its lock was granted.
        granted: bool,
    },
    /// The page is being left and may end at any moment.
    Left,
    /// The open document continues as a separate copy.
    Copy,
    /// The user has acknowledged that this is a copy.
    CopyKnown,
    /// Another document is about to be opened.
    Switch {
        /// The origin of the new document.
        next: Origin,
        /// The label of the open document's restore point.
        why: String,
        /// `true` if the open document is an unchanged example.
        is_example: bool,
    },
}

/// A command of the state machine; commands are executed in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Send [`Input::Due`] when commits have been gathered for a while.
    Wait,
    /// Send [`Input::Retry`] after this many milliseconds: a write failed.
    Retry(u32),
    /// Ask the browser for persistent storage.
    Persist,
    /// Write the open document.
    Write {
        /// Its row.
        entry: Entry,
        /// The writes that it is based on.
        basis: Basis,
        /// The number of commits it contains, to be returned in [`Input::Written`].
        commits: u64,
        /// The restore point to create.
        keep: Keep,
        /// `true` if the image below the map is to be written, too.
        has_image: bool,
    },
    /// Put the open document's text into local storage under this id.
    Leave(String, Basis),
    /// Store the open document as a separate document, with its image.
    KeepCopy(Entry),
    /// Remove the text under this id from local storage: it is written.
    ForgetLeft(String),
    /// Remember this document as the tab's, and request its lock up to this many times.
    Acquire(String, u32),
    /// Release the open document's lock.
    Release,
    /// Store the open document for the last time, then release its lock.
    Close {
        /// Its row.
        entry: Entry,
        /// The writes that it is based on.
        basis: Basis,
        /// The restore point to create.
        keep: Keep,
        /// `true` if the image below the map is to be written, too.
        has_image: bool,
    },
    /// Remove this document from the list unless somebody has written it since, then release its
    /// lock.
    Discard(Entry),
}
