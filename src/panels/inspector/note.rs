//! The field for a note: as high as its text, with links while it isn't being edited.

use leptos::prelude::*;
use taskloom::document::Name;

use crate::page::linked;
use crate::session::{Session, mentions};

/// A note under the label "Notes". Behind the field lies its text once more: it gives the field its
/// height, and while the field doesn't have the focus, its links are in front.
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
        <div class="field">
            <span class="label" aria-hidden="true">"Notes"</span>
            <div class="note-field" class:edited=move || is_edited.get()>
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
        </div>
    }
}
