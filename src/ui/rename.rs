//! A name that is edited in place.

use super::typed_key::TypedKey;
use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::entry::Refusal;

/// The way in which editing ended.
pub enum Ended {
    /// The name was taken by Enter.
    Entered,
    /// The field was left with a name that was taken.
    Left,
    /// Escape was pressed.
    GivenUp,
    /// The field was left with a name that was refused, for this reason.
    Refused(String),
}

/// A field with all of a name selected. Enter and leaving it hand over the text; a refusal after
/// Enter is shown below the field, which stays.
#[component]
pub fn Rename(
    /// Its label.
    label: String,
    /// The current name.
    name: String,
    /// Takes the new name, or returns why it is refused.
    take: impl Fn(String) -> Result<(), String> + Send + Sync + 'static,
    /// Called when the field goes away.
    end: impl Fn(Ended) + Send + Sync + 'static,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let reason = RwSignal::new(None::<String>);
    Effect::new(move || {
        if let Some(input) = input.get() {
            // The field is in the page by now, so this takes full effect.
            let _ = input.focus();
            input.select();
            input.scroll_into_view_with_bool(false);
        }
    });
    // A field that goes away while it has the focus fires a blur event.
    let has_ended = StoredValue::new(false);
    let end = Arc::new(move |how| {
        if let Some(false) = has_ended.try_update_value(|ended| std::mem::replace(ended, true)) {
            end(how);
        }
    });
    let ending = end.clone();
    let finish = Arc::new(move |leaves: bool| {
        if has_ended.try_get_value().unwrap_or(true) {
            return;
        }
        let Some(input) = input.get_untracked() else {
            return;
        };
        match take(input.value()) {
            Ok(()) if leaves => ending(Ended::Left),
            Ok(()) => ending(Ended::Entered),
            Err(message) if leaves => ending(Ended::Refused(message)),
            Err(message) => reason.set(Some(message)),
        }
    });
    let left = finish.clone();
    let key = move |event: KeyboardEvent| {
        match event.typed_key().as_str() {
            "Enter" => finish(false),
            "Escape" => end(Ended::GivenUp),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    view! {
        <input
            aria-label=label
            aria-invalid=move || reason.with(Option::is_some).to_string()
            node_ref=input
            value=name
            spellcheck="false"
            autocomplete="off"
            on:keydown=key
            on:input=move |_| reason.set(None)
            on:blur=move |_| left(true)
            on:click=|event| event.stop_propagation()
            on:dblclick=|event| event.stop_propagation()
        />
        <Refusal reason/>
    }
}
