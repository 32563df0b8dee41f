//! Short messages that say what just happened, or why it did not.

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

/// What a message's button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Takes the last step back, which the message tells of: the offer goes when another
    /// step is made.
    Undo,
    /// Opens the document again that another has replaced.
    BringBack,
}
