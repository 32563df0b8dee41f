//! The keys of events, apart from those that an input method uses.

use leptos::ev::KeyboardEvent;

/// The code of all keys that an input method has handled. Safari reports the Enter that ends a composition only by this
/// code.
const PROCESSED: u32 = 229;

/// The name of the key that was pressed for the page.
pub trait TypedKey {
    /// Returns the name of the key; empty if it belongs to an input method. The Enter that takes a candidate, or the
    /// Escape that drops it, is no command of the page.
    fn typed_key(&self) -> String;
}

impl TypedKey for KeyboardEvent {
    fn typed_key(&self) -> String {
        typed(self.key(), self.is_composing(), self.key_code())
    }
}

fn typed(key: String, is_composing: bool, code: u32) -> String {
    match is_composing || code == PROCESSED {
        true => String::new(),
        false => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_an_input_method_have_no_name() {
        let key = |name: &str, is_composing, code| typed(name.to_owned(), is_composing, code);
        assert_eq!(key("Enter", false, 13), "Enter");
        assert_eq!(key("Enter", true, 13), "");
        assert_eq!(key("Enter", false, PROCESSED), "", "in Safari");
        assert_eq!(key("Escape", true, 27), "");
        assert_eq!(key("Process", false, PROCESSED), "", "in Chromium");
    }
}
