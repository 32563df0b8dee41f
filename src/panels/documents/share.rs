//! The document as a link.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::page::FileState;
use crate::session::Session;
use crate::web::share::{self, LONGEST};

/// Shows a link that opens a copy of the document, unless it is too long.
#[component]
pub fn Share() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    let link = RwSignal::new(None::<Result<String, String>>);
    let copied = RwSignal::new("");
    let field = NodeRef::<html::Textarea>::new();
    let newest = StoredValue::new(0_u32);
    Effect::new(move || {
        session.document();
        copied.set("");
        let number = newest.get_value() + 1;
        newest.set_value(number);
        spawn_local(async move {
            let made = share::link(&session.file_text()).await;
            // A small document's link is ready before that of a larger one.
            if newest.try_get_value() == Some(number) {
                link.try_set(Some(made));
            }
        });
    });
    let copy = move |_| {
        let Some(field) = field.get_untracked() else {
            return;
        };
        field.select();
        session.doubt_copied();
        spawn_local(async move {
            let clipboard = window().navigator().clipboard();
            // It is missing on pages that were not loaded over HTTPS.
            let is_copied = !clipboard.is_undefined()
                && JsFuture::from(clipboard.write_text(&field.value()))
                    .await
                    .is_ok();
            copied.try_set(if is_copied {
                "Copied."
            } else {
                "The browser doesn't allow copying. Press Ctrl+C."
            });
        });
    };
    let save = move || view! { <button on:click=move |_| files.save(session, true)>"Save a file to send instead"</button> };
    let body = move || match link.get() {
        None => "…".into_any(),
        Some(Err(reason)) => {
            let text = format!("Couldn't create a link: {reason}.");
            view! { <p class="message bad">{text}</p>{save()} }.into_any()
        }
        Some(Ok(link)) if link.len() > LONGEST => {
            let text = format!(
                "This document is too large for a link: it would have {} characters, and mail programs cut links longer than {LONGEST}.",
                link.len()
            );
            view! { <p class="message bad">{text}</p>{save()} }.into_any()
        }
        Some(Ok(link)) => {
            let length = format!("{} characters", link.len());
            view! {
                <textarea aria-label="Link" readonly rows="6" node_ref=field prop:value=link></textarea>
                <div class="choices">
                    <button class="primary" on:click=copy>"Copy the link"</button>
                    <span class="dim">{length}</span>
                </div>
                <p role="status">{move || copied.get()}</p>
            }
            .into_any()
        }
    };
    view! {
        <div class="drawer-body">
            <p class="hint">"The link itself contains the whole document. Nothing leaves this browser until you send it; anyone who opens it gets a copy."</p>
            {body}
        </div>
    }
}
