//! When the open document is written, and as which: a machine of inputs and commands,
//! which knows neither browser nor clock.
//!
//! At most one tab holds a document, by a lock of its name. A tab that does not
//! hold what it shows writes nothing over it: what is edited there becomes a copy.
//! And whoever writes has to have seen the newest revision, whatever became of
//! the locks. A page that is left with something unsaved writes it to the local
//! storage as well, which needs no time, with the revisions that it is based on; the next
//! start prefers that, unless somebody else has written since. A write that fails is tried
//! again, later and later.

use super::library::{Basis, Entry, Keep, Origin};

mod messages;
#[cfg(test)]
mod tests;

pub use messages::{Command, Hold, Input, Moment, Saved};

/// How long edits go on before another restore point is kept, in milliseconds.
const INTERVAL: f64 = 10.0 * 60.0 * 1000.0;
/// How often a tab that is being left is asked for its document again.
const RELOADED: u32 = 6;
/// When a failed write is first tried again, in milliseconds, and at the latest.
const RETRY: u32 = 1_000;
const RETRY_AT_LATEST: u32 = 30_000;
/// Why a document is not saved while a write does not end.
const NO_ANSWER: &str = "the browser's storage doesn't answer";

/// The machine.
#[derive(Debug)]
pub struct Autosave {
    entry: Entry,
    /// The document that was open before.
    closed: Option<Origin>,
    saved: Saved,
    hold: Hold,
    /// Whether there is a storage; why there is none.
    storage: Result<(), String>,
    /// Why documents that were open before are not on the disk.
    owed: Option<String>,
    /// Whether the document is being taken over from another tab.
    taking: bool,
    /// Whether its text is kept where that needs no time.
    left: bool,
    /// Whether the entry's lock is this tab's.
    locked: bool,
    /// Whether another tab waits for the document to be written.
    yielding: bool,
    /// Counts commits; equal to `written` when all is on the disk.
    commits: u64,
    written: u64,
    writing: bool,
    /// What the write under way writes, and what the newest one before has written.
    basis: Basis,
    /// The writes that failed since the last one that did not, and whether one is tried again.
    failures: u32,
    retrying: bool,
    /// The name of the restore point that the next write keeps.
    label: Option<String>,
    /// Whether the browser was asked to keep the storage.
    persists: bool,
    /// Whether anything was edited since the document was opened.
    edited: bool,
    /// When the last restore point was kept.
    kept: f64,
}

impl Autosave {
    /// Of a document with this row; why there is nothing to keep it in. And the first commands.
    pub fn new(entry: Entry, storage: Result<(), String>) -> (Self, Vec<Command>) {
        let acquire = Command::Acquire(entry.id.clone(), RELOADED);
        let autosave = Self {
            basis: Basis::of(&entry),
            entry,
            closed: None,
            saved: storage.clone().map_or_else(Saved::Failed, |()| Saved::No),
            storage,
            owed: None,
            taking: false,
            left: false,
            failures: 0,
            retrying: false,
            label: None,
            persists: false,
            hold: Hold::Asking,
            locked: false,
            yielding: false,
            commits: 0,
            written: 0,
            writing: false,
            edited: false,
            kept: 0.0,
        };
        (autosave, vec![acquire])
    }

    /// The row of the open document.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The document that was open before.
    pub fn closed(&self) -> Option<&Origin> {
        self.closed.as_ref()
    }

    /// Whether the document is on the disk, and those that were open before.
    pub fn saved(&self) -> Saved {
        let owed = self.owed.clone();
        owed.map_or_else(|| self.saved.clone(), Saved::Failed)
    }

    /// Whether this tab may write the document.
    pub fn hold(&self) -> Hold {
        self.hold
    }

    /// Whether each commit is on the disk.
    pub fn is_written(&self) -> bool {
        self.commits == self.written
    }

    /// Returns `true` if documents that were open before are not on the disk.
    pub fn owes(&self) -> bool {
        self.owed.is_some()
    }

    /// Returns `true` if a write is under way.
    pub fn is_writing(&self) -> bool {
        self.writing
    }

    /// Returns `true` if another tab has the document, and this one has not begun to take it over.
    pub fn can_take_over(&self) -> bool {
        self.hold == Hold::Elsewhere && !self.taking
    }

    fn is_under_way(&self, entry: &Entry) -> bool {
        self.writing && entry.id == self.entry.id && self.basis.writes(entry)
    }

    fn next_entry(&mut self, now: &Moment) -> Entry {
        self.entry.next(&now.title, now.time);
        self.entry.clone()
    }

    /// Takes in what happens; says what to do.
    pub fn step(&mut self, input: Input, now: &Moment) -> Vec<Command> {
        let mut todo = vec![];
        match input {
            Input::Edited => {
                self.edited = true;
                self.gather(&mut todo);
                if !std::mem::replace(&mut self.persists, true) {
                    todo.push(Command::Persist);
                }
            }
            Input::Opened => self.gather(&mut todo),
            Input::Due | Input::Flush => self.write(now, &mut todo),
            Input::Retry => {
                self.retrying = false;
                self.write(now, &mut todo);
            }
            Input::Slow(entry) if self.is_under_way(&entry) => {
                self.saved = Saved::Failed(NO_ANSWER.to_owned());
            }
            Input::Keep(label) => {
                self.label = Some(label);
                self.gather(&mut todo);
                self.write(now, &mut todo);
            }
            Input::Owed(reason) => self.owed = reason,
            Input::Written {
                entry,
                commits,
                result,
            } if self.is_under_way(&entry) => {
                self.end_write(commits, result, now, &mut todo);
            }
            Input::Lost(reason) => self.saved = Saved::Failed(reason),
            Input::Locked { id, granted } if id == self.entry.id => {
                self.settle(granted, &mut todo);
            }
            Input::Wanted(id) if id == self.entry.id && self.locked => {
                self.yielding = true;
                self.write(now, &mut todo);
            }
            Input::TakeOver if self.can_take_over() => {
                self.taking = true;
                self.write(now, &mut todo);
            }
            Input::NotTakenOver if self.taking => {
                self.taking = false;
                todo.push(Command::Wait);
            }
            Input::TakenOver { entry, granted } if self.taking && entry.id == self.entry.id => {
                self.take_over(entry, granted, now, &mut todo);
            }
            // Another document was opened meanwhile, and this one closed.
            Input::Written { .. }
            | Input::Slow(_)
            | Input::Locked { .. }
            | Input::Wanted(_)
            | Input::TakeOver
            | Input::NotTakenOver
            | Input::TakenOver { .. } => {}
            Input::Left if self.is_written() => {}
            Input::Left => {
                self.branch_if_unsaved(now, &mut todo);
                let mut write = vec![];
                self.write(now, &mut write);
                let left = self.leave();
                write.retain(|command| *command != left);
                todo.push(left);
                todo.extend(write);
            }
            Input::Copy => {
                self.branch(now, &mut todo);
                self.gather(&mut todo);
            }
            Input::CopyKnown => {
                if self.hold == Hold::Copy {
                    self.hold = Hold::Here;
                }
            }
            Input::Switch {
                next,
                why,
                is_example,
            } => self.switch(next, why, is_example, now, &mut todo),
        }
        if self.yielding && self.is_written() {
            self.give_way(&mut todo);
        }
        todo
    }

    fn gather(&mut self, todo: &mut Vec<Command>) {
        self.commits += 1;
        todo.push(Command::Wait);
        if !matches!(self.saved, Saved::Failed(_)) {
            self.saved = Saved::Writing;
        }
    }

    /// Writes what is unsaved, unless a write is under way: that one goes on with
    /// what came meanwhile.
    fn write(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        self.branch_if_unsaved(now, todo);
        if self.taking && !self.is_written() {
            // It is another version than what comes from the other tab.
            todo.push(self.leave());
        }
        let waits = self.writing || self.taking || self.hold == Hold::Asking;
        if self.is_written() || waits || self.storage.is_err() {
            return;
        }
        self.writing = true;
        let entry = self.next_entry(now);
        self.basis.begin(&entry);
        let mut keep = Keep::Nothing;
        if let Some(label) = self.label.take() {
            keep = Keep::Now(label);
        } else if self.edited && now.time - self.kept > INTERVAL {
            self.kept = now.time;
            keep = Keep::Before;
        }
        todo.push(Command::Write {
            entry,
            basis: self.basis.clone(),
            commits: self.commits,
            keep,
        });
    }

    fn end_write(
        &mut self,
        commits: u64,
        result: Result<bool, String>,
        now: &Moment,
        todo: &mut Vec<Command>,
    ) {
        self.writing = false;
        self.basis.end(result == Ok(true));
        match result {
            Ok(true) => {
                self.written = commits;
                self.failures = 0;
            }
            Ok(false) => self.hold = Hold::Elsewhere,
            Err(reason) => {
                self.saved = Saved::Failed(reason);
                if !std::mem::replace(&mut self.retrying, true) {
                    let delay = RETRY << self.failures.min(5);
                    todo.push(Command::Retry(delay.min(RETRY_AT_LATEST)));
                }
                self.failures += 1;
                // The other tab has what could be written.
                if self.yielding {
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

    /// A lock was granted, refused or lost.
    fn settle(&mut self, granted: bool, todo: &mut Vec<Command>) {
        self.hold = match (granted, self.hold) {
            // Nobody else knows the name of a copy that is not locked yet.
            (_, Hold::Copy) if granted || !self.locked => Hold::Copy,
            (true, _) => Hold::Here,
            (false, _) => Hold::Elsewhere,
        };
        self.locked = granted;
        // Not at once: the document that was just opened is shown first.
        todo.push(Command::Wait);
    }

    fn give_way(&mut self, todo: &mut Vec<Command>) {
        self.yielding = false;
        self.locked = false;
        self.hold = Hold::Elsewhere;
        todo.extend([Command::Release, Command::Wait]);
    }

    /// The open document is that of the tab that had it. What was edited here is kept as a copy.
    fn take_over(&mut self, entry: Entry, granted: bool, now: &Moment, todo: &mut Vec<Command>) {
        self.taking = false;
        if !self.is_written() {
            let mut copy = Entry::new(now.unused_id.clone());
            copy.next(&now.title, now.time);
            todo.push(Command::KeepCopy(copy));
            self.forget_left(todo);
        }
        self.written = self.commits;
        if self.storage.is_ok() {
            self.saved = Saved::No;
        }
        self.basis = Basis::of(&entry);
        self.writing = false;
        self.edited = false;
        self.entry = entry;
        self.locked = granted;
        self.hold = if granted { Hold::Here } else { Hold::Elsewhere };
    }

    fn leave(&mut self) -> Command {
        self.left = true;
        Command::Leave(self.entry.id.clone(), self.basis.clone())
    }

    fn forget_left(&mut self, todo: &mut Vec<Command>) {
        self.left = false;
        todo.push(Command::ForgetLeft(self.entry.id.clone()));
    }

    /// What is edited here while another tab has the document is a copy.
    fn branch_if_unsaved(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        let waits = self.writing || self.taking;
        if !self.is_written() && !waits && self.hold == Hold::Elsewhere {
            self.branch(now, todo);
        }
    }

    fn branch(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        let original = std::mem::replace(&mut self.entry, Entry::new(now.unused_id.clone()));
        self.basis = Basis::of(&self.entry);
        if self.left {
            // What was left belongs to the copy.
            todo.push(self.leave());
            todo.push(Command::ForgetLeft(original.id));
        }
        self.locked = false;
        self.taking = false;
        self.yielding = false;
        self.writing = false;
        self.kept = now.time;
        self.hold = Hold::Copy;
        // Nobody else knows the name; it is taken so that others will not.
        let acquire = Command::Acquire(self.entry.id.clone(), 0);
        todo.extend([Command::Release, acquire]);
    }

    /// The open document gets a restore point and is let go.
    fn switch(
        &mut self,
        next: Origin,
        why: String,
        is_example: bool,
        now: &Moment,
        todo: &mut Vec<Command>,
    ) {
        if !self.is_written() && self.hold == Hold::Elsewhere {
            // Whatever is under way: what is edited here must not get lost.
            self.branch(now, todo);
        }
        let is_untouched = !self.edited && self.entry.revision <= 1.0 && self.hold == Hold::Here;
        let is_changed = self.edited || !self.is_written();
        // Nobody misses it in the list.
        let discards = is_untouched && is_example;
        let closes = is_changed && !discards && self.hold != Hold::Elsewhere;
        if closes {
            self.next_entry(now);
        }
        let closed = std::mem::replace(&mut self.entry, next.entry);
        let mut basis = self.basis.clone();
        todo.push(if discards {
            Command::Discard(closed.clone())
        } else if closes {
            let keep = if self.edited {
                Keep::Now(why)
            } else {
                Keep::Nothing
            };
            basis.begin(&closed);
            Command::Close(closed.clone(), basis.clone(), keep)
        } else {
            Command::Release
        });
        let (autosave, acquire) = Self::new(self.entry.clone(), self.storage.clone());
        let owed = match &self.saved {
            // Until it is known that it is written now.
            Saved::Failed(reason) if closes && self.storage.is_ok() => Some(reason.clone()),
            _ => None,
        };
        *self = Self {
            closed: Some(Origin {
                entry: closed,
                basis,
            }),
            basis: next.basis,
            owed: self.owed.take().or(owed),
            retrying: self.retrying,
            persists: self.persists,
            ..autosave
        };
        todo.extend(acquire);
    }
}
