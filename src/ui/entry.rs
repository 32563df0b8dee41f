//! A text in a field of its own, such as a name.

use leptos::ev::KeyboardEvent;
use leptos::html::Input;
use leptos::prelude::*;

/// A field that hands over what was typed at Enter or when it is left; Escape puts back what was there. Attributes are
/// its element's.
#[component]
pub fn Entry(
    /// What the field is called.
    #[prop(into)]
    label: String,
    /// What is there.
    #[prop(into)]
    text: Signal<String>,
    /// Takes another text; why it cannot be.
    take: impl Fn(String) -> Result<(), String> + 'static,
    /// Why the text that was typed cannot be: it stays as typed until it is mended.
    #[prop(optional)]
    reason: RwSignal<Option<String>>,
    /// Whether Escape puts back what was there; otherwise it is nothing to this field.
    #[prop(default = true)]
    restores: bool,
    /// Whether it has the focus at once, with all of its text selected.
    #[prop(optional)]
    autofocus: bool,
    /// What becomes of the focus after Enter or Escape.
    #[prop(optional)]
    done: Option<UnsyncCallback<()>>,
    /// Its element.
    #[prop(optional)]
    input: NodeRef<Input>,
) -> impl IntoView {
    if autofocus {
        Effect::new(move || {
            if let Some(input) = input.get() {
                // The field is in the page by now, so that all of it takes effect.
                let _ = input.focus();
                input.select();
            }
        });
    }
    let change = move |event| {
        let typed = event_target_value(&event);
        let is_other = text.try_get_untracked().is_none_or(|text| text != typed);
        let refused = is_other.then(|| take(typed)).and_then(Result::err);
        // Taking a name may have put another field in the place of this one.
        reason.try_set(refused);
    };
    let key = move |event: KeyboardEvent| {
        let Some(input) = input.get_untracked() else {
            return;
        };
        match event.key().as_str() {
            // The browser tells of a change without more.
            "Enter" if done.is_none() || event.is_composing() => return,
            "Enter" => event.prevent_default(),
            "Escape" if restores => {
                input.set_value(&text.get_untracked());
                reason.set(None);
            }
            _ => return,
        }
        event.stop_propagation();
        // Leaving the field tells of a change.
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

/// Why a text cannot be.
#[component]
pub fn Refusal(
    /// The sentence, if there is anything to say.
    reason: RwSignal<Option<String>>,
) -> impl IntoView {
    move || {
        let text = reason.get()?;
        Some(view! { <p class="message bad" role="alert">{text}</p> })
    }
}
