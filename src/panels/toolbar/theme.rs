//! The switch between the themes.

use leptos::prelude::*;

use crate::page::Theme;
use crate::ui::icon::{Icon, Lucide};

/// Shows the theme; a click switches to the next one.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = Theme::expect();
    let shown = move || match theme.get().as_str() {
        "light" => (Lucide::Sun, "Theme: light"),
        "dark" => (Lucide::Moon, "Theme: dark"),
        _ => (Lucide::Contrast, "Theme: system"),
    };
    view! {
        <button class="icon theme" aria-label=move || shown().1 title=move || shown().1 on:click=move |_| theme.next()>
            {move || view! { <Icon name=shown().0/> }}
        </button>
    }
}
