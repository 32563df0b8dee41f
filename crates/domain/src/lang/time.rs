//! Finds out whether a document depends on the current time.

use taskloom_document::syntax::TextRole;
use taskloom_document::{Document, Field, Name};

/// The parts of a document that depend on the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// `true` if plans depend on it; then a plan includes the tick at which each step would start.
    pub plans: bool,
    /// `true` if anything depends on it, including texts evaluated only during execution.
    pub runs: bool,
}

impl Clock {
    /// Determines how the texts of a document use the time. A word that only looks like it, such as
    /// an object of that name, counts too: that changes no plan.
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
                if matches!(
                    role,
                    TextRole::Initial | TextRole::TaskCall | TextRole::Query | TextRole::Object
                ) {
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

/// Returns `true` if plans depend on the text of a field.
fn is_planned(field: &Field) -> bool {
    !matches!(
        field,
        Field::Completion(_)
            | Field::Duration
            | Field::Sense(_)
            | Field::Event(_)
            | Field::EventWhen(_)
            | Field::Expectation(_)
    )
}

/// Returns `true` if a text contains the word for the time.
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
