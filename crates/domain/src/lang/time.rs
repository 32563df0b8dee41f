//! Whether a document asks for the time.

use taskloom_document::syntax::TextRole;
use taskloom_document::{Document, Field, Name};

/// What a document asks the time for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Something that a plan depends on: a plan says then at which tick each step would start.
    pub plans: bool,
    /// Anything at all, also what counts only while a plan is carried out.
    pub runs: bool,
}

impl Clock {
    /// What the texts of a document ask the time for. A word that only looks like it, as an object
    /// of that name, counts, too: that changes no plan.
    pub fn of(document: &Document) -> Self {
        let mut clock = Self::default();
        let word = Name::time();
        if document.facts.contains_key(&word) || document.conditions.contains_key(&word) {
            return clock;
        }
        for record in document.records() {
            let Some(view) = document.view(&record) else {
                continue;
            };
            for (field, role) in view.text_fields() {
                if matches!(role, TextRole::Initial | TextRole::TaskCall) {
                    continue;
                }
                if view.text(&field).is_some_and(asks_for_time) {
                    clock.runs = true;
                    clock.plans |= is_planned(&field);
                }
            }
            if clock.plans {
                break;
            }
        }
        clock
    }
}

/// Whether plans depend on what stands there.
fn is_planned(field: &Field) -> bool {
    !matches!(
        field,
        Field::Integrity(_)
            | Field::Completion(_)
            | Field::Duration
            | Field::Sense(_)
            | Field::Event(_)
            | Field::EventWhen(_)
            | Field::Expectation(_)
    )
}

/// Whether the word for the time stands in a text.
pub fn asks_for_time(text: &str) -> bool {
    let (text, word) = (text.as_bytes(), b"time");
    let is_part = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'?'))
    };
    let mut places = text.windows(word.len()).enumerate();
    places.any(|(at, part)| {
        part.eq_ignore_ascii_case(word)
            && !is_part(at.checked_sub(1).and_then(|before| text.get(before)))
            && !is_part(text.get(at + word.len()))
    })
}
