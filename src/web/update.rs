//! The service worker, which keeps the editor for when there is no network, and
//! newer versions of it.

use gloo::events::EventListener;
use gloo::timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{EventTarget, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState};

/// How long after the start the worker is registered, in milliseconds: the first
/// plan comes first.
const AFTER: u32 = 1_500;
/// How often a page that stays open looks for a newer version, in milliseconds.
const EVERY: u32 = 60 * 60 * 1000;

/// What registers workers; undefined where the page did not come by HTTPS, or the
/// browser has none.
fn container() -> ServiceWorkerContainer {
    window().navigator().service_worker()
}

fn listen(target: &EventTarget, event: &'static str, heard: impl Fn() + 'static) {
    EventListener::new(target, event, move |_| heard()).forget();
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
    let registered = JsFuture::from(container().register("service-worker.js")).await;
    // Without it the editor works as before, as long as there is a network. Some browsers
    // say that they registered it and give nothing.
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
        // It fails where there is no network now.
        let _ = registration.update();
    })
    .forget();
}

/// Lets the newer version take over, and loads it.
pub async fn reload() {
    // What would refuse is a page that is left already.
    let again = || drop(window().location().reload());
    let registration = JsFuture::from(container().get_registration()).await;
    let registration = registration.ok().and_then(|r| r.dyn_into().ok());
    let waiting = registration.and_then(|r: ServiceWorkerRegistration| r.waiting());
    let Some(waiting) = waiting else {
        // Another tab has let it take over.
        return again();
    };
    listen(&container(), "controllerchange", again);
    let _ = waiting.post_message(&"take over".into());
}
