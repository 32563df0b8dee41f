//! Says what happens to those who do not see it.

use leptos::prelude::document;

/// The id of the element that screen readers read out when it changes.
pub const ID: &str = "live";

/// Reads out a sentence.
pub fn say(sentence: &str) {
    if let Some(region) = document().get_element_by_id(ID) {
        region.set_text_content(Some(sentence));
    }
}
