//! The browser's error messages.

use js_sys::Error;
use wasm_bindgen::{JsCast, JsValue};

/// Returns the message of an error, or its name if it has none.
pub fn message(error: &JsValue) -> String {
    let error = error.dyn_ref::<Error>();
    let texts = error.map(|error| [error.message(), error.name()].map(String::from));
    let mut texts = texts.into_iter().flatten();
    texts
        .find(|text| !text.is_empty())
        .unwrap_or_else(|| "the browser refused".to_owned())
}

/// Returns `true` if an error has this name.
pub fn is_named(error: &JsValue, name: &str) -> bool {
    let error = error.dyn_ref();
    error.is_some_and(|error: &Error| error.name() == name)
}
