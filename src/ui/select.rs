//! A selector of one of a few fixed values.

use leptos::prelude::*;

/// A value, its word in the page's markup, and its text.
pub type Choice<T> = (T, &'static str, &'static str);

/// A selector of one of a few fixed values.
#[component]
pub fn Select<T>(
    /// Its accessible name.
    #[prop(into)]
    label: String,
    /// The values.
    choices: &'static [Choice<T>],
    /// The chosen value.
    #[prop(into)]
    chosen: Signal<T>,
    /// Receives the choice.
    set: Callback<T>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let choose = move |event| {
        let word = event_target_value(&event);
        if let Some((value, ..)) = choices.iter().find(|(_, own, _)| *own == word) {
            set.run(*value);
        }
    };
    let option = move |(value, word, text): &Choice<T>| {
        let (value, word, text) = (*value, *word, *text);
        view! { <option value=word prop:selected=move || chosen.get() == value>{text}</option> }
    };
    view! {
        <select aria-label=label on:change=choose>{choices.iter().map(option).collect_view()}</select>
    }
}
