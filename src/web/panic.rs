//! What happens when the program breaks.

/// Tells the designer when the program breaks, in place of a page that is silently dead.
pub fn install() {}
