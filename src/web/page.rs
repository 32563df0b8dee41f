//! The files that the page consists of.

use js_sys::{Promise, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// Returns a promise of the response to a request for one of the page's files. The response must
/// be complete within `patience` milliseconds.
pub fn response(address: &str, patience: u32) -> Promise {
    let init = RequestInit::new();
    init.set_signal(Some(&AbortSignal::timeout_with_u32(patience)));
    window().fetch_with_str_and_init(address, &init)
}

/// Returns the text of one of the page's files. A response that takes longer than `patience`
/// milliseconds counts as none.
pub fn file(
    address: &str,
    patience: u32,
) -> impl Future<Output = Result<JsValue, JsValue>> + use<> {
    let asked = complete(response(address, patience));
    async { JsFuture::from(asked.await?.text()?).await }
}

/// Returns the bytes of one of the page's files, as [`file`] does.
pub fn bytes(
    address: &str,
    patience: u32,
) -> impl Future<Output = Result<Vec<u8>, JsValue>> + use<> {
    let asked = complete(response(address, patience));
    async {
        let buffer = JsFuture::from(asked.await?.array_buffer()?).await?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }
}

/// Waits for a response.
///
/// # Errors
/// Returns an error if there is none, or the server doesn't have the file.
pub async fn complete(asked: Promise) -> Result<Response, JsValue> {
    let response: Response = JsFuture::from(asked).await?.dyn_into()?;
    match response.ok() {
        true => Ok(response),
        false => Err("the server doesn't have it".into()),
    }
}
