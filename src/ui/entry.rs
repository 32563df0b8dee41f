//! A text in its own field, such as a name.

use super::typed_key::TypedKey;
use leptos::ev::KeyboardEvent;
use leptos::html::Input;
use leptos::prelude::*;

use super::live::live;

/// A field that hands over its text on Enter or when it is left; Escape restores the previous text.
/// Attributes apply to its element.
#[component]
pub fn Entry(
    /// Its label.
    #[prop(into)]
    label: String,
    /// The current text.
    #[prop(into)]
    text: Signal<String>,
    /// Takes a new text, or returns why it is refused.
    take: impl Fn(String) -> Result<(), String> + 'static,
    /// The reason why the typed text is refused: the text stays as typed until it is corrected.
    #[prop(optional)]
    reason: RwSignal<Option<String>>,
    /// If `true`, Escape restores the previous text; otherwise the field ignores Escape.
    #[prop(default = true)]
    restores: bool,
    /// If `true`, it gets the focus at once, with all of its text selected.
    #[prop(optional)]
    autofocus: bool,
    /// Called after Enter or Escape, to move the focus.
    #[prop(optional)]
    done: Option<UnsyncCallback<()>>,
    /// Its element.
    #[prop(optional)]
    input: NodeRef<Input>,
) -> impl IntoView {
    if autofocus {
        Effect::new(move || {
            if let Some(input) = input.get() {
                // The field is in the page by now, so this takes full effect.
                let _ = input.focus();
                input.select();
            }
        });
    }
    let change = move |event| {
        let typed = event_target_value(&event);
        let is_other = text.try_get_untracked().is_none_or(|text| text != typed);
        let refused = is_other.then(|| take(typed)).and_then(Result::err);
        // Taking a name may have replaced this field with another one.
        reason.try_set(refused);
    };
    let key = move |event: KeyboardEvent| {
        let Some(input) = input.get_untracked() else {
            return;
        };
        match event.typed_key().as_str() {
            // The browser fires a change event anyway.
            "Enter" if done.is_none() => return,
            "Enter" => event.prevent_default(),
            "Escape" if restores => {
                input.set_value(&text.get_untracked());
                reason.set(None);
            }
            _ => return,
        }
        event.stop_propagation();
        // Leaving the field fires a change event.
        let _ = input.blur();
        if let Some(done) = done {
            done.run(());
        }
    };
    view! {
        <input
            type="text"
            aria-label=label
            aria-invalid=move || reason.with(Option::is_some).to_string()
            autocomplete="off"
            spellcheck="false"
            node_ref=input
            prop:value=move || text.get()
            on:input=move |_| reason.set(None)
            on:change=change
            on:keydown=key
        />
    }
}

/// The reason why a text is refused.
#[component]
pub fn Refusal(
    /// The sentence, if any.
    reason: RwSignal<Option<String>>,
) -> impl IntoView {
    live(move || {
        let text = reason.get()?;
        Some(view! { <p class="message bad" role="alert">{text}</p> })
    })
}
