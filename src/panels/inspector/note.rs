//! The field for a note: as high as its text, with links while it isn't being edited.

use leptos::prelude::*;
use taskloom_document::Name;

use crate::page::linked;
use crate::session::{Session, mentions};
use crate::ui::count::grouped;

/// The size in bytes up to which a note can be edited. Browsers take seconds to lay out much longer ones.
const MAX_EDITED: usize = 100_000;

/// The number of characters of a longer note that are shown.
const SHOWN: usize = 2_000;

/// A note under the label "Notes".
#[component]
pub fn NoteField(
    /// Its accessible name.
    label: &'static str,
    /// The current text.
    value: Memo<String>,
    /// Receives what is typed.
    set: Callback<String>,
    /// The scenario to whose run the ticks of the note belong.
    scenario: Option<Name>,
) -> impl IntoView {
    let is_long = Memo::new(move |_| value.with(|note| note.len() > MAX_EDITED));
    let field = move || match is_long.get() {
        true => view! { <Beginning label value/> }.into_any(),
        false => view! { <EditedNote label value set scenario=scenario.clone()/> }.into_any(),
    };
    view! {
        <div class="field">
            <span class="label" aria-hidden="true">"Notes"</span>
            {field}
        </div>
    }
}

/// The field. Behind it lies its text twice more: as it is, which gives the field its height, and with links,
/// which are in front while the field doesn't have the focus. Lines may break elsewhere around links.
#[component]
fn EditedNote(
    label: &'static str,
    value: Memo<String>,
    set: Callback<String>,
    scenario: Option<Name>,
) -> impl IntoView {
    let session = Session::expect();
    let is_edited = RwSignal::new(false);
    // The field itself says it to screen readers.
    let plain = |text: String| view! { <span aria-hidden="true">{text}</span> }.into_any();
    let text = move || {
        let note = value.get();
        let is_planned = scenario.is_some() && session.plan.scenario.with(|s| *s == scenario);
        let text = mentions(&session.document(), &note, is_planned);
        linked(text, plain)
    };
    view! {
        <div class="note-field" class:edited=move || is_edited.get() data-text=move || value.get()>
            <textarea
                class="text"
                rows="2"
                aria-label=label
                prop:value=move || value.get()
                on:input=move |event| set.run(event_target_value(&event))
                on:focus=move |_| is_edited.set(true)
                on:blur=move |_| {
                    is_edited.set(false);
                    session.open.seal();
                }
            ></textarea>
            <div class="note-text">{text}" "</div>
        </div>
    }
}

/// The beginning of a note that is too long to edit.
#[component]
fn Beginning(label: &'static str, value: Memo<String>) -> impl IntoView {
    let beginning = move || value.with(|note| note.chars().take(SHOWN).collect::<String>() + "…");
    let length = move || grouped(value.with(|note| note.chars().count()) as u64);
    view! {
        <textarea class="text" rows="8" aria-label=label readonly prop:value=beginning></textarea>
        <p class="hint">
            "Only the beginning is shown: with "{length}" characters, the note is too long to edit here."
        </p>
    }
}
