//! The browser's session history: its Back and Forward buttons.

use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// Adds an entry with this number after the current one, at the same address.
pub fn push(number: u32) {
    if let Ok(history) = window().history() {
        let _ = history.push_state(&JsValue::from(number), "");
    }
}

/// Returns the number of the current entry; 0 if it has none.
pub fn number() -> u32 {
    let state = window().history().and_then(|history| history.state());
    let number = state.ok().and_then(|state| state.as_f64());
    number.map_or(0, |number| number as u32)
}
