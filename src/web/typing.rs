//! Text put into the field that has the focus.

use leptos::prelude::document;

use super::js;

/// Puts a text in the place of what is selected, as if it was typed: the field tells of it
/// by an `input` event, and the browser's undo takes it back. No other way of setting a
/// field's text leaves its undo alone, so that all browsers keep this one.
pub fn insert(text: &str) {
    let arguments = ["insertText".into(), false.into(), text.into()];
    let _ = js::call(&document(), "execCommand", &arguments);
}
