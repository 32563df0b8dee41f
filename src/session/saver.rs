//! Keeps the open document on the designer's disk, some 200 ms after each commit: does
//! what [`Autosave`] commands.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom::document::Document;

use super::autosave::{Autosave, Command, Hold, Input, Moment, Saved};
use super::ending::Ending;
use super::library::{self, Basis, Entry, Keep, Library, Origin, left, lock_name};
use crate::web::platform::{Grasp, Lock, Platform};

mod flush;
mod owed;

use owed::Owed;

/// How long commits are gathered before they are written, in milliseconds.
const GATHER: u32 = 200;
/// How long a write may take before it is reported, in milliseconds.
const SLOW: u32 = 10_000;
/// How often a tab that was asked to let go is given time: some 60 ms each.
const ASKED: u32 = 30;

/// Why a text cannot be left where that needs no time.
const FULL: &str = "the browser's storage is full";

/// How the saving goes, as the session shows it.
#[derive(Clone, Copy)]
pub struct Progress {
    /// Whether the document is on the disk.
    pub saved: RwSignal<Saved>,
    /// Whether this tab may write the document.
    pub hold: RwSignal<Hold>,
    /// Counts the changes of the list of documents, by whichever tab.
    pub listed: RwSignal<u32>,
}

struct Inner {
    machine: Autosave,
    document: Signal<Arc<Document>>,
    progress: Progress,
    platform: Platform,
    library: Result<Library, String>,
    lock: Option<Lock>,
    /// How often a lock was asked for: only the newest answer counts.
    asked: u32,
    /// Whether a timer runs for commits that are gathered.
    is_gathering: bool,
    /// Those who wait for all to be written.
    waiting: Vec<Ending>,
    /// Documents that were open before and could not be written.
    owed: Vec<Owed>,
}

/// Writes the document whenever it is told that it has changed.
#[derive(Clone)]
pub struct Saver(Rc<RefCell<Inner>>);

/// A document that was taken over from another tab.
pub struct Taken {
    /// Its text, as the other tab has written it.
    pub text: String,
    entry: Entry,
    lock: Option<Lock>,
}

impl Saver {
    /// Starts to save a document's signal as this entry, and shows how that goes.
    pub fn new(
        document: Signal<Arc<Document>>,
        entry: Entry,
        platform: Platform,
        library: Result<Library, String>,
        progress: Progress,
    ) -> Self {
        let (machine, commands) =
            Autosave::new(entry, library.as_ref().map(drop).map_err(Clone::clone));
        let saver = Self(Rc::new(RefCell::new(Inner {
            machine,
            document,
            progress,
            platform,
            library,
            lock: None,
            asked: 0,
            is_gathering: false,
            waiting: vec![],
            owed: vec![],
        })));
        saver.run(commands);
        saver.listen();
        saver
    }

    fn listen(&self) {
        let page = self.platform().page;
        let (asked, leaving) = (self.clone(), self.clone());
        let progress = self.0.borrow().progress;
        page.on_message(Box::new(move |message| {
            if message == library::CHANGED {
                progress.listed.update(|listed| *listed += 1);
            } else {
                asked.hear(Input::Wanted(message));
            }
        }));
        page.on_leave(Box::new(move || leaving.hear(Input::Left)));
        page.ask_before_leaving(Box::new(move || {
            matches!(progress.saved.get_untracked(), Saved::Failed(_))
        }));
    }

    /// The row of the open document.
    pub fn entry(&self) -> Entry {
        self.0.borrow().machine.entry().clone()
    }

    /// The document that was open before.
    pub fn closed(&self) -> Option<Origin> {
        self.0.borrow().machine.closed().cloned()
    }

    /// Tells the machine what happens, and does what it commands.
    pub fn hear(&self, input: Input) {
        let commands = {
            let mut inner = self.0.borrow_mut();
            let now = inner.moment();
            inner.machine.step(input, &now)
        };
        self.run(commands);
    }

    fn run(&self, commands: Vec<Command>) {
        for command in commands {
            self.perform(command);
        }
        let (progress, saved, held, ended) = {
            let mut inner = self.0.borrow_mut();
            let saved = inner.machine.saved();
            let has_failed = matches!(saved, Saved::Failed(_)) && !inner.machine.is_writing();
            let ended = if inner.machine.is_written() || has_failed {
                std::mem::take(&mut inner.waiting)
            } else {
                vec![]
            };
            (inner.progress, saved, inner.machine.hold(), ended)
        };
        if progress.saved.with_untracked(|shown| *shown != saved) {
            if saved == Saved::Yes {
                progress.listed.update(|listed| *listed += 1);
            }
            progress.saved.set(saved);
        }
        if progress.hold.get_untracked() != held {
            progress.hold.set(held);
        }
        for ending in ended {
            ending.end();
        }
    }

    fn perform(&self, command: Command) {
        let text = || self.0.borrow().document.get_untracked().to_json();
        match command {
            Command::Wait => self.gather(),
            Command::Retry(millis) => self.later(millis, Input::Retry),
            Command::Persist => {
                let asked = self.platform().storage.persist();
                spawn_local(asked);
            }
            Command::Write {
                entry,
                basis,
                commits,
                keep,
            } => self.write(entry, basis, text(), commits, keep),
            Command::Leave(id, basis) => {
                if !left::leave(&self.platform(), &id, &basis, &text()) {
                    // The write that goes on says whether it succeeded.
                    self.hear(Input::Lost(FULL.to_owned()));
                }
            }
            Command::ForgetLeft(id) => left::forget(&self.platform(), &id),
            Command::KeepCopy(entry) => {
                let basis = Basis::of(&Entry::new(entry.id.clone()));
                self.keep_closed(entry, basis, text(), Keep::Nothing, None);
            }
            Command::Acquire(id, tries) => self.acquire(id, tries),
            Command::Release => {
                let lock = self.0.borrow_mut().lock.take();
                drop(lock);
            }
            Command::Close(entry, basis, keep) => {
                let lock = self.0.borrow_mut().lock.take();
                self.keep_closed(entry, basis, text(), keep, lock);
            }
            Command::Discard(entry) => {
                let (library, lock) = (self.library(), self.0.borrow_mut().lock.take());
                spawn_local(async move {
                    if let Ok(library) = library {
                        let _ = library.remove(&entry).await;
                    }
                    drop(lock);
                });
            }
        }
    }

    fn platform(&self) -> Platform {
        self.0.borrow().platform.clone()
    }

    fn library(&self) -> Result<Library, String> {
        self.0.borrow().library.clone()
    }

    fn later(&self, millis: u32, input: Input) {
        let saver = self.clone();
        let clock = self.platform().clock;
        clock.after(millis, Box::new(move || saver.hear(input)));
    }

    fn gather(&self) {
        let gathers = std::mem::replace(&mut self.0.borrow_mut().is_gathering, true);
        if !gathers {
            let later = self.clone();
            let due = move || {
                later.0.borrow_mut().is_gathering = false;
                later.hear(Input::Due);
            };
            self.platform().clock.after(GATHER, Box::new(due));
        }
    }

    fn write(&self, entry: Entry, basis: Basis, text: String, commits: u64, keep: Keep) {
        self.later(SLOW, Input::Slow(entry.clone()));
        let (library, saver) = (self.library(), self.clone());
        spawn_local(async move {
            let result = match library {
                Ok(library) => library.write(&entry, &basis, &text, keep).await,
                Err(reason) => Err(reason),
            };
            saver.hear(Input::Written {
                entry,
                commits,
                result,
            });
        });
    }

    fn acquire(&self, id: String, tries: u32) {
        let platform = self.platform();
        library::remember(&platform, &id);
        self.forgive(&id);
        let saver = self.clone();
        let number = {
            let mut inner = self.0.borrow_mut();
            inner.asked += 1;
            inner.asked
        };
        spawn_local(async move {
            let on_lost = saver.on_lost(&id);
            let lock = platform.take_lock(&lock_name(&id), tries, on_lost).await;
            if saver.0.borrow().asked != number {
                return;
            }
            let granted = lock.is_some();
            saver.0.borrow_mut().lock = lock;
            saver.hear(Input::Locked { id, granted });
        });
    }

    fn on_lost(&self, id: &str) -> impl Fn() + Clone + 'static {
        let (saver, id) = (self.clone(), id.to_owned());
        move || {
            saver.hear(Input::Locked {
                id: id.clone(),
                granted: false,
            });
        }
    }

    /// Keeps a restore point of the open document; the reason if it can't.
    pub async fn keep(&self, why: &str) -> Result<(), String> {
        self.library()?;
        if self.0.borrow().machine.hold() == Hold::Elsewhere {
            return Err("another tab has the document".to_owned());
        }
        self.hear(Input::Keep(why.to_owned()));
        if self.flush().await {
            return Ok(());
        }
        let saved = self.0.borrow().machine.saved();
        Err(match saved {
            Saved::Failed(reason) => reason,
            _ => "the document is not written yet".to_owned(),
        })
    }

    /// Returns `true` if another tab has the document, and it is not being taken over.
    pub fn can_take_over(&self) -> bool {
        self.0.borrow().machine.can_take_over()
    }

    /// Gets the open document from the tab that has it, once that has written it. Ends with
    /// [`Saver::taken`].
    pub async fn take_over(&self) -> Option<Taken> {
        let (id, library) = (self.entry().id, self.library().ok()?);
        let platform = self.platform();
        self.hear(Input::TakeOver);
        let taken = async {
            platform.page.post(&id);
            let name = lock_name(&id);
            let on_lost = self.on_lost(&id);
            let mut lock = platform.take_lock(&name, ASKED, on_lost.clone()).await;
            if lock.is_none() {
                // A tab that the browser has put to sleep does not answer.
                let stolen = platform
                    .locks
                    .request(&name, Grasp::Force, Rc::new(on_lost));
                lock = stolen.await;
            }
            let mut entry = library.entry(&id).await?;
            let text = library.stored(&id).await?;
            // What somebody works on is not to be deleted some day.
            entry.deleted = None;
            Some(Taken { text, entry, lock })
        };
        let taken = taken.await;
        if taken.is_none() && self.entry().id == id {
            self.hear(Input::NotTakenOver);
        }
        taken
    }

    /// From now on this tab writes the document, and will be shown its text. Returns whether
    /// something was edited here, which is kept as a document of its own; `None` if another
    /// document was opened meanwhile.
    pub fn taken(&self, taken: Taken) -> Option<bool> {
        let Taken { entry, lock, .. } = taken;
        if self.entry().id != entry.id {
            return None;
        }
        let is_edited = !self.0.borrow().machine.is_written();
        let granted = lock.is_some();
        self.0.borrow_mut().lock = lock;
        self.hear(Input::TakenOver { entry, granted });
        Some(is_edited)
    }

    /// The document of another tab can't be taken over.
    pub fn not_taken(&self) {
        self.hear(Input::NotTakenOver);
    }
}

impl Inner {
    fn moment(&self) -> Moment {
        Moment {
            time: self.platform.clock.now(),
            title: self.document.with_untracked(|d| d.info.title.clone()),
            unused_id: self.platform.clock.unused_id().to_string(),
        }
    }
}
