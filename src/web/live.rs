//! Announcements for screen readers.

use leptos::prelude::document;

/// The id of the live region.
pub const ID: &str = "live";

/// Announces a sentence.
pub fn say(sentence: &str) {
    if let Some(region) = document().get_element_by_id(ID) {
        region.set_text_content(Some(sentence));
    }
}
