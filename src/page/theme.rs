//! The theme: light, dark, or the system's.

use leptos::prelude::*;

use crate::web::storage;

const KEY: &str = "taskloom.theme";

/// The chosen theme: `light`, `dark`, or empty for the system's. It is provided as context.
#[derive(Clone, Copy)]
pub struct Theme(RwSignal<String>);

impl Theme {
    /// Provides the theme that was chosen last, and applies it from now on.
    pub fn provide() {
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
        provide_context(Self(theme));
    }

    /// Returns the theme that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Returns the theme. Tracked.
    pub fn get(self) -> String {
        self.0.get()
    }

    /// Switches to a theme: `light`, `dark`, or empty for the system's.
    pub fn choose(self, theme: &str) {
        self.0.set(theme.to_owned());
    }

    /// Switches to the next of the three themes.
    pub fn next(self) {
        self.0.update(|theme| {
            *theme = match theme.as_str() {
                "" => "light",
                "light" => "dark",
                _ => "",
            }
            .to_owned();
        });
    }
}
