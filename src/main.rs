//! Taskloom in the browser. A single program serves as the page and as its planning worker, which
//! share the core: two programs would be half as large again.

mod app;
mod canvas;
mod commands;
mod diagram;
mod examples;
mod expression;
mod kinds;
mod page;
mod panels;
mod session;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod testing;
mod ui;
mod web;
mod worker;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

fn main() {
    match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        // A worker that can't start is reported by the page's watchdog.
        Ok(scope) => drop(worker::serve(&scope)),
        Err(_) => open_page(),
    }
}

fn open_page() {
    web::panic::install();
    wasm_bindgen_futures::spawn_local(async {
        let platform = web::browser::platform();
        let start = session::library::start(&platform).await;
        mount_to_body(move || view! { <app::App start platform/> });
    });
}
