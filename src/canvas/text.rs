//! Texts on blocks, broken by counting letters: a block's height follows from
//! its record alone, and the page is never asked how wide a text came out.

/// Breaks a text of the expression language into at most `rows` lines of at
/// most `columns` letters, at blanks where there are any. The last line ends
/// in an ellipsis where not all of it fits.
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

/// Where a word that is longer than a line is cut: behind its last opening
/// bracket or comma that fits, else where the line is full.
fn split_point(word: &str, columns: usize) -> usize {
    let full = word
        .char_indices()
        .nth(columns)
        .map_or(word.len(), |(index, _)| index);
    word[..full]
        .rfind(['(', ','])
        .map_or(full, |index| index + 1)
}

/// How well a typed pattern fits a name, and how well one name fits better than
/// another: `None` where the letters do not all occur in their order. Case does
/// not matter; beginnings of words and runs of letters count more.
pub fn fuzzy(pattern: &str, name: &str) -> Option<i32> {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let mut score = 0;
    let mut next = 0;
    let mut run = false;
    for wanted in pattern.to_lowercase().chars() {
        if wanted.is_whitespace() {
            run = false;
            continue;
        }
        let found = next + letters[next..].iter().position(|c| *c == wanted)?;
        let starts_word = found == 0 || !letters[found - 1].is_alphanumeric();
        score += if run && found == next { 8 } else { 1 };
        score += if starts_word { 6 } else { 0 };
        score -= i32::try_from(found - next).unwrap_or(i32::MAX).min(3);
        next = found + 1;
        run = true;
    }
    let rest = i32::try_from(letters.len() - next).unwrap_or(i32::MAX);
    Some(score * 4 - rest.min(40))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_break_at_blanks_and_end_in_an_ellipsis() {
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

    #[test]
    fn the_best_match_is_the_one_whose_words_begin_so() {
        fn best<'a>(pattern: &str, names: &[&'a str]) -> Vec<&'a str> {
            let mut found: Vec<_> = names
                .iter()
                .filter_map(|n| fuzzy(pattern, n).map(|score| (-score, *n)))
                .collect();
            found.sort();
            found.into_iter().map(|(_, name)| name).collect()
        }
        let names = [
            "walk-to",
            "take-ball",
            "get-ball",
            "unlock-box",
            "smash-box",
        ];
        assert_eq!(best("tb", &names), ["take-ball", "get-ball"]);
        assert_eq!(best("ball", &names), ["get-ball", "take-ball"]);
        assert_eq!(best("BOX", &names), ["smash-box", "unlock-box"]);
        assert_eq!(best("", &names).len(), 5);
        assert_eq!(best("zz", &names), Vec::<&str>::new());
        assert_eq!(best("walk to", &names), ["walk-to"]);
    }
}
