//! Starting workers without further network requests.

use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, Url, Worker, WorkerOptions, WorkerType};

use super::page;

/// Waits for the page's own compiled program, then runs it as a worker.
const START: &str =
    "\nself.onmessage = ({ data }) => { self.onmessage = null; initSync({ module: data }); };\n";

/// The time limit for loading the script, in milliseconds; the page has loaded it before.
const PATIENCE: u32 = 60_000;

/// The program that every worker is started from; kept in memory, so that a stuck worker can be
/// replaced without a request.
pub struct WorkerProgram {
    script: String,
}

impl WorkerProgram {
    /// Loads the script that started this page's program.
    pub async fn load() -> Result<Self, JsValue> {
        let link = document()
            .query_selector("link[rel=modulepreload]")?
            .ok_or("the page names no script")?;
        let address = link.get_attribute("href").ok_or("no address")?;
        let script = page::file(&address, PATIENCE).await?;
        let parts = js_sys::Array::of2(&script, &JsValue::from_str(START));
        let kind = BlobPropertyBag::new();
        kind.set_type("text/javascript");
        let blob = Blob::new_with_str_sequence_and_options(&parts, &kind)?;
        Ok(Self {
            script: Url::create_object_url_with_blob(&blob)?,
        })
    }

    /// Returns a new worker, which starts automatically.
    pub fn start(&self) -> Result<Worker, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&self.script, &options)?;
        worker.post_message(&wasm_bindgen::module())?;
        Ok(worker)
    }
}
