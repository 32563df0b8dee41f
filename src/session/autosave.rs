//! When the open document is written, and as which: a machine of inputs and commands,
//! which knows neither browser nor clock.
//!
//! At most one tab holds a document, by a lock of its name. A tab that does not
//! hold what it shows writes nothing over it: what is edited there becomes a copy.
//! And whoever writes has to have seen the newest revision, whatever became of
//! the locks. A page that is left with something unsaved writes it to the local
//! storage as well, which needs no time; the next start prefers that.

use super::library::{Entry, Keep};

mod messages;
#[cfg(test)]
mod tests;

pub use messages::{Command, Hold, Input, Moment, Saved};

/// How long edits go on before another restore point is kept, in milliseconds.
const INTERVAL: f64 = 10.0 * 60.0 * 1000.0;
/// How often a tab that is being left is asked for its document again.
const RELOADED: u32 = 6;

/// The machine.
#[derive(Debug)]
pub struct Autosave {
    entry: Entry,
    /// The row of the document that was open before.
    closed: Option<Entry>,
    saved: Saved,
    hold: Hold,
    has_storage: bool,
    /// Whether the entry's lock is this tab's.
    locked: bool,
    /// Whether another tab waits for the document to be written.
    yielding: bool,
    /// Counts commits; equal to `written` when all is on the disk.
    commits: u64,
    written: u64,
    writing: bool,
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
            entry,
            closed: None,
            has_storage: storage.is_ok(),
            saved: storage.map_or_else(Saved::Failed, |()| Saved::No),
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

    /// The row of the document that was open before.
    pub fn closed(&self) -> Option<&Entry> {
        self.closed.as_ref()
    }

    /// Whether the document is on the disk.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Whether this tab may write the document.
    pub fn hold(&self) -> Hold {
        self.hold
    }

    /// Whether each commit is on the disk.
    pub fn is_written(&self) -> bool {
        self.commits == self.written
    }

    /// The row for a write beside those that are commanded.
    pub fn next_entry(&mut self, now: &Moment) -> Entry {
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
            }
            Input::Opened => self.gather(&mut todo),
            Input::Due | Input::Flush => self.write(now, &mut todo),
            Input::Written {
                id,
                commits,
                result,
            } if id == self.entry.id => self.end_write(commits, result, now, &mut todo),
            Input::Lost(reason) => self.saved = Saved::Failed(reason),
            Input::Locked { id, granted } if id == self.entry.id => {
                self.settle(granted, &mut todo);
            }
            Input::Wanted(id) if id == self.entry.id && self.locked => {
                self.yielding = true;
                self.write(now, &mut todo);
            }
            Input::TakenOver { entry, granted } if entry.id == self.entry.id => {
                self.entry = entry;
                self.locked = granted;
                self.hold = if granted { Hold::Here } else { Hold::Elsewhere };
            }
            // Another document was opened meanwhile, and this one closed.
            Input::Written { .. }
            | Input::Locked { .. }
            | Input::Wanted(_)
            | Input::TakenOver { .. } => {}
            Input::Left if self.is_written() => {}
            Input::Left => {
                self.branch_if_unsaved(now, &mut todo);
                todo.push(Command::Leave(self.entry.id.clone()));
                self.write(now, &mut todo);
            }
            Input::Copy => {
                self.branch(now, &mut todo);
                self.gather(&mut todo);
            }
            Input::CopyKnown => self.hold = Hold::Here,
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
        let asking = self.hold == Hold::Asking;
        if self.is_written() || self.writing || asking || !self.has_storage {
            return;
        }
        self.writing = true;
        let entry = self.next_entry(now);
        let mut keep = Keep::Nothing;
        if self.edited && now.time - self.kept > INTERVAL {
            self.kept = now.time;
            keep = Keep::Before;
        }
        todo.push(Command::Write {
            entry,
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
        match result {
            Ok(true) => self.written = commits,
            Ok(false) => self.hold = Hold::Elsewhere,
            Err(reason) => {
                self.saved = Saved::Failed(reason);
                // The other tab has what could be written.
                if self.yielding {
                    self.give_way(todo);
                }
                return;
            }
        }
        if self.is_written() {
            todo.push(Command::ForgetLeft(self.entry.id.clone()));
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

    /// What is edited here while another tab has the document is a copy.
    fn branch_if_unsaved(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        if !self.is_written() && !self.writing && self.hold == Hold::Elsewhere {
            self.branch(now, todo);
        }
    }

    fn branch(&mut self, now: &Moment, todo: &mut Vec<Command>) {
        self.entry = Entry::new(now.unused_id.clone());
        self.locked = false;
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
        next: Entry,
        why: String,
        is_example: bool,
        now: &Moment,
        todo: &mut Vec<Command>,
    ) {
        self.branch_if_unsaved(now, todo);
        let is_untouched = !self.edited && self.entry.revision <= 1.0;
        let is_changed = self.edited || !self.is_written();
        let closes = is_changed && self.hold != Hold::Elsewhere;
        if closes {
            self.next_entry(now);
        }
        let closed = std::mem::replace(&mut self.entry, next);
        todo.push(if is_untouched && is_example {
            // Nobody misses it in the list.
            Command::Discard(closed.id.clone())
        } else if closes {
            let keep = if self.edited {
                Keep::Now(why)
            } else {
                Keep::Nothing
            };
            Command::Close(closed.clone(), keep)
        } else {
            Command::Release
        });
        let (autosave, acquire) = Self::new(self.entry.clone(), Ok(()));
        *self = Self {
            closed: Some(closed),
            has_storage: self.has_storage,
            ..autosave
        };
        todo.extend(acquire);
    }
}
