//! Taskloom in the browser: the page. Planning and other long work runs in `taskloom-worker`.

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

#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

fn main() {
    web::panic::install();
    wasm_bindgen_futures::spawn_local(async {
        let platform = web::browser::platform();
        // The plan of an example is stored, so the planner isn't needed for its first paint.
        if session::library::is_returning(&platform) {
            web::worker::preload();
        }
        let mut start = session::library::start(&platform).await;
        if start.is_first {
            let (document, answers) = panels::start::first_document().await;
            start.show(document, answers);
        }
        mount_to_body(move || view! { <app::App start platform/> });
    });
}
