//! Text put into the field that has the focus.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

/// Puts a text in the place of what is selected, as if it was typed: the field tells of it
/// by an `input` event, and the browser's undo takes it back. No other way of setting a
/// field's text leaves its undo alone, so that all browsers keep this one.
pub fn insert(text: &str) {
    let document: HtmlDocument = document().unchecked_into();
    let _ = document.exec_command_with_show_ui_and_value("insertText", false, text);
}
