//! Keeps the document on the designer's disk, in IndexedDB, some 200 ms after
//! each commit.
//!
//! Each browser tab has a slot of its own, so that two tabs never overwrite each
//! other. A page that is left with something unsaved writes it to the local
//! storage as well, which needs no time; the next start prefers that.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use taskloom_core::document::Document;
use taskloom_core::number;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::web::database::Database;
use crate::web::storage;

/// How long commits are gathered before they are written, in milliseconds.
const GATHER: u32 = 200;
/// How many tabs' documents are kept.
const SLOTS: usize = 8;
/// The local storage's key for what a page that was left had not saved.
const LEFT: &str = "taskloom.left";

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

/// What the keys of texts begin with that did not open.
const UNREADABLE: &str = "unreadable-";

struct Inner {
    document: Signal<Arc<Document>>,
    state: RwSignal<Saved>,
    database: Option<Database>,
    slot: String,
    /// Counts commits; equal to `written` when all is on the disk.
    commits: u64,
    written: u64,
    writing: bool,
    timer: Option<Timeout>,
}

/// Writes the document whenever it is told that it has changed.
#[derive(Clone)]
pub struct Autosave(Rc<RefCell<Inner>>);

impl Autosave {
    /// Starts to save a document's signal; tells in `state` how that goes.
    pub fn new(document: Signal<Arc<Document>>, state: RwSignal<Saved>) -> Self {
        let autosave = Self(Rc::new(RefCell::new(Inner {
            document,
            state,
            database: None,
            slot: storage::tab_slot(),
            commits: 0,
            written: 0,
            writing: false,
            timer: None,
        })));
        let opening = autosave.clone();
        spawn_local(async move {
            match Database::open().await {
                Ok(database) => {
                    opening.0.borrow_mut().database = Some(database);
                    opening.write();
                }
                Err(reason) => state.set(Saved::Failed(reason)),
            }
        });
        let leaving = autosave.clone();
        let on_leave = Closure::<dyn FnMut()>::new(move || leaving.leave());
        for (target, event) in [
            (
                window().unchecked_into::<web_sys::EventTarget>(),
                "pagehide",
            ),
            (document_target(), "visibilitychange"),
        ] {
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

    /// A commit, an undo or an opened file changed the document.
    pub fn changed(&self) {
        let mut inner = self.0.borrow_mut();
        inner.commits += 1;
        if inner.timer.is_none() {
            let later = self.clone();
            inner.timer = Some(Timeout::new(GATHER, move || {
                later.0.borrow_mut().timer = None;
                later.write();
            }));
        }
        let state = inner.state;
        drop(inner);
        if !matches!(state.get_untracked(), Saved::Writing | Saved::Failed(_)) {
            state.set(Saved::Writing);
        }
    }

    /// Writes what is unsaved, unless a write is under way: that one goes on with
    /// what came meanwhile.
    fn write(&self) {
        let (database, slot, text, commits) = {
            let mut inner = self.0.borrow_mut();
            let unsaved = inner.commits != inner.written;
            let Some(database) = inner.database.clone().filter(|_| unsaved && !inner.writing)
            else {
                return;
            };
            inner.writing = true;
            let text = inner.document.get_untracked().to_json();
            (database, inner.slot.clone(), text, inner.commits)
        };
        let saving = self.clone();
        spawn_local(async move {
            let entry = entry(&text, js_sys::Date::now());
            let result = database.put(&slot, Some(&entry)).await;
            let (state, again) = {
                let mut inner = saving.0.borrow_mut();
                inner.writing = false;
                if result.is_ok() {
                    inner.written = commits;
                }
                (inner.state, inner.commits != commits)
            };
            match result {
                Ok(()) if again => saving.write(),
                Ok(()) => {
                    storage::remove(LEFT);
                    state.set(Saved::Yes);
                }
                Err(reason) => state.set(Saved::Failed(reason)),
            }
        });
    }

    /// The page may be gone the next moment.
    fn leave(&self) {
        let (unsaved, text) = {
            let inner = self.0.borrow();
            let unsaved = inner.commits != inner.written;
            (
                unsaved,
                unsaved.then(|| inner.document.get_untracked().to_json()),
            )
        };
        if let Some(text) = text.filter(|_| unsaved) {
            storage::set(LEFT, &format!("{}\n{text}", js_sys::Date::now()));
            self.write();
        }
    }
}

fn document_target() -> web_sys::EventTarget {
    document().unchecked_into()
}

/// `[time, text]`
fn entry(text: &str, time: f64) -> JsValue {
    js_sys::Array::of2(&time.into(), &text.into()).into()
}

fn read_entry(entry: &JsValue) -> Option<(f64, String)> {
    let entry = entry.dyn_ref::<js_sys::Array>()?;
    Some((entry.get(0).as_f64()?, entry.get(1).as_string()?))
}

/// Puts aside what was kept and does not open, so that nothing overwrites it.
pub async fn keep_unreadable(text: &str) {
    if let Ok(database) = Database::open().await {
        let time = js_sys::Date::now();
        // A storage that refuses this has the text in its own slot until the next edit.
        let _ = database
            .put(&format!("{UNREADABLE}{time}"), Some(&entry(text, time)))
            .await;
    }
}

/// The text of the document that was open last: of this tab, or of the tab that
/// was used last. Entries of tabs long closed are cleared away.
pub async fn restore() -> Option<String> {
    let left = storage::get(LEFT).and_then(|text| {
        let (time, text) = text.split_once('\n')?;
        Some((number::read(time)?, text.to_owned()))
    });
    let mut entries = vec![];
    if let Ok(database) = Database::open().await {
        for key in database.keys().await.unwrap_or_default() {
            if key.starts_with(UNREADABLE) {
                continue;
            }
            if let Ok(Some(value)) = database.get(&key).await
                && let Some((time, text)) = read_entry(&value)
            {
                entries.push((time, key, text));
            }
        }
        taskloom_core::order::sort_by(&mut entries, |a, b| b.0.total_cmp(&a.0));
        for (_, key, _) in entries.drain(entries.len().min(SLOTS)..) {
            let _ = database.put(&key, None).await;
        }
    }
    let own = storage::tab_slot();
    let kept = entries
        .iter()
        .find(|e| e.1 == own)
        .or(entries.first())
        .map(|(time, _, text)| (*time, text.clone()));
    match (left, kept) {
        (Some(left), Some(kept)) => Some(if left.0 > kept.0 { left.1 } else { kept.1 }),
        (left, kept) => left.or(kept).map(|(_, text)| text),
    }
}
