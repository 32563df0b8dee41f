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
    /// Whether it offers to undo the last step.
    pub undo: bool,
}
