//! Widths of texts, without a screen: the size of a block depends only on its record, and is the
//! same on every computer.

/// The smallest and the largest width of a block that is as wide as its content, in graph units.
pub const WIDTHS: [i32; 2] = [100, 220];
/// The grid that the width of a block is a multiple of.
const GRID: i32 = 20;

/// A text on a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text<'a> {
    /// The title, beside its mark.
    Title(&'a str),
    /// A line of the expression language.
    Code(&'a str),
    /// A line of plain text.
    Note(&'a str),
    /// The label of an output.
    Outlet(&'a str),
}

impl Text<'_> {
    /// Returns the width that it needs, with the space around it.
    fn width(self) -> f64 {
        match self {
            Self::Title(text) => 54.0 + 13.0 * ems(text),
            Self::Code(text) => 26.0 + 6.6 * text.chars().count() as f64,
            Self::Note(text) => 26.0 + 11.0 * ems(text),
            Self::Outlet(text) => 28.0 + 12.0 * ems(text),
        }
    }
}

/// Returns the width of a block with these texts.
pub fn block_width<'a>(texts: impl IntoIterator<Item = Text<'a>>) -> i32 {
    let widest = texts.into_iter().map(Text::width).fold(0.0, f64::max);
    let [least, most] = WIDTHS;
    let steps = (widest / f64::from(GRID)).ceil() as i32;
    steps.saturating_mul(GRID).clamp(least, most)
}

/// Returns the approximate width of a line of plain text, in pixels, at a font size.
pub fn line_width(text: &str, size: f64) -> f64 {
    size * ems(text)
}

/// Returns the approximate width of a text in Inter, in units of its size.
fn ems(text: &str) -> f64 {
    let width = |character| match character {
        'i' | 'l' | 'j' | 'I' | ' ' => 0.27,
        '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.33,
        'f' | 't' | 'r' | '1' | '(' | ')' | '[' | ']' | '/' => 0.4,
        '-' | '_' => 0.47,
        'm' | 'w' | 'M' => 0.9,
        'W' | '@' | '%' => 1.02,
        'A'..='Z' => 0.72,
        ' '..='\u{10ff}' => 0.61,
        _ => 1.0,
    };
    text.chars().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_as_wide_as_their_widest_text_within_limits() {
        let title = Text::Title("open-box");
        assert_eq!(block_width([title]), 120);
        assert_eq!(block_width([title, Text::Code("at(box) and x > 1")]), 140);
        assert_eq!(block_width([]), 100);
        let long = "a".repeat(99);
        assert_eq!(block_width([Text::Note(&long)]), 220);
    }
}
