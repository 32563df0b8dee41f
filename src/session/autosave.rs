//! Decides when the open document is written, and as which document: a state machine of inputs and
//! commands that knows neither browser nor clock.
//!
//! At most one tab owns a document, by a lock named after it. A tab that doesn't own the document
//! it shows never overwrites it: edits made there become a copy. A writer must also have seen the
//! newest revision, whatever happened to the locks. The image below a document's map is part of
//! these writes, but only of those after it has changed, since it may be large. When the user
//! leaves a page with unsaved changes, it also writes the text synchronously to local storage, with
//! the revisions that it is based on; the next start prefers that text unless somebody else has
//! written since. A failed write is retried at growing intervals.

use super::library::{Basis, Entry, Keep, Origin};

mod messages;
#[cfg(test)]
mod tests;

pub use messages::{Command, Hold, Input, Moment, Saved};

/// The time between two automatic restore points while editing continues, in milliseconds.
const INTERVAL: f64 = 10.0 * 60.0 * 1000.0;
/// The number of times to request the lock of a document from a tab that is being left.
const RELOADED: u32 = 6;
/// The first and the longest delay before a failed write is retried, in milliseconds.
const RETRY: u32 = 1_000;
const RETRY_AT_LATEST: u32 = 30_000;
/// The reason why a document isn't saved while a write hangs.
const NO_ANSWER: &str = "the browser's storage doesn't answer";

/// The state machine.
#[derive(Debug)]
pub struct Autosave {
    entry: Entry,
    /// The previously open document.
    closed: Option<Origin>,
    saved: Saved,
    /// The reason why there is no storage, if there is none.
    storage: Result<(), String>,
    /// The reason why closed documents aren't saved.
    pending: Option<String>,
    ownership: Ownership,
    writes: Writes,
    /// `true` if the document's text is in local storage.
    left: bool,
    /// The name of the restore point that the next write creates.
    label: Option<String>,
    /// `true` if the browser was asked for persistent storage.
    persists: bool,
    /// `true` if anything was edited since the document was opened.
    edited: bool,
    /// The time of the last restore point.
    kept: f64,
}

/// This tab's ownership of the document.
#[derive(Debug)]
struct Ownership {
    hold: Hold,
    /// `true` if this tab holds the entry's lock.
    locked: bool,
    /// `true` while the document is being taken over from another tab.
    taking: bool,
    /// `true` if another tab is waiting for the document to be written.
    yielding: bool,
}

/// The writes of the document.
#[derive(Debug)]
struct Writes {
    /// The number of commits; equal to `written` when everything is saved.
    commits: u64,
    written: u64,
    /// The number of the commit with the latest change of the image below the map.
    image: u64,
    writing: bool,
    /// The revisions that a write may replace: the newest known one, and writes whose result is unknown.
    basis: Basis,
    /// The number of failed writes since the last successful one, and whether a retry is pending.
    failures: u32,
    retrying: bool,
}

impl Writes {
    /// Returns `true` if the image below the map isn't stored as it is shown.
    fn has_image(&self) -> bool {
        self.image > self.written
    }
}

impl Autosave {
    /// Creates the machine for the document with this row, and returns the first commands.
    /// `storage` is the reason why there is no storage, if there is none.
    pub fn new(entry: Entry, storage: Result<(), String>) -> (Self, Vec<Command>) {
        let acquire = Command::Acquire(entry.id.clone(), RELOADED);
        let autosave = Self {
            ownership: Ownership {
                hold: Hold::Asking,
                locked: false,
                taking: false,
                yielding: false,
            },
            writes: Writes {
                commits: 0,
                written: 0,
                image: 0,
                writing: false,
                basis: Basis::of(&entry),
                failures: 0,
                retrying: false,
            },
            entry,
            closed: None,
            saved: storage.clone().map_or_else(Saved::Failed, |()| Saved::No),
            storage,
            pending: None,
            left: false,
            label: None,
            persists: false,
            edited: false,
            kept: 0.0,
        };
        (autosave, vec![acquire])
    }

    /// Returns the row of the open document.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Returns the previously open document.
    pub fn closed(&self) -> Option<&Origin> {
        self.closed.as_ref()
    }

    /// Returns whether the open document and those open before it are saved.
    pub fn saved(&self) -> Saved {
        let pending = self.pending.clone();
        pending.map_or_else(|| self.saved.clone(), Saved::Failed)
    }

    /// Returns whether this tab may write the document.
    pub fn hold(&self) -> Hold {
        self.ownership.hold
    }

    /// Returns `true` if every commit is saved.
    pub fn is_written(&self) -> bool {
        self.writes.commits == self.writes.written
    }

    /// Returns `true` if a change would be lost if the page ended now: a text that can't be left for
    /// the next page, or an image, which is too large for that.
    pub fn loses_changes(&self) -> bool {
        let is_image_unsaved = !self.is_written() && self.writes.has_image();
        matches!(self.saved(), Saved::Failed(_)) || is_image_unsaved
    }

    /// Returns `true` if previously open documents aren't saved.
    pub fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Returns `true` if the image below the map isn't stored as it is shown.
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub fn is_image_unsaved(&self) -> bool {
        self.writes.has_image()
    }

    /// Returns `true` if a write is in progress.
    pub fn is_writing(&self) -> bool {
        self.writes.writing
    }

    /// Returns `true` if another tab owns the document and this one has not begun to take it over.
    pub fn can_take_over(&self) -> bool {
        self.ownership.hold == Hold::Elsewhere && !self.ownership.taking
    }

    fn is_under_way(&self, entry: &Entry) -> bool {
        self.writes.writing && entry.id == self.entry.id && self.writes.basis.writes(entry)
    }

    fn next_entry(&mut self, now: &Moment) -> Entry {
        self.entry.next(&now.title, now.time, &now.page_id);
        self.entry.clone()
    }

    /// Processes an input and returns the resulting commands.
    pub fn step(&mut self, input: Input, now: &Moment) -> Vec<Command> {
        let mut todo = vec![];
        if self.applies(&input) {
            self.process(input, now, &mut todo);
        }
        if self.ownership.yielding && self.is_written() {
            self.give_way(&mut todo);
        }
        todo
    }

    /// Returns `false` for an input that changes nothing: it concerns a document that was closed in
    /// the meantime, or what it requests is already the case.
    fn applies(&self, input: &Input) -> bool {
        match input {
            Input::Slow(entry) | Input::Written { entry, .. } => self.is_under_way(entry),
            Input::Locked { id, .. } => *id == self.entry.id,
            Input::Wanted(id) => *id == self.entry.id && self.ownership.locked,
            Input::TakeOver => self.can_take_over(),
            Input::NotTakenOver => self.ownership.taking,
            Input::TakenOver { entry, .. } => self.ownership.taking && entry.id == self.entry.id,
            Input::Left => !self.is_written(),
            // Another tab's document isn't written, and a file alone is no reason for a copy.
            Input::FileSet => {
                !self.is_written() || matches!(self.ownership.hold, Hold::Here | Hold::Copy)
            }
            Input::CopyKnown => self.ownership.hold == Hold::Copy,
            _ => true,
        }
    }

    fn process(&mut self, input: Input, now: &Moment, todo: &mut Vec<Command>) {
        match input {
            Input::Edited => {
                self.edited = true;
                self.gather(todo);
                if !std::mem::replace(&mut self.persists, true) {
                    todo.push(Command::Persist);
                }
            }
            Input::Opened | Input::FileSet => self.gather(todo),
            Input::ImageUnsaved => self.writes.image = self.writes.commits + 1,
            Input::Due | Input::Flush => self.write(now, todo),
            Input::Retry => {
                self.writes.retrying = false;
                self.write(now, todo);
            }
            Input::Slow(_) => self.saved = Saved::Failed(NO_ANSWER.to_owned()),
            Input::Keep(label) => {
                self.label = Some(label);
                self.gather(todo);
                self.write(now, todo);
            }
            Input::Pending(reason) => self.pending = reason,
            Input::Written {
                commits,
                result,
                is_image_missing,
                ..
            } => {
                let is_done = result == Ok(true);
                self.end_write(commits, result, now, todo);
                if is_done && is_image_missing {
                    // The next write tries again.
                    self.writes.image = self.writes.commits + 1;
                }
            }
            Input::Lost(reason) => self.saved = Saved::Failed(reason),
            Input::Locked { granted, .. } => self.settle(granted, todo),
            Input::Wanted(_) => {
                self.ownership.yielding = true;
                self.write(now, todo);
            }
            Input::TakeOver => {
                self.ownership.taking = true;
                self.write(now, todo);
            }
            Input::NotTakenOver => {
                self.ownership.taking = false;
                todo.push(Command::Wait);
            }
            Input::TakenOver { entry, granted } => self.take_over(entry, granted, now, todo),
            Input::Left => {
                self.branch_if_unsaved(now, todo);
                let mut write = vec![];
                self.write(now, &mut write);
                let left = self.leave();
                write.retain(|command| *command != left);
                todo.push(left);
                todo.extend(write);
            }
            Input::Copy => {
                self.branch(now, todo);
                self.gather(todo);
            }
            Input::CopyKnown => self.ownership.hold = Hold::Here,
            Input::Switch {
                next,
                why,
                is_example,
            } => self.switch(next, why, is_example, now, todo),
        }
    }

    fn gather(&mut self, todo: &mut Vec<Command>) {
        self.writes.commits += 1;
        todo.push(Command::Wait);
        if !matches!(self.saved, Saved::Failed(_)) {
            self.saved = Saved::Writing;
        }
    }

    /// Writes unsaved changes, unless a write is in progress: when that ends, it writes what was
    /// added in the meantime.
    fn write(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        self.branch_if_unsaved(now, todo);
        if self.ownership.taking && !self.is_written() {
            // It is a different version from the one that comes from the other tab.
            todo.push(self.leave());
        }
        let waits =
            self.writes.writing || self.ownership.taking || self.ownership.hold == Hold::Asking;
        if self.is_written() || waits || self.storage.is_err() {
            return;
        }
        self.writes.writing = true;
        let entry = self.next_entry(now);
        self.writes.basis.begin(&entry);
        let mut keep = Keep::Nothing;
        if let Some(label) = self.label.take() {
            keep = Keep::Now(label);
        } else if self.edited && now.time - self.kept > INTERVAL {
            self.kept = now.time;
            keep = Keep::Before;
        }
        todo.push(Command::Write {
            entry,
            basis: self.writes.basis.clone(),
            commits: self.writes.commits,
            keep,
            has_image: self.writes.has_image(),
        });
    }

    fn end_write(
        &mut self,
        commits: u64,
        result: Result<bool, String>,
        now: &Moment,
        todo: &mut Vec<Command>,
    ) {
        self.writes.writing = false;
        self.writes.basis.end(result == Ok(true));
        match result {
            Ok(true) => {
                self.writes.written = commits;
                self.writes.failures = 0;
            }
            Ok(false) => self.ownership.hold = Hold::Elsewhere,
            Err(reason) => {
                self.saved = Saved::Failed(reason);
                if !std::mem::replace(&mut self.writes.retrying, true) {
                    let delay = RETRY << self.writes.failures.min(5);
                    todo.push(Command::Retry(delay.min(RETRY_AT_LATEST)));
                }
                self.writes.failures += 1;
                // The other tab gets what could be written.
                if self.ownership.yielding {
                    self.give_way(todo);
                }
                return;
            }
        }
        if self.is_written() {
            self.forget_left(todo);
            self.saved = Saved::Yes;
        } else {
            self.write(now, todo);
        }
    }

    /// Handles a lock that was granted, refused or lost.
    fn settle(&mut self, granted: bool, todo: &mut Vec<Command>) {
        self.ownership.hold = match (granted, self.ownership.hold) {
            // Nobody else knows the name of a copy that isn't locked yet.
            (_, Hold::Copy) if granted || !self.ownership.locked => Hold::Copy,
            (true, _) => Hold::Here,
            (false, _) => Hold::Elsewhere,
        };
        self.ownership.locked = granted;
        // Not at once: the document that was just opened is shown first.
        todo.push(Command::Wait);
    }

    fn give_way(&mut self, todo: &mut Vec<Command>) {
        self.ownership.yielding = false;
        self.ownership.locked = false;
        self.ownership.hold = Hold::Elsewhere;
        todo.extend([Command::Release, Command::Wait]);
    }

    /// Replaces the open document by the other tab's version. Edits made here are kept as a copy.
    fn take_over(&mut self, entry: Entry, granted: bool, now: &Moment, todo: &mut Vec<Command>) {
        self.ownership.taking = false;
        if !self.is_written() {
            let mut copy = Entry::new(now.unused_id.clone());
            copy.next(&now.title, now.time, &now.page_id);
            todo.push(Command::KeepCopy(copy));
            self.forget_left(todo);
        }
        self.writes.written = self.writes.commits;
        self.writes.image = 0;
        if self.storage.is_ok() {
            self.saved = Saved::No;
        }
        self.writes.basis = Basis::of(&entry);
        self.writes.writing = false;
        self.edited = false;
        self.entry = entry;
        self.ownership.locked = granted;
        self.ownership.hold = if granted { Hold::Here } else { Hold::Elsewhere };
    }

    fn leave(&mut self) -> Command {
        self.left = true;
        Command::Leave(self.entry.id.clone(), self.writes.basis.clone())
    }

    fn forget_left(&mut self, todo: &mut Vec<Command>) {
        self.left = false;
        todo.push(Command::ForgetLeft(self.entry.id.clone()));
    }

    /// Turns edits into a copy while another tab owns the document.
    fn branch_if_unsaved(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        let waits = self.writes.writing || self.ownership.taking;
        if !self.is_written() && !waits && self.ownership.hold == Hold::Elsewhere {
            self.branch(now, todo);
        }
    }

    fn branch(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        let original = std::mem::replace(&mut self.entry, Entry::new(now.unused_id.clone()));
        self.writes.basis = Basis::of(&self.entry);
        self.writes.image = self.writes.commits.max(self.writes.written + 1);
        if self.left {
            // The text in local storage belongs to the copy.
            todo.push(self.leave());
            todo.push(Command::ForgetLeft(original.id));
        }
        self.ownership.locked = false;
        self.ownership.taking = false;
        self.ownership.yielding = false;
        self.writes.writing = false;
        self.kept = now.time;
        self.ownership.hold = Hold::Copy;
        // Nobody else knows the name; the lock keeps it that way.
        let acquire = Command::Acquire(self.entry.id.clone(), 0);
        todo.extend([Command::Release, acquire]);
    }

    /// Creates a restore point of the open document and closes it.
    fn switch(
        &mut self,
        next: Origin,
        why: String,
        is_example: bool,
        now: &Moment,
        todo: &mut Vec<Command>,
    ) {
        if !self.is_written() && self.ownership.hold == Hold::Elsewhere {
            // Whatever is in progress, edits made here must not get lost.
            self.branch(now, todo);
        }
        let is_untouched =
            !self.edited && self.entry.revision <= 1.0 && self.ownership.hold == Hold::Here;
        let is_changed = self.edited || !self.is_written();
        // Nobody misses it in the list.
        let discards = is_untouched && is_example;
        let closes = is_changed && !discards && self.ownership.hold != Hold::Elsewhere;
        if closes {
            self.next_entry(now);
        }
        let closed = std::mem::replace(&mut self.entry, next.entry);
        let mut basis = self.writes.basis.clone();
        todo.push(if discards {
            Command::Discard(closed.clone())
        } else if closes {
            let keep = if self.edited {
                Keep::Now(why)
            } else {
                Keep::Nothing
            };
            basis.begin(&closed);
            Command::Close {
                entry: closed.clone(),
                basis: basis.clone(),
                keep,
                has_image: self.writes.has_image(),
            }
        } else {
            Command::Release
        });
        let (autosave, acquire) = Self::new(self.entry.clone(), self.storage.clone());
        let pending = match &self.saved {
            // Until it is known to be written.
            Saved::Failed(reason) if closes && self.storage.is_ok() => Some(reason.clone()),
            _ => None,
        };
        *self = Self {
            closed: Some(Origin {
                entry: closed,
                basis,
            }),
            writes: Writes {
                basis: next.basis,
                retrying: self.writes.retrying,
                ..autosave.writes
            },
            pending: self.pending.take().or(pending),
            persists: self.persists,
            ..autosave
        };
        todo.extend(acquire);
    }
}
