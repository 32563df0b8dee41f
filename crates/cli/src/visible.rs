//! Text of files as a terminal may show it: nothing in it moves the cursor, changes colours or turns letters around.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal would do something with this character instead of showing it.
pub fn is_hidden(c: char) -> bool {
    c.is_control() || is_direction(c)
}

/// Characters that turn the direction of what follows (Unicode's Bidi_Control): with them, what is read is not what
/// stands there.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of lines, in which what cannot be seen is written as in `\u{1b}`.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_hidden(c) => drop(write!(shown, "\\u{{{:x}}}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown.into()
}
