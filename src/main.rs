//! Taskloom's page: one Leptos application over one open document.

mod canvas;
mod examples;
mod job;
mod session;
mod views;
mod web;

use leptos::prelude::*;
use taskloom_core::document::Document;

fn main() {
    web::panic::install();
    wasm_bindgen_futures::spawn_local(async {
        let restored = session::autosave::restore().await;
        let document = restored
            .and_then(|text| Document::from_json(&text).ok())
            .unwrap_or_else(examples::first);
        mount_to_body(move || view! { <views::App document/> });
    });
}
