//! The switch between the themes.

use leptos::prelude::*;

use crate::page::Theme;

/// Shows the theme; a click switches to the next one.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = Theme::expect();
    view! {
        <button class="theme" title="Theme: light, dark or system" on:click=move |_| theme.next()>
            {move || match theme.get().as_str() {
                "light" => "☀ Light",
                "dark" => "☾ Dark",
                _ => "◐ Auto",
            }}
        </button>
    }
}
