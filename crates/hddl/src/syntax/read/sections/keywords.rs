//! The keywords that are allowed in each place, to suggest one for a misspelt one.

use strsim::osa_distance;

/// The keywords of a list.
pub type Keywords = &'static [&'static str];

pub const DOMAIN: Keywords = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":task",
    ":method",
    ":action",
];
pub const PROBLEM: Keywords = &[
    ":domain",
    ":requirements",
    ":objects",
    ":htn",
    ":init",
    ":goal",
    ":metric",
];
pub const TASK: Keywords = &[":parameters"];
pub const METHOD: Keywords = &[
    ":parameters",
    ":task",
    ":precondition",
    ":subtasks",
    ":ordered-subtasks",
    ":ordering",
    ":constraints",
];
pub const NETWORK: Keywords = &[
    ":parameters",
    ":subtasks",
    ":ordered-subtasks",
    ":ordering",
    ":constraints",
];
pub const ACTION: Keywords = &[":parameters", ":precondition", ":effect"];

/// The maximum length of a word for which a similar keyword is sought.
const LONGEST: usize = 32;

/// Returns the message about a keyword that isn't allowed, with the most similar one that is: a
/// third of the letters may differ, or it may be the beginning.
pub fn not_allowed(word: &str, message: &str, known: Keywords) -> String {
    let mut text = format!("'{word}': {message}");
    if word.len() > LONGEST {
        return text;
    }
    // An abbreviation is as near as a word that differs in a letter.
    let short = word.strip_suffix('s').unwrap_or(word);
    let distance = |known: &str| match short.len() > 3 && known.starts_with(short) {
        true => 1,
        false => osa_distance(word, known),
    };
    let near = known.iter().map(|known| (distance(known), *known));
    let near = near.filter(|(distance, known)| *distance <= known.len() / 3);
    if let Some((_, nearest)) = near.min() {
        text += &format!("; did you mean '{nearest}'?");
    }
    text
}
