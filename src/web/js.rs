//! What the browser has and `web-sys` does not name as stable (locks, streams that
//! compress, file pickers, durable transactions): reached by its name.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A property; undefined where there is none.
pub fn get(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

/// Sets a property; one that cannot be set stays as it is.
pub fn set(of: &JsValue, name: &str, value: impl Into<JsValue>) {
    let _ = Reflect::set(of, &name.into(), &value.into());
}

/// Calls a method.
pub fn call(of: &JsValue, method: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(of, &method.into())?.dyn_into()?;
    Reflect::apply(&method, of, &arguments.iter().collect())
}

/// Calls a method that gives a promise, and waits for it.
pub async fn wait(of: &JsValue, method: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let promise: Promise = call(of, method, arguments)?.dyn_into()?;
    JsFuture::from(promise).await
}

/// A new object of a class.
pub fn make(class: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    Reflect::construct(&class, &arguments.iter().collect::<Array>())
}

/// An object with these properties.
pub fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object: JsValue = Object::new().into();
    for (key, value) in entries {
        set(&object, key, value.clone());
    }
    object
}

/// The sentence of an error.
pub fn message(error: &JsValue) -> String {
    get(error, "message")
        .as_string()
        .unwrap_or_else(|| "the browser refused".to_owned())
}

/// Whether an error has this name.
pub fn is_named(error: &JsValue, name: &str) -> bool {
    get(error, "name").as_string().as_deref() == Some(name)
}
