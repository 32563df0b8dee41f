//! The files that the page consists of.

use js_sys::Promise;
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
    let asked = JsFuture::from(response(address, patience));
    async {
        let response: Response = asked.await?.dyn_into()?;
        if !response.ok() {
            return Err("the server doesn't have it".into());
        }
        JsFuture::from(response.text()?).await
    }
}
