//! Taskloom in the browser. One program for the page and for its planning
//! worker, which share the core: two programs would be half as large again.

mod canvas;
mod examples;
mod job;
mod session;
mod views;
mod web;

use leptos::prelude::*;
use taskloom_core::document::Document;
use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

fn main() {
    match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        // A worker that cannot start is told of by the page's watchdog.
        Ok(scope) => drop(job::serve(&scope)),
        Err(_) => open_page(),
    }
}

fn open_page() {
    web::panic::install();
    wasm_bindgen_futures::spawn_local(async {
        let restored = session::autosave::restore().await;
        let opened = restored.as_deref().map(Document::from_json);
        let (document, trouble) = match opened {
            Some(Ok(document)) => (document, None),
            Some(Err(error)) => (examples::first(), Some(error.to_string())),
            None => (examples::first(), None),
        };
        if let (Some(_), Some(text)) = (&trouble, restored) {
            session::autosave::keep_unreadable(&text).await;
        }
        mount_to_body(move || view! { <views::App document trouble/> });
    });
}
