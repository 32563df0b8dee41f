//! Conflicts of a merge that nobody has resolved: version control marks them in the text of a file.

use crate::diagnostic::Span;

/// The marker with which a conflict begins.
const MARKER: &str = "<<<<<<<";

/// The maximum number of characters shown of a marker's line.
const SHOWN: usize = 60;

/// Returns the first line of a text with a conflict, and what to tell the designer; `None` if there is
/// none. Such a line is part of no valid file.
pub fn conflict(text: &str) -> Option<(Span, String)> {
    let mut start = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let shown = line.trim_end();
        if shown.starts_with(MARKER) {
            let marker: String = shown.chars().take(SHOWN).collect();
            let message =
                format!("this file has unresolved merge conflicts (line {number}: {marker})");
            return Some((Span::new(start, start + shown.len()), message));
        }
        start += line.len();
    }
    None
}
