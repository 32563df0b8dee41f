//! The browser as the session's platform.

use std::rc::Rc;

use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use gloo::timers::future::TimeoutFuture;
use leptos::prelude::{document, window, window_event_listener};
use taskloom_document::BlockId;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{BroadcastChannel, HtmlElement, MessageEvent};

use super::platform::{Clock, Database, Later, Notes, Page, Platform, Storage};
use super::{database, files, locks, random, storage};

/// Returns the platform that the page runs on.
pub fn platform() -> Platform {
    Platform {
        storage: Rc::new(Browser),
        notes: Rc::new(Browser),
        locks: Rc::new(locks::WebLocks),
        page: Rc::new(Tabs {
            id: random::block_id().to_string(),
            channel: BroadcastChannel::new("taskloom").ok(),
        }),
        clock: Rc::new(Browser),
        files: Rc::new(files::Pickers),
    }
}

struct Browser;

impl Storage for Browser {
    fn open(&self) -> Later<Result<Rc<dyn Database>, String>> {
        Box::pin(async {
            let database = database::IndexedDb::open().await?;
            Ok(Rc::new(database) as Rc<dyn Database>)
        })
    }

    fn is_persistent(&self) -> Later<Option<bool>> {
        Box::pin(async {
            let storage = window().navigator().storage();
            // It is missing on pages that weren't loaded over HTTPS.
            if storage.is_undefined() {
                return None;
            }
            let is_persistent = JsFuture::from(storage.persisted().ok()?).await.ok()?;
            Some(is_persistent.is_truthy())
        })
    }

    fn persist(&self) -> Later<()> {
        Box::pin(async {
            let storage = window().navigator().storage();
            if storage.is_undefined() {
                return;
            }
            if let Ok(asked) = storage.persist() {
                // If the browser refuses, the list of documents says so.
                let _ = JsFuture::from(asked).await;
            }
        })
    }
}

impl Notes for Browser {
    fn get(&self, key: &str) -> Option<String> {
        storage::get(key)
    }

    fn keep(&self, key: &str, text: &str) -> bool {
        storage::keep(key, text)
    }

    fn remove(&self, key: &str) {
        storage::remove(key);
    }

    fn keys(&self, prefix: &str) -> Vec<String> {
        storage::keys(prefix)
    }

    fn of_tab(&self, key: &str) -> Option<String> {
        storage::of_tab(key)
    }

    fn set_of_tab(&self, key: &str, text: &str) {
        storage::set_of_tab(key, text);
    }

    fn remove_of_tab(&self, key: &str) {
        storage::remove_of_tab(key);
    }

    fn keys_of_tab(&self, prefix: &str) -> Vec<String> {
        storage::keys_of_tab(prefix)
    }
}

impl Clock for Browser {
    fn now(&self) -> f64 {
        js_sys::Date::now()
    }

    fn after(&self, millis: u32, act: Box<dyn FnOnce()>) {
        Timeout::new(millis, act).forget();
    }

    fn sleep(&self, millis: u32) -> Later<()> {
        Box::pin(TimeoutFuture::new(millis))
    }

    fn unused_id(&self) -> BlockId {
        random::block_id()
    }
}

/// Takes the focus from the field that has it: a field hands over its text when it is left.
fn leave_field() {
    let field = document().active_element();
    let field = field.filter(|field| field.matches("input, textarea").unwrap_or(false));
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
        let _ = field.blur();
    }
}

/// This page, and the channel to the other tabs; `None` if the browser has no such channel.
struct Tabs {
    id: String,
    channel: Option<BroadcastChannel>,
}

impl Page for Tabs {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn post(&self, message: &str) {
        if let Some(channel) = &self.channel {
            let _ = channel.post_message(&message.into());
        }
    }

    fn on_message(&self, on_message: Box<dyn Fn(String)>) {
        let Some(channel) = &self.channel else {
            return;
        };
        let on_message = Closure::<dyn Fn(_)>::new(move |event: MessageEvent| {
            if let Some(message) = event.data().as_string() {
                on_message(message);
            }
        });
        let on_message = on_message.into_js_value();
        channel.set_onmessage(Some(on_message.unchecked_ref()));
    }

    fn on_leave(&self, left: Box<dyn Fn()>) {
        let left = Rc::new(left);
        let hidden = left.clone();
        EventListener::new(&window(), "pagehide", move |_| {
            leave_field();
            left();
        })
        .forget();
        EventListener::new(&document(), "visibilitychange", move |_| hidden()).forget();
    }

    fn ask_before_leaving(&self, asks: Box<dyn Fn() -> bool>) {
        window_event_listener(leptos::ev::beforeunload, move |event| {
            leave_field();
            if asks() {
                event.prevent_default();
            }
        });
    }
}
