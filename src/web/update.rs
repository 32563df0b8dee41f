//! The service worker, which keeps the editor for when there is no network, and
//! newer versions of it.

use gloo::timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::js;
use crate::session::Session;

/// How long after the start the worker is registered, in milliseconds: the first
/// plan comes first.
const AFTER: u32 = 1_500;
/// How often a page that stays open looks for a newer version, in milliseconds.
const EVERY: u32 = 60 * 60 * 1000;

fn container() -> JsValue {
    js::get(&window().navigator(), "serviceWorker")
}

fn listen(target: &JsValue, event: &str, heard: impl Fn() + 'static) {
    let heard = Closure::<dyn Fn()>::new(heard).into_js_value();
    let _ = js::call(target, "addEventListener", &[event.into(), heard]);
}

/// Registers the worker; says whether a newer version waits to be used.
pub fn watch() -> ReadSignal<bool> {
    let (ready, set_ready) = signal(false);
    // While the page is developed, it shall never be an older one.
    if !cfg!(debug_assertions) && !container().is_undefined() {
        Timeout::new(AFTER, move || spawn_local(register(set_ready))).forget();
    }
    ready
}

async fn register(ready: WriteSignal<bool>) {
    let registered = js::wait(&container(), "register", &["service-worker.js".into()]).await;
    // Without it the editor works as before, as long as there is a network.
    let Ok(registration) = registered else {
        return;
    };
    if js::get(&registration, "waiting").is_truthy() {
        ready.set(true);
    }
    let found = registration.clone();
    listen(&registration, "updatefound", move || {
        let installing = js::get(&found, "installing");
        let worker = installing.clone();
        listen(&installing, "statechange", move || {
            let installed = js::get(&worker, "state") == "installed";
            // The very first one replaces none.
            if installed && js::get(&container(), "controller").is_truthy() {
                ready.set(true);
            }
        });
    });
    Interval::new(EVERY, move || {
        let _ = js::call(&registration, "update", &[]);
    })
    .forget();
}

/// Saves, lets the newer version take over, and loads it.
pub fn reload(session: Session) {
    spawn_local(async move {
        if !session.flush().await {
            return session.complain("Not reloaded: the document is not saved yet.");
        }
        // What would refuse is a page that is left already.
        let again = || drop(window().location().reload());
        let registration = js::wait(&container(), "getRegistration", &[]).await;
        let waiting = js::get(&registration.unwrap_or_default(), "waiting");
        if waiting.is_falsy() {
            // Another tab has let it take over.
            return again();
        }
        listen(&container(), "controllerchange", again);
        let _ = js::call(&waiting, "postMessage", &["take over".into()]);
    });
}
