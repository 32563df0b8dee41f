//! Text on blocks, wrapped by counting characters: a block's height depends only on its record, and
//! the page is never asked for the width of a text.

/// Wraps a text of the expression language into at most `rows` lines of at most `columns`
/// characters, at spaces if there are any. The last line ends with an ellipsis if the text is too
/// long.
pub fn wrap(text: &str, columns: usize, rows: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines: Vec<String> = vec![];
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word;
        loop {
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + word.chars().count() <= columns {
                if gap == 1 {
                    line.push(' ');
                }
                line.push_str(word);
                break;
            }
            if used > 0 {
                lines.push(std::mem::take(&mut line));
            } else {
                let end = split_point(word, columns);
                lines.push(word[..end].to_owned());
                word = &word[end..];
            }
        }
        if lines.len() > rows {
            break;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            while last.chars().count() >= columns {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

/// Returns where to split a word that is longer than a line: after its last opening bracket or
/// comma that fits, otherwise where the line is full.
fn split_point(word: &str, columns: usize) -> usize {
    let full = word
        .char_indices()
        .nth(columns)
        .map_or(word.len(), |(index, _)| index);
    word[..full]
        .rfind(['(', ','])
        .map_or(full, |index| index + 1)
}

/// Formats a duration as it was typed: `3 ticks`.
pub fn ticks(duration: &str) -> String {
    match duration.trim() {
        "" => "0 ticks".to_owned(),
        "1" => "1 tick".to_owned(),
        ticks => format!("{ticks} ticks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_wrap_at_spaces_and_end_in_an_ellipsis() {
        assert_eq!(wrap("box_open", 24, 3), ["box_open"]);
        assert_eq!(
            wrap("has(key) and not locked(?door) and ammo >= 3", 24, 3),
            ["has(key) and not", "locked(?door) and ammo", ">= 3"]
        );
        assert_eq!(
            wrap("a and b and c and d and e and f", 8, 2),
            ["a and b", "and c…"]
        );
        assert_eq!(wrap("   ", 8, 2), Vec::<String>::new());
        assert_eq!(
            wrap("distance(?somewhere,?elsewhere)", 20, 3),
            ["distance(?somewhere,", "?elsewhere)"]
        );
        assert_eq!(wrap("ééééé", 2, 9), ["éé", "éé", "é"]);
    }
}
