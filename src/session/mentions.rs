//! Links in notes: the words that name records, scenarios and ticks.

use taskloom_document::diagnostic::Place;
use taskloom_document::{Document, Field, Kind, Name, RecordRef};

use super::{LinkTarget, LinkedText};

/// The kinds that a name may be of; if it is of several, the first one counts.
const KINDS: [Kind; 10] = [
    Kind::CompoundTask,
    Kind::PrimitiveTask,
    Kind::Goal,
    Kind::Fact,
    Kind::Condition,
    Kind::Agent,
    Kind::Scenario,
    Kind::Action,
    Kind::Object,
    Kind::Type,
];

/// Returns a note with links. A name is a link if no word of plain English looks like it: in
/// quotes, with a hyphen or an underscore, or before a parenthesis. `tick 4` is one if `has_ticks`.
pub fn mentions(document: &Document, note: &str, has_ticks: bool) -> LinkedText {
    let mut text = LinkedText::default();
    let (mut at, mut plain) = (0, 0);
    while let Some(rest) = note.get(at..).filter(|rest| !rest.is_empty()) {
        let before = note.get(..at).and_then(|before| before.chars().next_back());
        let starts_word = rest.starts_with(is_word) && !before.is_some_and(is_word);
        let found = starts_word.then(|| mention(document, before, rest, has_ticks));
        match found.flatten() {
            Some((length, target)) => {
                let word = rest.get(..length).unwrap_or_default();
                text = text
                    .text(note.get(plain..at).unwrap_or_default())
                    .link(word, target);
                at += length;
                plain = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    text.text(note.get(plain..).unwrap_or_default())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}

fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"' | '`' | '‘' | '’' | '“' | '”')
}

/// Returns the length of the mention that the text begins with, and its target.
fn mention(
    document: &Document,
    before: Option<char>,
    rest: &str,
    has_ticks: bool,
) -> Option<(usize, LinkTarget)> {
    let ends = |length: usize| {
        !rest
            .get(length..)
            .is_some_and(|rest| rest.starts_with(is_word))
    };
    let quoted = |length: usize| {
        let after = rest
            .get(length..)
            .is_some_and(|rest| rest.starts_with(is_quote));
        before.is_some_and(is_quote) && after
    };
    let titled = document.scenarios.iter().filter(|(_, scenario)| {
        let title = scenario.title.as_str();
        let length = title.len();
        let is_clear = title.contains(' ') || quoted(length);
        !title.is_empty() && rest.starts_with(title) && ends(length) && is_clear
    });
    if let Some((name, scenario)) = titled.max_by_key(|(_, scenario)| scenario.title.len()) {
        return Some((scenario.title.len(), LinkTarget::Scenario(name.clone())));
    }
    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let word = rest.get(..end)?.trim_end_matches(['-', '_']);
    if let ("tick", true, Some(digits)) = (word, has_ticks, rest.get(end..)?.strip_prefix(' ')) {
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        let tick = digits.get(..count)?.parse().ok()?;
        return Some((end + 1 + count, LinkTarget::Tick(tick)));
    }
    let is_clear =
        word.contains(['-', '_']) || quoted(word.len()) || rest.get(word.len()..)?.starts_with('(');
    if !is_clear {
        return None;
    }
    let name = Name::new(word).ok()?;
    let mut records = KINDS.iter().map(|kind| RecordRef::new(*kind, name.clone()));
    let record = records.find_map(|record| document.spelled(&record))?;
    Some((word.len(), target(record)))
}

/// Returns the target of a record's name: a compound task opens its method.
fn target(record: RecordRef) -> LinkTarget {
    match record.kind {
        Kind::Scenario => LinkTarget::Scenario(record.name),
        Kind::CompoundTask => LinkTarget::Place(Place {
            record,
            field: Field::Method,
            span: None,
        }),
        _ => LinkTarget::Record(record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::ALL;
    use crate::session::TextPart;

    fn document(title: &str) -> Document {
        let example = ALL.iter().find(|example| example.title == title);
        example.expect("an example").document()
    }

    /// Returns the linked words of a note, with what they open.
    fn links(document: &Document, note: &str) -> Vec<String> {
        let text = mentions(document, note, true);
        assert_eq!(text.to_string(), note, "the text stays as it is");
        let parts = text.into_parts().into_iter();
        parts
            .filter_map(|part| match part {
                TextPart::Link { word, target, .. } => Some(format!("{word}: {target}")),
                TextPart::Text(_) => None,
            })
            .collect()
    }

    #[test]
    fn names_titles_and_ticks_are_links() {
        let ball = document("The ball in the box");
        let note =
            "At tick 4 'get-ball' fails. Add at(box), key_at or 'box', see The box slams shut.";
        assert_eq!(
            links(&ball, note),
            [
                "tick 4: Go to tick 4",
                "get-ball: Show the compound task get-ball",
                "at: Show the fact at",
                "key_at: Show the condition key_at",
                "box: Show the object box",
                "The box slams shut: Plan case-5-the-box-slams-shut",
            ]
        );
    }

    #[test]
    fn plain_words_are_no_links() {
        let ball = document("The ball in the box");
        let note = "The robot looks at the box, at the ball and - once - into the drawer. Ticks 4, tickle 5.";
        assert_eq!(links(&ball, note), Vec::<String>::new());
        assert_eq!(
            links(&ball, "ein “größeres” – 'ä' tick"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn ticks_are_links_only_where_a_run_is_shown() {
        let ball = document("The ball in the box");
        let text = mentions(&ball, "At tick 4.", false);
        assert_eq!(text, LinkedText::from("At tick 4."));
    }

    #[test]
    fn notes_of_the_examples_name_scenarios_by_title() {
        for example in &ALL {
            let document = example.document();
            let scenarios = document.scenarios.values().map(|scenario| &scenario.note);
            for note in scenarios.chain([&document.info.note]) {
                for name in document.scenarios.keys() {
                    assert!(!note.contains(name.as_str()), "{}: {note}", example.title);
                }
            }
        }
    }
}
