//! Makes text from files safe for a terminal: nothing in it moves the cursor, changes colours or
//! reverses text.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes invisible characters of a multi-line text, as in `\u{1b}`.
pub fn text(text: &str) -> Cow<'_, str> {
    let is_shown = |c| matches!(c, '\n' | '\t') || is_visible(c);
    if text.chars().all(is_shown) {
        return text.into();
    }
    let parts = text
        .split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => escaped(line) + "\n",
            None => escaped(line),
        });
    parts.collect::<String>().into()
}

/// Escapes a text for one line: like [`text`], and line breaks become `\n`.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push('\t'),
            c if is_visible(c) => shown.push(c),
            c => drop(write!(shown, "\\u{{{:x}}}", u32::from(c))),
        }
    }
    shown
}

/// Fits a text on one line of at most `most` characters: keeps the beginning and the end of a
/// longer one.
pub fn within(text: &str, most: usize) -> String {
    if Fitting::of(text.chars(), most).is_whole {
        return escaped(text);
    }
    let start = Fitting::of(text.chars(), most / 2).bytes;
    let end = Fitting::of(text.chars().rev(), most - most / 2 - 1).bytes;
    let (start, end) = (&text[..start], &text[text.len() - end..]);
    format!("{}…{}", escaped(start), escaped(end))
}

/// Returns the number of characters shown for a character.
pub fn width(c: char) -> usize {
    match c {
        '\n' => 2,
        c if c == '\t' || is_visible(c) => 1,
        c => 4 + (u32::from(c).max(1).ilog2() / 4 + 1) as usize,
    }
}

/// The part of a text that fits into a width.
pub struct Fitting {
    pub bytes: usize,
    pub width: usize,
    /// `true` if the whole text fits.
    pub is_whole: bool,
}

impl Fitting {
    /// Measures the longest prefix that fits. Reads only one character past it.
    pub fn of(chars: impl Iterator<Item = char>, most: usize) -> Self {
        let mut fitting = Self {
            bytes: 0,
            width: 0,
            is_whole: true,
        };
        for c in chars {
            let width = fitting.width + width(c);
            if width > most {
                fitting.is_whole = false;
                break;
            }
            fitting.width = width;
            fitting.bytes += c.len_utf8();
        }
        fitting
    }
}

/// Returns `true` if a terminal shows this character without side effects. Characters that change
/// the text direction (Unicode's Bidi_Control) would make text read differently from its content.
fn is_visible(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !turns && !c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_displayed_width() {
        for c in (0..0x2_ffff).filter_map(char::from_u32) {
            assert_eq!(width(c), escaped(&c.to_string()).chars().count(), "{c:?}");
        }
    }

    #[test]
    fn output_contains_no_control_sequences() {
        let hostile = "a\0b\u{1b}[31m\rc\u{7f}\u{9b}2J\td\u{202e}txt\u{2069}\u{61c}\ne\u{fffd}ü";
        assert_eq!(
            text(hostile),
            "a\\u{0}b\\u{1b}[31m\\u{d}c\\u{7f}\\u{9b}2J\td\\u{202e}txt\\u{2069}\\u{61c}\ne\u{fffd}ü"
        );
        assert_eq!(text(&text(hostile)), text(hostile));
        assert!(matches!(text("plain\n\ttext"), Cow::Borrowed(_)));
    }

    #[test]
    fn shortened_texts_keep_their_ends() {
        assert_eq!(within("exactly ten", 11), "exactly ten");
        assert_eq!(within("one more than ten", 11), "one m…n ten");
        assert_eq!(within(&"\u{1b}".repeat(9), 20), "\\u{1b}…\\u{1b}");
    }
}
