//! The selector of the shown character, for scenarios with several.

use leptos::prelude::*;

use crate::session::Session;

/// Selects the character that the panels, the flowcharts and the world show. Hidden if there is
/// only one.
#[component]
pub fn CharacterSelect() -> impl IntoView {
    let session = Session::expect();
    let names = session.desk.characters;
    view! {
        <Show when=move || !names.with(Vec::is_empty)>
            <select
                class="whom"
                aria-label="Shown actor"
                title="Show the plan, steps and beliefs of this actor"
                on:change=move |event| {
                    if let Ok(number) = event_target_value(&event).parse() {
                        session.show_character(number);
                    }
                }
            >
                {move || {
                    let option = |(number, name): (usize, String)| {
                        let chosen = move || session.desk.character.get() == number;
                        view! { <option value=number.to_string() prop:selected=chosen>{name}</option> }
                    };
                    names.get().into_iter().enumerate().map(option).collect_view()
                }}
            </select>
        </Show>
    }
}
