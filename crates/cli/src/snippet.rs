//! Diagnostics in the style of compilers: message, location, and the line with a mark under it.

use std::fmt::Write;
use std::ops::Range;

use taskloom_document::diagnostic::{Lines, Severity, Span};

use crate::visible::{Fitting, escaped, width, within};

/// Maximum number of characters shown of a line.
const LONGEST_LINE: usize = 200;
/// Maximum number of characters shown of a message, which may quote text from a file.
const LONGEST_MESSAGE: usize = 400;
/// Maximum number of diagnostics shown.
const MAX_SHOWN: usize = 100;

/// A text and its line index.
#[derive(Debug)]
pub struct Source {
    /// The file name as the user gave it.
    pub name: String,
    pub text: String,
    lines: Lines,
}

impl Source {
    pub fn new(name: &str, text: String) -> Self {
        Self {
            name: name.to_owned(),
            lines: Lines::of(&text),
            text,
        }
    }

    /// Formats a diagnostic with its line.
    pub fn show(&self, severity: Severity, message: &str, span: Span) -> String {
        self.show_about(severity, message, span, "")
    }

    /// Formats a diagnostic with its line and a description of the location.
    pub fn show_about(&self, severity: Severity, message: &str, span: Span, about: &str) -> String {
        let start = self.text.floor_char_boundary(span.range().start);
        let (line, column) = self.lines.position(&self.text, start);
        let place = format!("{}:{line}:{column}: {about}", self.name);
        let place = place.trim_end_matches([':', ' ']);
        let first = self.lines.start(line);
        let excerpt = Excerpt::of(&self.text, first, start..span.range().end);
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let mut out = headed(severity, message, place, &margin);
        let _ = writeln!(out, "{margin} |");
        let _ = writeln!(out, "{number} | {}", excerpt.line);
        let _ = writeln!(out, "{margin} | {}", excerpt.mark);
        out
    }
}

/// Formats the first diagnostics and their total count; empty if there are none. If not all fit,
/// errors come before warnings.
pub fn report<T>(
    found: &[T],
    severity: impl Fn(&T) -> Severity,
    show: impl Fn(&T) -> String,
) -> String {
    let is_error = |found: &&T| severity(found) == Severity::Error;
    let errors = found.iter().filter(is_error).count();
    let warnings = found.len() - errors;
    let mut room = [MAX_SHOWN, MAX_SHOWN.saturating_sub(errors)];
    let mut text = String::new();
    for diagnostic in found {
        let room = &mut room[usize::from(!is_error(&diagnostic))];
        if *room > 0 {
            *room -= 1;
            text += &show(diagnostic);
            text.push('\n');
        }
    }
    let counted = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    };
    let count = match (errors, warnings) {
        (0, 0) => return text,
        (0, warnings) => counted(warnings, "warning"),
        (errors, 0) => counted(errors, "error"),
        (errors, warnings) if found.len() > MAX_SHOWN => {
            counted(errors, "error") + " and " + &counted(warnings, "warning")
        }
        (errors, _) => counted(errors, "error"),
    };
    text += &match found.len() > MAX_SHOWN {
        true => format!("{count}; {MAX_SHOWN} shown"),
        false => count,
    };
    text
}

/// Formats a diagnostic without a line.
pub fn show_message(severity: Severity, message: &str, place: &str) -> String {
    headed(severity, message, place, "")
}

/// Formats a suggested fix.
pub fn show_fix(label: &str) -> String {
    format!("  = {}\n", within(label, LONGEST_MESSAGE))
}

fn headed(severity: Severity, message: &str, place: &str, margin: &str) -> String {
    let severity = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = within(message, LONGEST_MESSAGE);
    let place = within(place, LONGEST_MESSAGE);
    format!("{severity}: {message}\n{margin} --> {place}\n")
}

/// A line, or the part of a long line around a mark.
struct Excerpt {
    line: String,
    /// The line below: the mark, at its column.
    mark: String,
}

impl Excerpt {
    /// Takes an excerpt of the line that starts at the byte `first`, around a range of bytes.
    /// However long the line is, it reads no more of it than it shows.
    fn of(text: &str, first: usize, marked: Range<usize>) -> Self {
        let before = text.get(first..marked.start).unwrap_or_default();
        let after = text.get(marked.start..).unwrap_or_default();
        let rest_of_line = || after.chars().take_while(|c| *c != '\n');
        let mut left = Fitting::of(before.chars().rev(), LONGEST_LINE);
        let mut right = Fitting::of(rest_of_line(), LONGEST_LINE);
        let is_whole = left.is_whole && right.is_whole;
        if !is_whole || left.width + right.width > LONGEST_LINE {
            // Two characters are for the ellipses. The mark is in the middle, unless an end is
            // near.
            let room = LONGEST_LINE - 2;
            let room_before = (room / 2).max(room.saturating_sub(right.width));
            left = Fitting::of(before.chars().rev(), room_before);
            right = Fitting::of(rest_of_line(), room - left.width);
        }
        let before = &before[before.len() - left.bytes..];
        let after = &after[..right.bytes];
        let cut = |is_whole| if is_whole { "" } else { "…" };
        let line = [
            cut(left.is_whole),
            &escaped(before),
            &escaped(after.strip_suffix('\r').unwrap_or(after)),
            cut(right.is_whole),
        ];
        // Tabs stay, so that the mark lines up with its text.
        let blank = |c| {
            if c == '\t' {
                "\t".to_owned()
            } else {
                " ".repeat(width(c))
            }
        };
        let indent: String = cut(left.is_whole)
            .chars()
            .chain(before.chars())
            .map(blank)
            .collect();
        let marked = after.get(..marked.len()).unwrap_or(after);
        let marked: usize = marked.chars().map(width).sum();
        Self {
            line: line.concat(),
            mark: indent + &"^".repeat(marked.max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the excerpt and the part of it above the mark.
    fn marked(text: &str, range: Range<usize>) -> (String, String) {
        let first = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let Excerpt { line, mark } = Excerpt::of(text, first, range);
        assert!(line.chars().count() <= LONGEST_LINE, "{line}");
        let above = line.chars().zip(mark.chars());
        let above = above
            .filter(|(_, mark)| *mark == '^')
            .map(|(c, _)| c)
            .collect();
        (line, above)
    }

    #[test]
    fn marker_is_below_its_span_in_lines_of_any_length() {
        let mut cut = 0;
        for before in [0, 1, 90, 99, 100, 101, 150, 195, 300, 5_000] {
            for after in [0, 1, 90, 100, 150, 300, 5_000] {
                for (letter, shown) in [("x", "x"), ("ü", "ü"), ("\t", "\t"), ("\u{1b}", "\\u{1b}")]
                {
                    let start = format!("first\n{}", letter.repeat(before));
                    let text = format!("{start}wrong{}\r\nlast", letter.repeat(after));
                    let (line, above) = marked(&text, start.len()..start.len() + 5);
                    assert_eq!(above, "wrong", "{before} {after}");
                    let all = [
                        shown.repeat(before),
                        "wrong".to_owned(),
                        shown.repeat(after),
                    ]
                    .concat();
                    if line.contains('…') {
                        cut += 1
                    } else {
                        assert_eq!(line.trim_end_matches("\\u{d}"), all)
                    }
                }
            }
        }
        assert!(cut > 100, "{cut}");
        let (line, above) = marked(&"wrong".repeat(1_000), 0..5_000);
        assert!(
            line.ends_with('…') && above.len() == LONGEST_LINE - 2,
            "{line}"
        );
        assert_eq!(marked("", 0..1), (String::new(), String::new()));
    }
}
