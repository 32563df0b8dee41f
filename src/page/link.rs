//! Words on the screen that open what they name.

use leptos::prelude::*;

use crate::session::{LinkTarget, LinkedText, Session};

/// A word that opens what it names.
#[component]
pub fn Link(
    target: LinkTarget,
    #[prop(into)] text: String,
    #[prop(default = "link", into)] class: &'static str,
    /// The tooltip, if it isn't that of the target.
    #[prop(optional, into)]
    title: Option<String>,
    /// Runs before the target opens.
    #[prop(optional)]
    before: Option<Callback<()>>,
) -> impl IntoView {
    let session = Session::expect();
    let title = title.unwrap_or_else(|| target.to_string());
    let open = move |_| {
        if let Some(before) = before {
            before.run(());
        }
        session.visit(target.clone());
    };
    view! { <button type="button" class=class title=title on:click=open>{text}</button> }
}

/// A text with its links.
#[component]
pub fn Linked(text: LinkedText) -> impl IntoView {
    let part = |(text, target)| match target {
        Some(target) => view! { <Link target text/> }.into_any(),
        None => String::into_any(text),
    };
    text.into_parts().into_iter().map(part).collect_view()
}
