//! Short messages that report what just happened, or why it failed.

/// The maximum number of characters shown of a message; longer text might freeze the page.
const MAX_SHOWN: usize = 400;

/// Returns the beginning of a text of any length.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// A message that disappears automatically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The unique id of the message.
    pub id: u64,
    /// One sentence.
    pub text: String,
    /// `true` if it reports a failure.
    pub failed: bool,
    /// The offered action.
    pub offer: Option<Offer>,
}

impl Toast {
    /// Creates a message from a text of any length.
    pub fn new(id: u64, text: &str, failed: bool, offer: Option<Offer>) -> Self {
        Self {
            id,
            text: shortened(text, MAX_SHOWN),
            failed,
            offer,
        }
    }
}

/// The action of a message's button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Undoes the step that the message reports. The offer is withdrawn when another step is made.
    Undo,
    /// Reopens the document that was replaced.
    BringBack,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_long_text_is_shown() {
        assert_eq!(shortened("Opened “ä”.", 11), "Opened “ä”.");
        assert_eq!(shortened("Opened “äöü”.", 9), "Opened “ä…");
        let toast = Toast::new(1, &"x".repeat(50_000_000), true, None);
        assert_eq!(toast.text.chars().count(), MAX_SHOWN + 1);
    }
}
