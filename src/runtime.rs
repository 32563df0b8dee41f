//! The run-time part of exports: files beside the page, loaded with it, so that an
//! export asks the network for nothing.

use std::sync::OnceLock;

use taskloom_core::export::RUNTIME;
use wasm_bindgen_futures::spawn_local;

use crate::web::page;

/// How long they may take, in milliseconds. Nobody waits for them before an export.
const PATIENCE: u32 = 60_000;

static LOADED: [OnceLock<String>; RUNTIME.len()] = [const { OnceLock::new() }; RUNTIME.len()];

/// Asks for all of them; index.html names them as well, so that they load beside the program.
pub fn load() {
    for (path, place) in RUNTIME.iter().zip(&LOADED) {
        let asked = page::file(path, PATIENCE);
        spawn_local(async move {
            if let Some(text) = asked.await.ok().and_then(|text| text.as_string()) {
                // The page starts once.
                let _ = place.set(text);
            }
        });
    }
}

/// The text of one of them.
///
/// # Errors
/// Why it is not there.
pub fn text(path: &str) -> Result<&'static str, String> {
    let mut all = RUNTIME.iter().zip(&LOADED);
    let found = all.find(|(own, _)| **own == path);
    let text = found.and_then(|(_, place)| place.get());
    text.map(String::as_str)
        .ok_or_else(|| format!("{path} did not load with the page: reload it and export again."))
}
