//! Starting workers without further network requests.

use js_sys::WebAssembly;
use leptos::prelude::document;
use taskloom_worker::Program;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, Response, Url, Worker, WorkerOptions, WorkerType};

use super::page;

/// Waits for the compiled program, then runs it.
const START: &str =
    "\nself.onmessage = ({ data }) => { self.onmessage = null; initSync({ module: data }); };\n";

/// Returns the ids of the links to a program's files in index.html: its script, and the program.
fn ids(program: Program) -> [&'static str; 2] {
    match program {
        Program::Planner => ["worker-script", "worker-program"],
        Program::Jobs => ["jobs-script", "jobs-program"],
    }
}

/// The time limit for loading each file, in milliseconds.
const PATIENCE: u32 = 60_000;

/// A program that workers are started from; kept in memory, so that a stuck worker can be
/// replaced without a request.
pub struct WorkerProgram {
    script: String,
    module: JsValue,
}

impl WorkerProgram {
    /// Loads the program from the files that index.html links to.
    ///
    /// # Errors
    /// Returns the browser's error if a file can't be loaded or isn't a program.
    pub async fn load(program: Program) -> Result<Self, JsValue> {
        let [script, program] = ids(program);
        let script = page::file(&address(script)?, PATIENCE);
        let module = compiled(&address(program)?).await?;
        let parts = js_sys::Array::of2(&script.await?, &JsValue::from_str(START));
        let kind = BlobPropertyBag::new();
        kind.set_type("text/javascript");
        let blob = Blob::new_with_str_sequence_and_options(&parts, &kind)?;
        Ok(Self {
            script: Url::create_object_url_with_blob(&blob)?,
            module,
        })
    }

    /// Returns a new worker, which starts automatically. Developer tools show its name.
    pub fn start(&self, name: &str) -> Result<Worker, JsValue> {
        let options = WorkerOptions::new();
        options.set_name(name);
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&self.script, &options)?;
        worker.post_message(&self.module)?;
        Ok(worker)
    }
}

/// Loads and compiles a program.
async fn compiled(address: &str) -> Result<JsValue, JsValue> {
    let response = page::response(address, PATIENCE);
    if let Ok(module) = JsFuture::from(WebAssembly::compile_streaming(&response)).await {
        return Ok(module);
    }
    // The server may not know the media type of programs.
    let response: Response = JsFuture::from(page::response(address, PATIENCE))
        .await?
        .dyn_into()?;
    let bytes = JsFuture::from(response.array_buffer()?).await?;
    JsFuture::from(WebAssembly::compile(&bytes)).await
}

/// Starts fetching the planner's files, which [`WorkerProgram::load`] waits for.
pub fn preload() {
    for id in ids(Program::Planner) {
        if let Some(link) = document().get_element_by_id(id) {
            // If it fails, loading fetches them.
            let _ = link.set_attribute("rel", "preload");
        }
    }
}

/// Returns the name of a program's file, which contains its hash.
pub fn file_name(program: Program) -> Option<String> {
    let [_, program] = ids(program);
    let address = address(program).ok()?;
    address.rsplit('/').next().map(str::to_owned)
}

/// Returns the address of a file by the id of its link.
fn address(id: &str) -> Result<String, JsValue> {
    let link = document().get_element_by_id(id);
    let address = link.and_then(|link| link.get_attribute("href"));
    address.ok_or_else(|| format!("the page has no link {id}").into())
}
