//! Words on the screen that open what they name.

use leptos::prelude::*;

use crate::session::{LinkTarget, LinkedText, Session, TextPart};

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
    linked(text, String::into_any)
}

/// Shows a text with its links; `plain` shows what is between them.
pub fn linked(text: LinkedText, plain: fn(String) -> AnyView) -> impl IntoView {
    let part = |part| match part {
        TextPart::Text(text) => plain(text),
        TextPart::Link {
            before,
            word,
            target,
            after,
        } if before.is_empty() && after.is_empty() => view! { <Link target text=word/> }.into_any(),
        TextPart::Link {
            before,
            word,
            target,
            after,
        } => view! {
            <span class="unbroken">{plain(before)} <Link target text=word/> {plain(after)}</span>
        }
        .into_any(),
    };
    text.into_parts().into_iter().map(part).collect_view()
}
