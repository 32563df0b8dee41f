//! What could be typed next, in a list under the field.

use leptos::html;
use leptos::prelude::*;
use taskloom_core::document::{Field, Kind, RecordRef};
use web_sys::HtmlTextAreaElement;

use crate::session::Session;

/// Entries that are shown at most.
const MOST: usize = 50;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What is put into the text.
    pub insert: String,
    /// What it is, for reading.
    pub detail: String,
}

/// An open list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completing {
    /// The bytes of the text that an entry replaces.
    replace: std::ops::Range<usize>,
    candidates: Vec<Candidate>,
    /// Which entry is chosen.
    pub chosen: usize,
}

impl Completing {
    /// Chooses the next entry, or the one before.
    pub fn step(open: &mut Option<Self>, step: isize) {
        if let Some(open) = open {
            let count = open.candidates.len() as isize;
            open.chosen = (open.chosen as isize + step).rem_euclid(count.max(1)) as usize;
        }
    }

    /// The text with an entry put in, and where the caret then stands, in UTF-16 units.
    pub fn accept(&self, text: &str, chosen: usize) -> Option<(String, u32)> {
        let insert = &self.candidates.get(chosen)?.insert;
        let head = text.get(..self.replace.start)?;
        let tail = text.get(self.replace.end..)?;
        // Behind `walk-to()` the caret stands between the brackets.
        let inside = insert.strip_suffix("()").map(|name| name.len() + 1);
        let value = format!("{head}{insert}{tail}");
        let caret = to_utf16(&value, head.len() + inside.unwrap_or(insert.len()));
        Some((value, caret))
    }
}

/// What could stand at the field's caret; none where nothing is being typed,
/// unless the designer asked for it.
pub fn at_caret(
    session: Session,
    record: &RecordRef,
    field: &Field,
    area: &HtmlTextAreaElement,
    asked: bool,
) -> Option<Completing> {
    let text = area.value();
    let caret = area.selection_start().ok().flatten()?;
    let caret = from_utf16(&text, caret);
    let (replace, candidates) = candidates(session, record, field, &text, caret);
    let typed = text.get(replace.start..caret)?;
    let only = candidates.first().filter(|_| candidates.len() == 1);
    let complete = only.is_some_and(|c| c.insert == typed);
    let wanted = asked || !typed.is_empty();
    (wanted && !candidates.is_empty() && !complete).then_some(Completing {
        replace,
        candidates,
        chosen: 0,
    })
}

fn candidates(
    session: Session,
    record: &RecordRef,
    _field: &Field,
    text: &str,
    caret: usize,
) -> (std::ops::Range<usize>, Vec<Candidate>) {
    let head = text.get(..caret).unwrap_or_default();
    let start = head
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || "_-?".contains(c)))
        .map_or(0, |at| at + 1);
    let typed = head.get(start..).unwrap_or_default().to_lowercase();
    let document = session.document_untracked();
    let mut found = vec![];
    let _ = record;
    for kind in [Kind::Fact, Kind::Condition, Kind::Object] {
        for name in document.names(kind) {
            if name.as_str().to_lowercase().starts_with(&typed) {
                found.push(Candidate {
                    insert: name.to_string(),
                    detail: kind.label().to_owned(),
                });
            }
        }
    }
    found.truncate(MOST);
    (start..caret, found)
}

/// A byte offset as the offset in UTF-16 units that the browser counts in.
pub fn to_utf16(text: &str, bytes: usize) -> u32 {
    let head = text.get(..bytes.min(text.len())).unwrap_or(text);
    head.encode_utf16().count() as u32
}

fn from_utf16(text: &str, units: u32) -> usize {
    let mut counted = 0;
    for (at, character) in text.char_indices() {
        if counted >= units {
            return at;
        }
        counted += character.len_utf16() as u32;
    }
    text.len()
}

/// The list, under its field.
#[component]
pub fn Popup(
    completing: RwSignal<Option<Completing>>,
    input: NodeRef<html::Textarea>,
    accept: Callback<usize>,
) -> impl IntoView {
    let top = RwSignal::new((0.0, 0.0, 0.0));
    Effect::new(move || {
        if completing.with(Option::is_some)
            && let Some(area) = input.get_untracked()
        {
            let place = area.get_bounding_client_rect();
            let now = (place.left(), place.bottom() + 3.0, place.width());
            if top.get_untracked() != now {
                top.set(now);
            }
        }
    });
    view! {
        <Show when=move || completing.with(Option::is_some)>
            <div
                class="completion"
                role="listbox"
                aria-label="Completions"
                style:left=move || format!("{}px", top.get().0)
                style:top=move || format!("{}px", top.get().1)
                style:min-width=move || format!("{}px", top.get().2)
            >
                {move || {
                    let open = completing.get();
                    let chosen = open.as_ref().map_or(0, |c| c.chosen);
                    open.into_iter()
                        .flat_map(|c| c.candidates)
                        .enumerate()
                        .map(|(at, candidate)| {
                            view! { <Entry candidate at chosen=at == chosen accept/> }
                        })
                        .collect_view()
                }}
            </div>
        </Show>
    }
}

#[component]
fn Entry(candidate: Candidate, at: usize, chosen: bool, accept: Callback<usize>) -> impl IntoView {
    let row = NodeRef::<html::Div>::new();
    if chosen {
        Effect::new(move || {
            if let Some(row) = row.get() {
                let options = web_sys::ScrollIntoViewOptions::new();
                options.set_block(web_sys::ScrollLogicalPosition::Nearest);
                row.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    }
    view! {
        <div
            class="entry"
            role="option"
            aria-selected=chosen.to_string()
            node_ref=row
            on:pointerdown=move |event| {
                event.prevent_default();
                accept.run(at);
            }
        >
            <span>{candidate.insert}</span>
            <small>{candidate.detail}</small>
        </div>
    }
}
