//! Starts workers without asking the network again.

use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, Response, Url, Worker};

/// Waits for the compiled program, then becomes the worker.
const START: &str = "\nself.onmessage = ({ data }) => { self.onmessage = null; wasm_bindgen.initSync({ module: data }); };\n";

/// What every worker is started from; kept in memory, so that a stuck one can be
/// replaced without a request.
pub struct WorkerProgram {
    script: String,
    module: JsValue,
}

impl WorkerProgram {
    /// Takes the two files that index.html began to load.
    pub async fn load() -> Result<Self, JsValue> {
        let script = JsFuture::from(preloaded("worker-script").await?.text()?).await?;
        let bytes = JsFuture::from(preloaded("worker-program").await?.array_buffer()?).await?;
        let module = JsFuture::from(js_sys::WebAssembly::compile(&bytes)).await?;
        let parts = js_sys::Array::of2(&script, &JsValue::from_str(START));
        let kind = BlobPropertyBag::new();
        kind.set_type("text/javascript");
        let blob = Blob::new_with_str_sequence_and_options(&parts, &kind)?;
        Ok(Self {
            script: Url::create_object_url_with_blob(&blob)?,
            module,
        })
    }

    /// A new worker, which starts by itself.
    pub fn start(&self) -> Result<Worker, JsValue> {
        let worker = Worker::new(&self.script)?;
        worker.post_message(&self.module)?;
        Ok(worker)
    }
}

/// The answer to the request that index.html's `<link rel="preload">` of this id began.
async fn preloaded(id: &str) -> Result<Response, JsValue> {
    let link = document().get_element_by_id(id).ok_or("no preload link")?;
    let address = link.get_attribute("href").ok_or("no address")?;
    JsFuture::from(window().fetch_with_str(&address))
        .await?
        .dyn_into()
}
