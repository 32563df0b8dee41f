//! The arguments of the call at the caret, which are filled in one after the other.

use std::ops::Range;

/// Returns the first argument of the first call in a text; `None` if no call has arguments.
pub fn first(text: &str) -> Option<Range<usize>> {
    let open = text.find('(')?;
    Some(argument(text, open + 1))
}

/// Returns the argument after the one at the caret, in the same call or in one around it; `None`
/// at the last one.
pub fn next(text: &str, caret: usize) -> Option<Range<usize>> {
    let mut from = caret;
    loop {
        match end(text, from)? {
            (comma, ',') => return Some(argument(text, comma + 1)),
            (close, _) => from = close + 1,
        }
    }
}

/// Returns the offset after the call at the caret; `None` outside of calls.
pub fn after_call(text: &str, caret: usize) -> Option<usize> {
    let mut from = caret;
    loop {
        match end(text, from)? {
            (comma, ',') => from = comma + 1,
            (close, _) => return Some(close + 1),
        }
    }
}

/// Returns the comma or parenthesis that ends the argument at an offset.
fn end(text: &str, from: usize) -> Option<(usize, char)> {
    let mut depth = 0;
    for (at, character) in text.get(from..)?.char_indices() {
        match character {
            '(' => depth += 1,
            ',' | ')' if depth == 0 => return Some((from + at, character)),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the argument that begins at an offset, without the spaces around it.
fn argument(text: &str, from: usize) -> Range<usize> {
    let to = end(text, from).map_or(text.len(), |(to, _)| to);
    let written = text.get(from..to).unwrap_or_default();
    let start = from + written.len() - written.trim_start().len();
    start..start + written.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_visited_in_order() {
        let text = "near(?a, place_of( ?b )) and lit";
        let shown = |range: Option<Range<usize>>| range.and_then(|range| text.get(range));
        assert_eq!(shown(first(text)), Some("?a"));
        assert_eq!(shown(next(text, 5)), Some("place_of( ?b )"));
        assert_eq!(
            shown(next(text, 19)),
            None,
            "it is the last one of both calls"
        );
        assert_eq!(after_call(text, 5), Some(24));
        assert_eq!(after_call(text, 19), Some(23), "the inner call");
        assert_eq!(after_call(text, 26), None);
        assert_eq!(first("lit"), None);
    }

    #[test]
    fn missing_arguments_are_empty() {
        assert_eq!(first("near(, )"), Some(5..5));
        assert_eq!(next("near(, )", 5), Some(7..7));
        assert_eq!(next("near(, )", 7), None);
        assert_eq!(next("has(at(), )", 7), Some(10..10));
        assert_eq!(first("near("), Some(5..5));
    }
}
