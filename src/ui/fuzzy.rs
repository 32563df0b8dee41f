//! Fuzzy matching of typed patterns against names.

/// Scores how well a typed pattern matches a name, for comparison with other names; `None` if the
/// letters don't all occur in order. Case doesn't matter; beginnings of words and runs of letters
/// count more.
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
    fn matches_at_word_starts_rank_first() {
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
