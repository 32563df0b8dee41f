//! A key together with the modifiers held, as text: `Ctrl+Shift+E`. Cmd counts
//! as Ctrl, so that one table serves all systems.

use crate::ui::typed_key::TypedKey;
use leptos::ev::KeyboardEvent;

/// The modifiers, in the order in which a chord has them.
const MODIFIERS: [&str; 3] = ["Ctrl", "Alt", "Shift"];
/// The keys and gestures with names of several letters, without the function keys.
const NAMED: [&str; 14] = [
    "Esc",
    "Del",
    "Backspace",
    "Enter",
    "Space",
    "Tab",
    "Menu",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "drag",
    "click",
    "wheel",
];

/// Returns the chord of a key event; `None` for a modifier alone or a key without a name.
pub fn of(event: &KeyboardEvent) -> Option<String> {
    let key = event.typed_key();
    let nameless = [
        "Control",
        "Shift",
        "Alt",
        "Meta",
        "AltGraph",
        "CapsLock",
        "Dead",
        "Process",
        "Unidentified",
        "",
    ];
    if nameless.contains(&key.as_str()) {
        return None;
    }
    // Windows reports AltGr as Ctrl and Alt; it types a character and is no command.
    let writes = event.get_modifier_state("AltGraph");
    let ctrl = (event.ctrl_key() || event.meta_key()) && !writes;
    let alt = event.alt_key() && !writes;
    Some(spell(&key, &event.code(), ctrl, alt, event.shift_key()))
}

/// Spells a key. A character that needs Shift on some keyboards and not on others is written
/// without it. If a keyboard types letters other than Latin ones, or Alt types a character, the
/// letter's position on the keyboard counts.
fn spell(key: &str, code: &str, ctrl: bool, alt: bool, shift: bool) -> String {
    let mut letters = key.chars();
    let (first, more) = (letters.next(), letters.next());
    let mut shifted = shift;
    let name = match (first, more) {
        (Some(' '), None) => "Space".to_owned(),
        (Some(sign), None) if sign.is_ascii_alphabetic() => sign.to_ascii_uppercase().to_string(),
        (Some(sign), None) => {
            let place = code.strip_prefix("Key").or(code.strip_prefix("Digit"));
            match place.filter(|_| !sign.is_ascii()) {
                Some(place) => place.to_owned(),
                None => {
                    shifted = false;
                    sign.to_string()
                }
            }
        }
        _ => match key {
            "Escape" => "Esc",
            "Delete" => "Del",
            "ContextMenu" => "Menu",
            "ArrowUp" => "Up",
            "ArrowDown" => "Down",
            "ArrowLeft" => "Left",
            "ArrowRight" => "Right",
            other => other,
        }
        .to_owned(),
    };
    let mut text = String::new();
    for (held, modifier) in [(ctrl, "Ctrl+"), (alt, "Alt+"), (shifted, "Shift+")] {
        if held {
            text += modifier;
        }
    }
    text + &name
}

/// Splits a chord into modifiers and key for display: `Ctrl++` is `Ctrl` and `+`.
pub fn caps(chord: &str) -> Vec<&str> {
    let mut caps = vec![];
    let mut rest = chord;
    while let Some(at) = rest.find('+').filter(|at| *at > 0 && at + 1 < rest.len()) {
        let (cap, after) = rest.split_at(at);
        caps.push(cap);
        rest = &after[1..];
    }
    caps.push(match rest {
        "Up" => "↑",
        "Down" => "↓",
        "Left" => "←",
        "Right" => "→",
        other => other,
    });
    caps
}

/// Returns `true` for a text that is a key or a gesture with its modifiers, as tables and titles
/// write it.
pub fn is_chord(text: &str) -> bool {
    let is_key = |cap: &str| {
        let mut letters = cap.chars();
        match (letters.next(), letters.next()) {
            (None, _) => false,
            (Some(sign), None) => !sign.is_lowercase() && !sign.is_whitespace(),
            (Some('F'), _) if types_nothing(cap) => true,
            _ => NAMED.contains(&cap),
        }
    };
    let all = caps(text);
    all.split_last().is_some_and(|(key, modifiers)| {
        is_key(key) && modifiers.iter().all(|cap| MODIFIERS.contains(cap))
    })
}

/// Returns `true` if a key types nothing, so that it can be a command in a text field, too.
pub fn types_nothing(chord: &str) -> bool {
    let function = |key: &str| {
        let number = key.strip_prefix('F');
        number.is_some_and(|n| n.parse::<u8>().is_ok())
    };
    chord.contains("Ctrl+")
        || chord.contains("Alt+")
        || chord.rsplit('+').next().is_some_and(function)
}

/// Returns `true` for a key that types a letter, a digit or another character.
pub fn is_sign(chord: &str) -> bool {
    let sign = chord.strip_prefix("Shift+").unwrap_or(chord);
    sign.chars().count() == 1
}

/// Returns `true` if a select element ignores a key, so that it can be a command there: no option
/// begins with a punctuation mark.
pub fn is_ignored_by_select(chord: &str) -> bool {
    let mut letters = chord.chars();
    let sign = matches!((letters.next(), letters.next()), (Some(sign), None) if sign.is_ascii_punctuation());
    sign || types_nothing(chord) && !matches!(chord, "Alt+Up" | "Alt+Down" | "F4")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_are_spelled_alike_on_all_keyboards() {
        assert_eq!(spell("z", "KeyZ", true, false, false), "Ctrl+Z");
        assert_eq!(spell("Z", "KeyZ", true, false, true), "Ctrl+Shift+Z");
        assert_eq!(spell("я", "KeyZ", true, false, false), "Ctrl+Z", "Cyrillic");
        assert_eq!(
            spell("ç", "KeyC", false, true, false),
            "Alt+C",
            "a Mac's Alt"
        );
        assert_eq!(
            spell("?", "Slash", false, false, true),
            "?",
            "with Shift here"
        );
        assert_eq!(
            spell("?", "Minus", false, false, false),
            "?",
            "without it there"
        );
        assert_eq!(
            spell("ArrowUp", "ArrowUp", false, true, true),
            "Alt+Shift+Up"
        );
        assert_eq!(spell(" ", "Space", false, false, false), "Space");
    }

    #[test]
    fn caps_are_the_keys_of_a_chord() {
        assert_eq!(caps("Ctrl+Shift+E"), ["Ctrl", "Shift", "E"]);
        assert_eq!(caps("Ctrl++"), ["Ctrl", "+"]);
        assert_eq!(caps("+"), ["+"]);
        assert_eq!(caps("Alt+Up"), ["Alt", "↑"]);
    }

    #[test]
    fn select_elements_keep_their_letters_and_arrows() {
        for chord in [".", ",", "?", "Ctrl+Z", "F6"] {
            assert!(is_ignored_by_select(chord), "{chord}");
        }
        for chord in ["F", "1", "Space", "Enter", "Down", "Alt+Down", "Home"] {
            assert!(!is_ignored_by_select(chord), "{chord}");
        }
    }

    #[test]
    fn signs_are_keys_that_type_a_character() {
        for chord in ["C", "Shift+A", "?", ".", "1", "+"] {
            assert!(is_sign(chord), "{chord}");
        }
        for chord in [
            "Ctrl+C",
            "Space",
            "Enter",
            "F2",
            "Shift+Tab",
            "Alt+1",
            "Del",
        ] {
            assert!(!is_sign(chord), "{chord}");
        }
    }

    #[test]
    fn only_keys_that_type_nothing_are_commands_in_text_fields() {
        assert!(types_nothing("Ctrl+Z"));
        assert!(types_nothing("F2"));
        assert!(!types_nothing("F"));
        assert!(!types_nothing("Shift+A"));
        assert!(!types_nothing("Home"));
    }

    #[test]
    fn words_are_no_chords() {
        for chord in ["Ctrl+Z", "F9", "?", "Ctrl++", "Alt+Up", "Ctrl+wheel", "0"] {
            assert!(is_chord(chord), "{chord}");
        }
        for other in ["Compound task", "x", "12", "false", "Fact", "", "Actor+Z"] {
            assert!(!is_chord(other), "{other}");
        }
    }
}
