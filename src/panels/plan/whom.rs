//! Who is shown, where a scenario has several characters.

use leptos::prelude::*;

use super::steps::show;
use crate::session::Session;

/// Chooses between them; nothing where there is only one. The panels, the flowcharts and the
/// world are about who is chosen.
#[component]
pub fn CharacterSelect() -> impl IntoView {
    let session = Session::expect();
    let names = session.characters;
    view! {
        <Show when=move || !names.with(Vec::is_empty)>
            <select
                class="whom"
                aria-label="Character that is shown"
                title="Whose plan, steps and beliefs are shown"
                on:change=move |event| {
                    if let Ok(number) = event_target_value(&event).parse() {
                        show(session, number);
                    }
                }
            >
                {move || {
                    let option = |(number, name): (usize, String)| {
                        let chosen = move || session.character.get() == number;
                        view! { <option value=number.to_string() prop:selected=chosen>{name}</option> }
                    };
                    names.get().into_iter().enumerate().map(option).collect_view()
                }}
            </select>
        </Show>
    }
}
