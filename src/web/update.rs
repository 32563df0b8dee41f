//! The service worker, which makes the editor available offline, and newer versions of it.

use gloo::events::EventListener;
use gloo::timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{EventTarget, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState};

/// The delay after the start before the worker is registered, in milliseconds: the first plan takes
/// precedence.
const AFTER: u32 = 1_500;
/// The interval at which an open page checks for a newer version, in milliseconds.
const EVERY: u32 = 60 * 60 * 1000;

/// Returns the object that registers workers; undefined if the page wasn't loaded over HTTPS, or
/// the browser has none.
fn container() -> ServiceWorkerContainer {
    window().navigator().service_worker()
}

fn listen(target: &EventTarget, event: &'static str, heard: impl Fn() + 'static) {
    EventListener::new(target, event, move |_| heard()).forget();
}

/// Registers the worker. The signal is `true` if a newer version is ready for use.
pub fn watch() -> ReadSignal<bool> {
    let (ready, set_ready) = signal(false);
    // During development, the page must never be an older one.
    if !cfg!(debug_assertions) && !container().is_undefined() {
        Timeout::new(AFTER, move || spawn_local(register(set_ready))).forget();
    }
    ready
}

async fn register(ready: WriteSignal<bool>) {
    let registered = JsFuture::from(container().register("service-worker.js")).await;
    // Without it the editor still works while there is a network. Some browsers report success but
    // return nothing.
    let registered = registered
        .ok()
        .and_then(|registered| registered.dyn_into().ok());
    let Some(registration): Option<ServiceWorkerRegistration> = registered else {
        return;
    };
    if registration.waiting().is_some() {
        ready.set(true);
    }
    let found = registration.clone();
    listen(&registration, "updatefound", move || {
        let Some(worker) = found.installing() else {
            return;
        };
        let changed = worker.clone();
        listen(&worker, "statechange", move || {
            let installed = changed.state() == ServiceWorkerState::Installed;
            // The very first one replaces none.
            if installed && container().controller().is_some() {
                ready.set(true);
            }
        });
    });
    Interval::new(EVERY, move || {
        // It fails if there is no network at the moment.
        let _ = registration.update();
    })
    .forget();
}

/// Activates the newer version and loads it.
pub async fn reload() {
    // An error would mean that the page is already being left.
    let again = || drop(window().location().reload());
    let registration = JsFuture::from(container().get_registration()).await;
    let registration = registration.ok().and_then(|r| r.dyn_into().ok());
    let waiting = registration.and_then(|r: ServiceWorkerRegistration| r.waiting());
    let Some(waiting) = waiting else {
        // Another tab has activated it.
        return again();
    };
    listen(&container(), "controllerchange", again);
    let _ = waiting.post_message(&"take over".into());
}
