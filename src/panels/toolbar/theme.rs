//! Light, dark, or as the system has it.

use leptos::prelude::*;

use crate::web::storage;

const KEY: &str = "taskloom.theme";

/// Goes round through the three.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(storage::get(KEY).unwrap_or_default());
    Effect::new(move || {
        let theme = theme.get();
        let Some(root) = document().document_element() else {
            return;
        };
        // Neither call fails on an element that is in the page.
        let _ = if theme.is_empty() {
            root.remove_attribute("data-theme")
        } else {
            root.set_attribute("data-theme", &theme)
        };
        storage::set(KEY, &theme);
    });
    let next = move |_| {
        theme.update(|t| {
            *t = match t.as_str() {
                "" => "light",
                "light" => "dark",
                _ => "",
            }
            .to_owned();
        });
    };
    view! {
        <button class="theme" title="Light, dark, or as the system has it" on:click=next>
            {move || match theme.get().as_str() {
                "light" => "☀ Light",
                "dark" => "☾ Dark",
                _ => "◐ Auto",
            }}
        </button>
    }
}
