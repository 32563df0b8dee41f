//! The files that the page is made of.

use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// The text of a file of the page. It is asked for at once, before anyone waits for
/// the future; in the way of `<link rel="preload" as="fetch" crossorigin="anonymous">`,
/// so that one that is preloaded is not loaded again.
pub fn file(address: &str) -> impl Future<Output = Result<JsValue, JsValue>> + use<> {
    let asked = JsFuture::from(window().fetch_with_str(address));
    async {
        let response: Response = asked.await?.dyn_into()?;
        if !response.ok() {
            return Err("the server does not have it".into());
        }
        JsFuture::from(response.text()?).await
    }
}
