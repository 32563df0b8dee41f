//! The words of a tooltip: the text of a title, and the keys in parentheses at its end.

use crate::page::chord;

/// A title as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The text.
    pub text: String,
    /// The keys, each as its caps.
    pub keys: Vec<Vec<String>>,
}

/// Splits a title such as `Undo (Ctrl+Z)`. Parentheses with anything but keys are text.
pub fn words(title: &str) -> Words {
    let title = title.trim();
    let split = title
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("));
    let plain = || Words {
        text: title.to_owned(),
        keys: vec![],
    };
    let Some((text, keys)) = split else {
        return plain();
    };
    let keys: Vec<&str> = keys.split(", ").filter(|key| !key.is_empty()).collect();
    if !keys.iter().all(|key| chord::is_chord(key)) {
        return plain();
    }
    let caps = |key: &&str| chord::caps(key).into_iter().map(str::to_owned).collect();
    Words {
        text: text.to_owned(),
        keys: keys.iter().map(caps).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, text: &str, keys: &[&[&str]]) {
        let words = words(title);
        assert_eq!(words.text, text);
        assert_eq!(words.keys, keys);
    }

    #[test]
    fn keys_at_the_end_of_a_title_become_caps() {
        check("Undo (Ctrl+Z)", "Undo", &[&["Ctrl", "Z"]]);
        check("Step back (,)", "Step back", &[&[","]]);
        check(
            "Zoom out (-, Ctrl+wheel)",
            "Zoom out",
            &[&["-"], &["Ctrl", "wheel"]],
        );
        check(
            "Undo: Move (2) (Ctrl+Z)",
            "Undo: Move (2)",
            &[&["Ctrl", "Z"]],
        );
        check("Zoom in (Ctrl++)", "Zoom in", &[&["Ctrl", "+"]]);
    }

    #[test]
    fn other_parentheses_are_text() {
        check("get-ball (Compound task)", "get-ball (Compound task)", &[]);
        check("walk-to(box)", "walk-to(box)", &[]);
        check("Facts (12)", "Facts (12)", &[]);
    }

    #[test]
    fn a_command_without_keys_has_no_parentheses() {
        check("Help ()", "Help", &[]);
    }
}
