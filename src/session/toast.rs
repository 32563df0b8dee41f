//! Short messages that say what just happened, or why it did not.

/// Characters of a message that are shown; more would be no message, and might freeze the page.
const MOST_SHOWN: usize = 400;

/// The beginning of a text that may be of any length.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// A message that goes away by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// Tells it from the others.
    pub id: u64,
    /// One sentence.
    pub text: String,
    /// Whether it tells of a failure.
    pub failed: bool,
    /// What it offers.
    pub offer: Option<Offer>,
}

impl Toast {
    /// A message with a text of any length.
    pub fn new(id: u64, text: &str, failed: bool, offer: Option<Offer>) -> Self {
        Self {
            id,
            text: shortened(text, MOST_SHOWN),
            failed,
            offer,
        }
    }
}

/// What a message's button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Takes the last step back, which the message tells of: the offer goes when another
    /// step is made.
    Undo,
    /// Opens the document again that another has replaced.
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
        assert_eq!(toast.text.chars().count(), MOST_SHOWN + 1);
    }
}
