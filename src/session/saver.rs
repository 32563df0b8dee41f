//! Saves the open document to the user's disk in the next pause between commits, after 800 ms at
//! the latest, and at once when the page is hidden or left, by executing the commands of
//! [`Autosave`].

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::OpenFile;
use super::autosave::{Autosave, Command, Hold, Input, Moment, Saved};
use super::ending::Ending;
use super::library::{self, Basis, Content, Entry, Keep, Library, Origin, left, lock_name};
use super::messages::Messages;
use super::open::DocumentState;
use crate::web::platform::{Lock, LockMode, Platform};

mod flush;
mod pending;

use pending::PendingDocument;

/// The time without a commit after which commits are written, in milliseconds. A write reads the
/// whole document, so typing delays it.
const PAUSE: u32 = 200;
/// The number of times that commits delay a write.
const MAX_DELAYS: u32 = 3;
/// The time after which a running write is reported as slow, in milliseconds.
const SLOW: u32 = 10_000;
/// The number of times to wait, about 60 ms each, for a tab that was asked to release its lock.
const ASKED: u32 = 30;

/// The reason why a text doesn't fit into local storage.
const FULL: &str = "the browser's storage is full";

/// The progress of saving, for display.
#[derive(Clone, Copy)]
pub struct Progress {
    /// The save state of the document.
    pub saved: RwSignal<Saved>,
    /// This tab's ownership of the document.
    pub hold: RwSignal<Hold>,
    /// The number of changes to the list of documents, by any tab.
    pub listed: RwSignal<u32>,
}

/// The commits since the last write.
#[derive(Default)]
struct Gathered {
    /// The number of times that they have delayed the write.
    delays: u32,
    /// `true` if there was another one since the timer began.
    has_new: bool,
}

struct Inner {
    machine: Autosave,
    open: DocumentState,
    progress: Progress,
    platform: Platform,
    library: Result<Library, String>,
    messages: Messages,
    lock: Option<Lock>,
    /// The number of lock requests; only the latest answer counts.
    asked: u32,
    /// The commits that a timer is gathering.
    gathered: Option<Gathered>,
    /// Waiters for everything to be written.
    waiting: Vec<Ending>,
    /// Previously open documents that couldn't be written.
    pending: Vec<PendingDocument>,
}

/// Writes the document whenever it is notified of a change.
#[derive(Clone)]
pub struct Saver(Rc<RefCell<Inner>>);

/// A document that was taken over from another tab.
pub struct Taken {
    /// Its content, as the other tab wrote it.
    pub content: Content,
    /// The file that it belongs to.
    pub file: Option<OpenFile>,
    entry: Entry,
    lock: Option<Lock>,
}

impl Saver {
    /// Starts saving the open document under this entry, and reports the progress.
    pub fn new(
        open: DocumentState,
        entry: Entry,
        platform: Platform,
        library: Result<Library, String>,
        progress: Progress,
        messages: Messages,
    ) -> Self {
        let (machine, commands) =
            Autosave::new(entry, library.as_ref().map(drop).map_err(Clone::clone));
        let saver = Self(Rc::new(RefCell::new(Inner {
            machine,
            open,
            progress,
            platform,
            library,
            messages,
            lock: None,
            asked: 0,
            gathered: None,
            waiting: vec![],
            pending: vec![],
        })));
        saver.run(commands);
        saver.listen();
        saver
    }

    fn listen(&self) {
        let page = self.platform().page;
        let (asked, leaving, left) = (self.clone(), self.clone(), self.clone());
        let progress = self.0.borrow().progress;
        page.on_message(Box::new(move |message| {
            if message == library::CHANGED {
                progress.listed.update(|listed| *listed += 1);
            } else {
                asked.handle(Input::Wanted(message));
            }
        }));
        page.on_leave(Box::new(move || left.handle(Input::Left)));
        page.ask_before_leaving(Box::new(move || {
            // Whether the text can be left for the next page is only known once it is.
            leaving.handle(Input::Left);
            leaving.loses_closed()
                || leaving.0.borrow().machine.loses_changes()
                || left::is_any_of_tab(&leaving.platform())
        }));
    }

    /// Returns the row of the open document.
    pub fn entry(&self) -> Entry {
        self.0.borrow().machine.entry().clone()
    }

    /// Returns the previously open document.
    pub fn closed(&self) -> Option<Origin> {
        self.0.borrow().machine.closed().cloned()
    }

    /// Passes an input to the state machine and executes the resulting commands.
    pub fn handle(&self, input: Input) {
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
        let open = self.0.borrow().open;
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
                has_image,
            } => {
                let content = open.stored(&entry.id, has_image);
                self.write(entry, basis, content, commits, keep);
            }
            Command::Leave(id, basis) => {
                let is_left = left::leave(&self.platform(), &id, &basis, &open.text_of_file());
                // A document that is being closed has a write that reports its failure.
                if !is_left && self.entry().id == id {
                    // The running write reports whether it succeeded.
                    self.handle(Input::Lost(FULL.to_owned()));
                }
            }
            Command::ForgetLeft(id) => left::forget(&self.platform(), &id),
            Command::KeepCopy(entry) => {
                let basis = Basis::of(&Entry::new(entry.id.clone()));
                let content = open.stored(&entry.id, true);
                self.keep_closed(entry, basis, content, Keep::Nothing, None);
            }
            Command::Acquire(id, tries) => self.acquire(id, tries),
            Command::Release => {
                let lock = self.0.borrow_mut().lock.take();
                drop(lock);
            }
            Command::Close {
                entry,
                basis,
                keep,
                has_image,
            } => {
                let lock = self.0.borrow_mut().lock.take();
                let content = open.stored(&entry.id, has_image);
                self.keep_closed(entry, basis, content, keep, lock);
            }
            Command::Discard(entry) => {
                let removal = self.library().map(|library| library.remove(&entry));
                let lock = self.0.borrow_mut().lock.take();
                spawn_local(async move {
                    if let Ok(removal) = removal {
                        let _ = removal.await;
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
        clock.after(millis, Box::new(move || saver.handle(input)));
    }

    fn gather(&self) {
        let is_first = match &mut self.0.borrow_mut().gathered {
            Some(gathered) => {
                gathered.has_new = true;
                false
            }
            gathered => {
                *gathered = Some(Gathered::default());
                true
            }
        };
        if is_first {
            self.wait_for_pause();
        }
    }

    /// Writes after a pause, or later if there are more commits until then.
    fn wait_for_pause(&self) {
        let later = self.clone();
        let due = move || {
            let waits = match &mut later.0.borrow_mut().gathered {
                Some(gathered) if gathered.has_new && gathered.delays < MAX_DELAYS => {
                    gathered.has_new = false;
                    gathered.delays += 1;
                    true
                }
                gathered => {
                    *gathered = None;
                    false
                }
            };
            match waits {
                true => later.wait_for_pause(),
                false => later.handle(Input::Due),
            }
        };
        self.platform().clock.after(PAUSE, Box::new(due));
    }

    fn write(&self, entry: Entry, basis: Basis, content: Content, commits: u64, keep: Keep) {
        self.later(SLOW, Input::Slow(entry.clone()));
        let (library, saver) = (self.library(), self.clone());
        spawn_local(async move {
            let result = match library {
                Ok(library) => {
                    let written = library.write_what_fits(&entry, &basis, &content, keep);
                    written.await
                }
                Err(reason) => (Err(reason), None),
            };
            let (result, image_failed) = result;
            let is_image_missing = image_failed.is_some();
            saver.report_image(image_failed);
            saver.handle(Input::Written {
                entry,
                commits,
                result,
                is_image_missing,
            });
        });
    }

    /// Returns `true` if the image below the map isn't stored as it is shown.
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub fn is_image_unsaved(&self) -> bool {
        self.0.borrow().machine.is_image_unsaved()
    }

    /// Reports that the image below a map couldn't be stored, if there is a reason.
    fn report_image(&self, reason: Option<String>) {
        if let Some(reason) = reason {
            let text = format!("Couldn't store the background image: {reason}.");
            self.0.borrow().messages.show(text.into(), true, None);
        }
    }

    fn acquire(&self, id: String, tries: u32) {
        let platform = self.platform();
        library::remember(&platform, &id);
        self.forget_pending(&id);
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
            saver.handle(Input::Locked { id, granted });
        });
    }

    fn on_lost(&self, id: &str) -> impl Fn() + Clone + 'static {
        let (saver, id) = (self.clone(), id.to_owned());
        move || {
            saver.handle(Input::Locked {
                id: id.clone(),
                granted: false,
            });
        }
    }

    /// Creates a restore point of the open document. Returns the reason if that fails.
    pub async fn keep(&self, why: &str) -> Result<(), String> {
        self.library()?;
        if self.0.borrow().machine.hold() == Hold::Elsewhere {
            return Err("another tab has the document".to_owned());
        }
        self.handle(Input::Keep(why.to_owned()));
        if self.flush().await {
            return Ok(());
        }
        let saved = self.0.borrow().machine.saved();
        Err(match saved {
            Saved::Failed(reason) => reason,
            _ => "the document isn't saved yet".to_owned(),
        })
    }

    /// Returns `true` if another tab owns the document and it isn't being taken over.
    pub fn can_take_over(&self) -> bool {
        self.0.borrow().machine.can_take_over()
    }

    /// Takes the open document over from the tab that owns it, once that tab has written it.
    /// Completed by [`Saver::taken`].
    pub async fn take_over(&self) -> Option<Taken> {
        let (id, library) = (self.entry().id, self.library().ok()?);
        let platform = self.platform();
        self.handle(Input::TakeOver);
        let taken = async {
            platform.page.post(&id);
            let name = lock_name(&id);
            let on_lost = self.on_lost(&id);
            let mut lock = platform.take_lock(&name, ASKED, on_lost.clone()).await;
            if lock.is_none() {
                // A tab that the browser has suspended doesn't answer.
                let stolen = platform
                    .locks
                    .request(&name, LockMode::Force, Rc::new(on_lost));
                lock = stolen.await;
            }
            let mut entry = library.entry(&id).await?;
            let content = library.content(&id).await?;
            let file = library.file(&id).await;
            // A document in use must not be deleted some day.
            entry.deleted = None;
            Some(Taken {
                file: file.and_then(|file| OpenFile::of_stored(&file, &id)),
                content,
                entry,
                lock,
            })
        };
        let taken = taken.await;
        if taken.is_none() && self.entry().id == id {
            self.handle(Input::NotTakenOver);
        }
        taken
    }

    /// Makes this tab the writer of the document, whose text is shown next. Returns `true` if edits
    /// were made here, which are kept as a separate document, and `None` if another document was
    /// opened in the meantime.
    pub fn taken(&self, taken: Taken) -> Option<bool> {
        let Taken { entry, lock, .. } = taken;
        if self.entry().id != entry.id {
            return None;
        }
        let is_edited = !self.0.borrow().machine.is_written();
        let granted = lock.is_some();
        self.0.borrow_mut().lock = lock;
        self.handle(Input::TakenOver { entry, granted });
        Some(is_edited)
    }

    /// Reports that the other tab's document can't be taken over.
    pub fn not_taken(&self) {
        self.handle(Input::NotTakenOver);
    }
}

impl Inner {
    fn moment(&self) -> Moment {
        Moment {
            time: self.platform.clock.now(),
            title: self.open.document.with_untracked(|d| d.info.title.clone()),
            unused_id: self.platform.clock.unused_id().to_string(),
            page_id: self.platform.page.id(),
        }
    }
}
