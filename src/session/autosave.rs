//! Keeps the open document on the designer's disk, in IndexedDB, some 200 ms
//! after each commit.
//!
//! At most one tab holds a document, by a lock of its name. A tab that does not
//! hold what it shows writes nothing over it: what is edited there becomes a copy.
//! And whoever writes has to have seen the newest revision, whatever became of
//! the locks. A page that is left with something unsaved writes it to the local
//! storage as well, which needs no time; the next start prefers that.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use gloo::timers::callback::Timeout;
use gloo::timers::future::sleep;
use js_sys::Date;
use leptos::prelude::*;
use taskloom::document::Document;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{BroadcastChannel, MessageEvent};

use super::library::{self, Entry, Keep, Library};
use crate::web::locks::{self, Lock};

/// How long commits are gathered before they are written, in milliseconds.
const GATHER: u32 = 200;
/// How long edits go on before another restore point is kept, in milliseconds.
const INTERVAL: f64 = 10.0 * 60.0 * 1000.0;
/// How often a tab that is being left is asked for its document again.
const RELOADED: u32 = 6;
/// How often a tab that was asked to let go is given time: some 60 ms each.
const ASKED: u32 = 30;

/// Why a text cannot be left where that needs no time.
const FULL: &str = "the browser's storage is full";

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

struct Inner {
    document: Signal<Arc<Document>>,
    state: RwSignal<Saved>,
    hold: RwSignal<Hold>,
    library: Option<Library>,
    entry: Entry,
    lock: Option<Lock>,
    /// To the other tabs; none where the browser has no such thing.
    channel: Option<BroadcastChannel>,
    /// Counts commits; equal to `written` when all is on the disk.
    commits: u64,
    written: u64,
    writing: bool,
    timer: Option<Timeout>,
    /// Whether anything was edited since the document was opened.
    edited: bool,
    /// When the last restore point was kept.
    kept: f64,
}

/// Writes the document whenever it is told that it has changed.
#[derive(Clone)]
pub struct Autosave(Rc<RefCell<Inner>>);

fn lock_name(id: &str) -> String {
    format!("taskloom-{id}")
}

impl Autosave {
    /// Starts to save a document's signal as this entry; tells in `state` how
    /// that goes, and in `hold` whether it may.
    pub fn new(
        document: Signal<Arc<Document>>,
        entry: Entry,
        state: RwSignal<Saved>,
        hold: RwSignal<Hold>,
    ) -> Self {
        let autosave = Self(Rc::new(RefCell::new(Inner {
            document,
            state,
            hold,
            library: None,
            entry,
            lock: None,
            channel: BroadcastChannel::new("taskloom").ok(),
            commits: 0,
            written: 0,
            writing: false,
            timer: None,
            edited: false,
            kept: 0.0,
        })));
        autosave.acquire();
        let opening = autosave.clone();
        spawn_local(async move {
            match Library::open().await {
                Ok(library) => {
                    opening.0.borrow_mut().library = Some(library);
                    opening.write();
                }
                Err(reason) => state.set(Saved::Failed(reason)),
            }
        });
        let asked = autosave.clone();
        let on_message = Closure::<dyn Fn(_)>::new(move |event: MessageEvent| {
            if let Some(id) = event.data().as_string() {
                asked.let_go(&id);
            }
        });
        if let Some(channel) = &autosave.0.borrow().channel {
            let on_message = on_message.into_js_value();
            channel.set_onmessage(Some(on_message.unchecked_ref()));
        }
        let leaving = autosave.clone();
        let on_leave = Closure::<dyn FnMut()>::new(move || leaving.leave());
        let targets: [(web_sys::EventTarget, &str); 2] = [
            (window().unchecked_into(), "pagehide"),
            (
                leptos::prelude::document().unchecked_into(),
                "visibilitychange",
            ),
        ];
        for (target, event) in targets {
            let _ =
                target.add_event_listener_with_callback(event, on_leave.as_ref().unchecked_ref());
        }
        on_leave.forget();
        window_event_listener(leptos::ev::beforeunload, move |event| {
            // The browser asks whether to stay.
            if matches!(state.get_untracked(), Saved::Failed(_)) {
                event.prevent_default();
            }
        });
        autosave
    }

    /// The row of the open document.
    pub fn entry(&self) -> Entry {
        self.0.borrow().entry.clone()
    }

    /// Whether each commit is on the disk.
    pub fn is_written(&self) -> bool {
        let inner = self.0.borrow();
        inner.commits == inner.written
    }

    /// An edit, an undo or a redo changed the document.
    pub fn changed(&self) {
        self.0.borrow_mut().edited = true;
        self.gather();
    }

    fn gather(&self) {
        self.0.borrow_mut().commits += 1;
        self.write_soon();
        let state = self.0.borrow().state;
        if !matches!(state.get_untracked(), Saved::Writing | Saved::Failed(_)) {
            state.set(Saved::Writing);
        }
    }

    fn write_soon(&self) {
        let mut inner = self.0.borrow_mut();
        if inner.timer.is_none() {
            let later = self.clone();
            inner.timer = Some(Timeout::new(GATHER, move || {
                later.0.borrow_mut().timer = None;
                later.write();
            }));
        }
    }

    /// Writes what is unsaved, unless a write is under way: that one goes on with
    /// what came meanwhile.
    fn write(&self) {
        self.branch_if_unsaved();
        let (library, entry, text, commits, keep) = {
            let mut inner = self.0.borrow_mut();
            let asking = inner.hold.get_untracked() == Hold::Asking;
            if inner.commits == inner.written || inner.writing || asking {
                return;
            }
            let Some(library) = inner.library.clone() else {
                return;
            };
            inner.writing = true;
            let document = inner.document.get_untracked();
            inner.entry.next(&document);
            let entry = inner.entry.clone();
            let due = inner.edited && entry.changed - inner.kept > INTERVAL;
            if due {
                inner.kept = entry.changed;
            }
            let keep = if due { Keep::Before } else { Keep::Nothing };
            (library, entry, document.to_json(), inner.commits, keep)
        };
        let saving = self.clone();
        spawn_local(async move {
            let result = library.write(&entry, &text, keep).await;
            let (state, again) = {
                let mut inner = saving.0.borrow_mut();
                if inner.entry.id != entry.id {
                    // Another document was opened meanwhile, and wrote this one's end.
                    return;
                }
                inner.writing = false;
                match result {
                    Ok(true) => inner.written = commits,
                    Ok(false) => inner.hold.set(Hold::Elsewhere),
                    Err(_) => {}
                }
                (inner.state, inner.commits != inner.written)
            };
            match result {
                Ok(_) if again => saving.write(),
                Ok(_) => {
                    library::forget_left(&entry.id);
                    state.set(Saved::Yes);
                }
                Err(reason) => state.set(Saved::Failed(reason)),
            }
        });
    }

    /// Writes all that is unsaved; whether it is on the disk now.
    pub async fn flush(&self) -> bool {
        for _ in 0..200 {
            if self.is_written() {
                return true;
            }
            self.write();
            sleep(Duration::from_millis(20)).await;
        }
        false
    }

    /// Keeps a restore point of the open document.
    pub async fn keep(&self, why: &str) -> Result<(), String> {
        let (library, entry, text) = {
            let mut inner = self.0.borrow_mut();
            let library = inner.library.clone().ok_or("there is no storage")?;
            let document = inner.document.get_untracked();
            inner.entry.next(&document);
            (library, inner.entry.clone(), document.to_json())
        };
        match library
            .write(&entry, &text, Keep::Now(why.to_owned()))
            .await
        {
            Ok(true) => Ok(()),
            Ok(false) => Err("another tab has the document".to_owned()),
            Err(reason) => Err(reason),
        }
    }

    /// The page may be gone the next moment.
    fn leave(&self) {
        if self.is_written() {
            return;
        }
        self.branch_if_unsaved();
        let (id, document, state) = {
            let inner = self.0.borrow();
            let document = inner.document.get_untracked();
            (inner.entry.id.clone(), document, inner.state)
        };
        if !library::leave(&id, &document.to_json()) {
            // Until the write that comes now has succeeded.
            state.set(Saved::Failed(FULL.to_owned()));
        }
        self.write();
    }

    /// Asks for the right to write the open document.
    fn acquire(&self) {
        let (id, hold) = {
            let inner = self.0.borrow();
            (inner.entry.id.clone(), inner.hold)
        };
        library::remember(&id);
        hold.set(Hold::Asking);
        let asking = self.clone();
        spawn_local(async move {
            let lost = asking.on_lost(&id);
            let lock = locks::take(&lock_name(&id), RELOADED, lost).await;
            asking.settle(&id, lock);
        });
    }

    fn on_lost(&self, id: &str) -> impl Fn() + Clone + 'static {
        let (autosave, id) = (self.clone(), id.to_owned());
        move || autosave.settle(&id, None)
    }

    /// A lock was granted, refused or lost; of a document that is not open any
    /// more, it is let go.
    fn settle(&self, id: &str, lock: Option<Lock>) {
        let (hold, next) = {
            let mut inner = self.0.borrow_mut();
            if inner.entry.id != id {
                return;
            }
            let next = match lock {
                Some(_) => Hold::Here,
                None => Hold::Elsewhere,
            };
            inner.lock = lock;
            (inner.hold, next)
        };
        hold.set(next);
        // Not at once: the document that was just opened is shown first.
        self.write_soon();
    }

    /// Another tab wants the document that it names: it is written, then let go.
    fn let_go(&self, id: &str) {
        let held = {
            let inner = self.0.borrow();
            inner.entry.id == id && inner.lock.is_some()
        };
        if held {
            let (asked, id) = (self.clone(), id.to_owned());
            spawn_local(async move {
                asked.flush().await;
                asked.settle(&id, None);
            });
        }
    }

    /// Takes the open document over from the tab that has it, once that has
    /// written it; gives the document's row and text as they are then.
    pub async fn take_over(&self) -> Option<(Entry, String)> {
        let (id, channel, library) = {
            let inner = self.0.borrow();
            (
                inner.entry.id.clone(),
                inner.channel.clone(),
                inner.library.clone()?,
            )
        };
        if let Some(channel) = channel {
            let _ = channel.post_message(&id.as_str().into());
        }
        let name = lock_name(&id);
        let mut lock = locks::take(&name, ASKED, self.on_lost(&id)).await;
        if lock.is_none() {
            // A tab that the browser has put to sleep does not answer.
            lock = locks::steal(&name, self.on_lost(&id)).await;
        }
        let entry = library.entry(&id).await?;
        let text = library.text(&entry).await?;
        let (hold, granted) = {
            let mut inner = self.0.borrow_mut();
            if inner.entry.id != id {
                return None;
            }
            inner.entry = entry.clone();
            inner.lock = lock;
            (inner.hold, inner.lock.is_some())
        };
        hold.set(if granted { Hold::Here } else { Hold::Elsewhere });
        Some((entry, text))
    }

    /// Goes on with the open document as a document of its own.
    pub fn copy(&self) {
        self.branch();
        self.gather();
    }

    /// What is edited here while another tab has the document is a copy.
    fn branch_if_unsaved(&self) {
        let needed = {
            let inner = self.0.borrow();
            let unsaved = inner.commits != inner.written && !inner.writing;
            unsaved && inner.hold.get_untracked() == Hold::Elsewhere
        };
        if needed {
            self.branch();
        }
    }

    fn branch(&self) {
        let entry = Entry::fresh();
        let id = entry.id.clone();
        library::remember(&id);
        let hold = {
            let mut inner = self.0.borrow_mut();
            inner.entry = entry;
            inner.lock = None;
            inner.writing = false;
            inner.kept = Date::now();
            inner.hold
        };
        hold.set(Hold::Copy);
        // Nobody else knows the name; it is taken so that others will not.
        let branching = self.clone();
        spawn_local(async move {
            let lock = locks::take(&lock_name(&id), 0, || {}).await;
            let mut inner = branching.0.borrow_mut();
            if inner.entry.id == id {
                inner.lock = lock;
            }
        });
    }

    /// Another document is about to be opened, with the row `next`: the open one
    /// gets a restore point and is let go. Gives its row.
    pub fn switch(&self, next: Entry, why: &str) -> Entry {
        self.branch_if_unsaved();
        let (entry, state) = {
            let mut inner = self.0.borrow_mut();
            let unsaved = inner.commits != inner.written;
            let may_write = inner.hold.get_untracked() != Hold::Elsewhere;
            let document = inner.document.get_untracked();
            let (edited, library, lock) = (inner.edited, inner.library.clone(), inner.lock.take());
            let untouched = !edited && inner.entry.revision <= 1.0;
            if may_write && (unsaved || edited) {
                inner.entry.next(&document);
            }
            let entry = std::mem::replace(&mut inner.entry, next);
            (inner.commits, inner.written, inner.writing) = (0, 0, false);
            (inner.edited, inner.kept, inner.timer) = (false, 0.0, None);
            if untouched && crate::examples::is_one(&document) {
                // Nobody misses it in the list.
                let id = entry.id.clone();
                spawn_local(async move {
                    if let Some(library) = library {
                        let _ = library.remove(&id).await;
                    }
                    drop(lock);
                });
            } else if may_write && (unsaved || edited) {
                let text = document.to_json();
                let left = library::leave(&entry.id, &text);
                let keep = match edited {
                    true => Keep::Now(why.to_owned()),
                    false => Keep::Nothing,
                };
                let (entry, state) = (entry.clone(), inner.state);
                spawn_local(async move {
                    let written = match library {
                        Some(library) => library.write(&entry, &text, keep).await,
                        None if left => Ok(false),
                        None => Err(FULL.to_owned()),
                    };
                    match written {
                        Ok(true) => library::forget_left(&entry.id),
                        Ok(false) => {}
                        Err(reason) => state.set(Saved::Failed(reason)),
                    }
                    drop(lock);
                });
            }
            (entry, inner.state)
        };
        state.set(Saved::No);
        self.acquire();
        entry
    }

    /// The document of a new entry is open, and kept as it is.
    pub fn opened(&self) {
        self.gather();
    }
}
