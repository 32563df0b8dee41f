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
pub fn complete(asked: Promise) -> impl Future<Output = Result<Response, JsValue>> + use<> {
    // The browser reports a request as an uncaught error if it fails before anything waits for it. Waiting begins here,
    // not where the future is first polled, which may be later or never.
    let asked = JsFuture::from(asked);
    async {
        let response: Response = asked.await?.dyn_into()?;
        match response.ok() {
            true => Ok(response),
            false => Err("the server doesn't have it".into()),
        }
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use gloo::events::EventListener;
    use gloo::timers::future::sleep;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    async fn a_request_that_fails_before_it_is_awaited_is_no_uncaught_error() {
        let uncaught = Rc::new(Cell::new(0));
        let counter = Rc::clone(&uncaught);
        let _listener = EventListener::new(&window(), "unhandledrejection", move |event| {
            event.prevent_default();
            counter.set(counter.get() + 1);
        });
        let late = file("http://localhost:1/", 5_000);
        drop(bytes("http://localhost:1/", 5_000));
        sleep(std::time::Duration::from_millis(500)).await;
        assert!(late.await.is_err());
        assert_eq!(uncaught.get(), 0);
    }
}
