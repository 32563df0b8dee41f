//! Links from the inspector to the help, in the headings of its sections.

use leptos::prelude::*;

use crate::page::help_pages;
use crate::ui::icon::{Icon, Lucide};

/// The heading of a section, with a link to the help about it.
#[component]
pub fn Heading(
    /// The heading.
    title: &'static str,
    /// Shown at its end.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <h3>
            {title}
            <HelpLink about=title page=help_pages::of_section(title)/>
            {children.map(|children| children())}
        </h3>
    }
}

/// A small link that opens a page of the help in a new tab.
#[component]
pub fn HelpLink(
    /// The subject of the page: `Senses`.
    about: &'static str,
    /// The address of the page.
    page: &'static str,
) -> impl IntoView {
    let name = format!("Help: {}", about.to_lowercase());
    view! {
        <a class="help-link" href=page target="_blank" aria-label=name.clone() title=name><Icon name=Lucide::CircleQuestionMark size=14/></a>
    }
}
