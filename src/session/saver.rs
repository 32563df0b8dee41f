//! Keeps the open document on the designer's disk, in IndexedDB, some 200 ms
//! after each commit: does in the browser what [`Autosave`] commands.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::timers::callback::Timeout;
use js_sys::{Date, Function, Promise};
use leptos::prelude::*;
use taskloom::document::Document;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{BroadcastChannel, MessageEvent};

use super::autosave::{Autosave, Command, Hold, Input, Moment, Saved};
use super::library::{self, Entry, Keep, Library, lock_name};
use crate::web::locks::{self, Lock};

/// How long commits are gathered before they are written, in milliseconds.
const GATHER: u32 = 200;
/// How often a tab that was asked to let go is given time: some 60 ms each.
const ASKED: u32 = 30;
/// How long one waits at most for what is unsaved to be written, in milliseconds.
const PATIENCE: u32 = 4_000;

/// Why a text cannot be left where that needs no time.
const FULL: &str = "the browser's storage is full";

struct Inner {
    machine: Autosave,
    document: Signal<Arc<Document>>,
    state: RwSignal<Saved>,
    hold: RwSignal<Hold>,
    library: Result<Library, String>,
    lock: Option<Lock>,
    /// To the other tabs; none where the browser has no such thing.
    channel: Option<BroadcastChannel>,
    timer: Option<Timeout>,
    /// Who waits for all to be written.
    waiting: Vec<Function>,
}

/// Writes the document whenever it is told that it has changed.
#[derive(Clone)]
pub struct Saver(Rc<RefCell<Inner>>);

impl Saver {
    /// Starts to save a document's signal as this entry; tells in `state` how
    /// that goes, and in `hold` whether it may.
    pub fn new(
        document: Signal<Arc<Document>>,
        entry: Entry,
        library: Result<Library, String>,
        state: RwSignal<Saved>,
        hold: RwSignal<Hold>,
    ) -> Self {
        let (machine, commands) =
            Autosave::new(entry, library.as_ref().map(drop).map_err(Clone::clone));
        let saver = Self(Rc::new(RefCell::new(Inner {
            machine,
            document,
            state,
            hold,
            library,
            lock: None,
            channel: BroadcastChannel::new("taskloom").ok(),
            timer: None,
            waiting: vec![],
        })));
        saver.run(commands);
        saver.listen();
        saver
    }

    fn listen(&self) {
        let asked = self.clone();
        let on_message = Closure::<dyn Fn(_)>::new(move |event: MessageEvent| {
            if let Some(id) = event.data().as_string() {
                asked.hear(Input::Wanted(id));
            }
        });
        if let Some(channel) = &self.0.borrow().channel {
            let on_message = on_message.into_js_value();
            channel.set_onmessage(Some(on_message.unchecked_ref()));
        }
        let leaving = self.clone();
        let on_leave = Closure::<dyn FnMut()>::new(move || leaving.hear(Input::Left));
        let targets: [(web_sys::EventTarget, &str); 2] = [
            (window().unchecked_into(), "pagehide"),
            (document().unchecked_into(), "visibilitychange"),
        ];
        for (target, event) in targets {
            let _ =
                target.add_event_listener_with_callback(event, on_leave.as_ref().unchecked_ref());
        }
        on_leave.forget();
        let state = self.0.borrow().state;
        window_event_listener(leptos::ev::beforeunload, move |event| {
            // The browser asks whether to stay.
            if matches!(state.get_untracked(), Saved::Failed(_)) {
                event.prevent_default();
            }
        });
    }

    /// The row of the open document.
    pub fn entry(&self) -> Entry {
        self.0.borrow().machine.entry().clone()
    }

    /// The row of the document that was open before.
    pub fn closed(&self) -> Option<Entry> {
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
        let (state, hold, saved, held, ended) = {
            let mut inner = self.0.borrow_mut();
            let saved = inner.machine.saved().clone();
            let ended = inner.machine.is_written() || matches!(saved, Saved::Failed(_));
            let ended = if ended {
                std::mem::take(&mut inner.waiting)
            } else {
                vec![]
            };
            let held = inner.machine.hold();
            (inner.state, inner.hold, saved, held, ended)
        };
        if state.with_untracked(|state| *state != saved) {
            state.set(saved);
        }
        if hold.get_untracked() != held {
            hold.set(held);
        }
        for resolve in ended {
            let _ = resolve.call0(&JsValue::NULL);
        }
    }

    fn perform(&self, command: Command) {
        let text = || self.0.borrow().document.get_untracked().to_json();
        match command {
            Command::Wait => self.wait(),
            Command::Write {
                entry,
                commits,
                keep,
            } => {
                let (library, text, saver) = (self.library(), text(), self.clone());
                spawn_local(async move {
                    let result = match library {
                        Ok(library) => library.write(&entry, &text, keep).await,
                        Err(reason) => Err(reason),
                    };
                    saver.hear(Input::Written {
                        id: entry.id,
                        commits,
                        result,
                    });
                });
            }
            Command::Leave(id) => {
                if !library::leave(&id, &text()) {
                    // Until the write that comes now has succeeded.
                    self.hear(Input::Lost(FULL.to_owned()));
                }
            }
            Command::ForgetLeft(id) => library::forget_left(&id),
            Command::Acquire(id, tries) => self.acquire(id, tries),
            Command::Release => drop(self.0.borrow_mut().lock.take()),
            Command::Close(entry, keep) => self.close(entry, text(), keep),
            Command::Discard(id) => {
                let (library, lock) = (self.library(), self.0.borrow_mut().lock.take());
                spawn_local(async move {
                    if let Ok(library) = library {
                        let _ = library.remove(&id).await;
                    }
                    drop(lock);
                });
            }
        }
    }

    fn library(&self) -> Result<Library, String> {
        self.0.borrow().library.clone()
    }

    fn wait(&self) {
        let mut inner = self.0.borrow_mut();
        if inner.timer.is_none() {
            let later = self.clone();
            inner.timer = Some(Timeout::new(GATHER, move || {
                later.0.borrow_mut().timer = None;
                later.hear(Input::Due);
            }));
        }
    }

    fn acquire(&self, id: String, tries: u32) {
        library::remember(&id);
        let saver = self.clone();
        spawn_local(async move {
            let lock = locks::take(&lock_name(&id), tries, saver.on_lost(&id)).await;
            let granted = lock.is_some();
            if saver.entry().id == id {
                saver.0.borrow_mut().lock = lock;
            }
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

    /// Keeps a document for the last time.
    fn close(&self, entry: Entry, text: String, keep: Keep) {
        let is_left = library::leave(&entry.id, &text);
        let (library, lock) = (self.library(), self.0.borrow_mut().lock.take());
        let saver = self.clone();
        spawn_local(async move {
            let written = match library {
                Ok(library) => library.write(&entry, &text, keep).await,
                Err(_) if is_left => Ok(false),
                Err(_) => Err(FULL.to_owned()),
            };
            match written {
                Ok(true) => library::forget_left(&entry.id),
                Ok(false) => {}
                Err(reason) => saver.hear(Input::Lost(reason)),
            }
            drop(lock);
        });
    }

    /// Writes all that is unsaved; whether it is on the disk now.
    pub async fn flush(&self) -> bool {
        let mut ended = None;
        let ending = Promise::new(&mut |resolve, _| ended = Some(resolve));
        if let Some(ended) = ended {
            let too_late = ended.clone();
            Timeout::new(PATIENCE, move || drop(too_late.call0(&JsValue::NULL))).forget();
            self.0.borrow_mut().waiting.push(ended);
        }
        self.hear(Input::Flush);
        // It is kept, never refused.
        let _ = JsFuture::from(ending).await;
        self.0.borrow().machine.is_written()
    }

    /// Keeps a restore point of the open document.
    pub async fn keep(&self, why: &str) -> Result<(), String> {
        let library = self.library()?;
        let (entry, text) = {
            let mut inner = self.0.borrow_mut();
            let now = inner.moment();
            let document = inner.document.get_untracked();
            (inner.machine.next_entry(&now), document.to_json())
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

    /// Takes the open document over from the tab that has it, once that has
    /// written it; gives the document's text as it is then.
    pub async fn take_over(&self) -> Option<String> {
        let (id, library) = (self.entry().id, self.library().ok()?);
        if let Some(channel) = &self.0.borrow().channel {
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
        if self.entry().id != id {
            return None;
        }
        let granted = lock.is_some();
        self.0.borrow_mut().lock = lock;
        self.hear(Input::TakenOver { entry, granted });
        Some(text)
    }
}

impl Inner {
    fn moment(&self) -> Moment {
        Moment {
            time: Date::now(),
            title: self.document.with_untracked(|d| d.info.title.clone()),
            unused_id: crate::web::random::block_id().to_string(),
        }
    }
}
