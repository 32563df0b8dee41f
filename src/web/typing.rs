//! Inserting text into the focused field.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

/// Replaces the selected text as if it was typed: the field emits an `input` event, and the
/// browser's undo reverts it. Every other method of setting a field's text breaks its undo, so all
/// browsers keep this one.
pub fn insert(text: &str) {
    let document: HtmlDocument = document().unchecked_into();
    let _ = document.exec_command_with_show_ui_and_value("insertText", false, text);
}
