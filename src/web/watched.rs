//! The log that `taskloom watch` serves with the page, and its document.

use js_sys::Uint8Array;
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::page;

/// The query of the address that `taskloom watch` prints.
const QUERY: &str = "?watch";
/// The time limit of a request, in milliseconds.
const PATIENCE: u32 = 10_000;
/// A response of at least this length may not be all of the log, in bytes.
const LARGE: usize = 1 << 20;

/// Returns `true` if the page was opened to follow a log.
pub fn is_watching() -> bool {
    let query = window().location().search();
    query.is_ok_and(|query| query == QUERY)
}

/// Returns a text that the server has for the page: the `name` of the log, or its `document`.
pub async fn text(what: &str) -> Option<String> {
    let text = page::file(&format!("watch/{what}"), PATIENCE).await;
    text.ok()?.as_string()
}

/// A log, as far as it has arrived.
#[derive(Default)]
pub struct WatchedLog {
    /// The server's id of the file: another run in its place has another one.
    id: String,
    bytes: Vec<u8>,
}

impl WatchedLog {
    /// Fetches what the log has had in addition since the last time. If another run has replaced it, that one
    /// is fetched from its start. Returns `true` if anything has changed.
    ///
    /// # Errors
    /// Returns what the browser says if the server doesn't answer.
    pub async fn fetch(&mut self) -> Result<bool, JsValue> {
        let mut has_changed = false;
        loop {
            let address = format!("watch/log?from={}&id={}", self.bytes.len(), self.id);
            let response = page::complete(page::response(&address, PATIENCE)).await?;
            let header = |name| response.headers().get(name).ok().flatten();
            let id = header("Taskloom-Log").unwrap_or_default();
            let from = header("Taskloom-From").and_then(|from| from.parse().ok());
            let body = JsFuture::from(response.array_buffer()?).await?;
            let body = Uint8Array::new(&body).to_vec();
            let from: usize = from.unwrap_or(0);
            has_changed |= !body.is_empty() || from < self.bytes.len();
            self.id = id;
            self.bytes.truncate(from);
            self.bytes.extend_from_slice(&body);
            if body.len() < LARGE {
                return Ok(has_changed);
            }
        }
    }

    /// Returns its complete lines. The last one may still be written.
    pub fn lines(&self) -> &str {
        let end = self.bytes.iter().rposition(|byte| *byte == b'\n');
        let lines = &self.bytes[..end.map_or(0, |end| end + 1)];
        match std::str::from_utf8(lines) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&lines[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}
