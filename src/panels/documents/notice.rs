//! Notices over the canvas, shown as long as they apply.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::session::Session;
use crate::session::autosave::Hold;
use crate::web::update;

/// Returns a notice: its text, and its buttons.
fn notice(text: &'static str, buttons: Vec<(&'static str, Callback<()>)>) -> AnyView {
    let buttons = buttons.into_iter().map(|(label, act)| {
        view! { <button on:click=move |_| act.run(())>{label}</button> }
    });
    view! { <div class="notice"><span>{text}</span>{buttons.collect_view()}</div> }.into_any()
}

/// Saves, and loads the newer version of the editor.
fn reload(session: Session) {
    spawn_local(async move {
        if session.flush().await {
            update::reload().await;
        } else {
            session.complain("Didn't reload: the document isn't saved yet.");
        }
    });
}

/// Shows that the document is open in another tab, or that a new version of the editor is ready.
#[component]
pub fn Notices() -> impl IntoView {
    let session = Session::expect();
    let ready = update::watch();
    let held = move || {
        Some(match session.storage.hold.get() {
            Hold::Elsewhere => notice(
                "This document is open in another tab. Your changes here go to a copy.",
                vec![
                    (
                        "Take over here",
                        Callback::new(move |()| session.take_over()),
                    ),
                    (
                        "Work on a copy",
                        Callback::new(move |()| session.work_on_copy()),
                    ),
                ],
            ),
            Hold::Copy => notice(
                "This is a copy: another tab has the original open.",
                vec![("OK", Callback::new(move |()| session.know_copy()))],
            ),
            Hold::Asking | Hold::Here => return None,
        })
    };
    let updated = move || {
        ready.get().then(|| {
            let reload = Callback::new(move |()| reload(session));
            notice(
                "A new version of Taskloom is ready.",
                vec![("Save and reload", reload)],
            )
        })
    };
    view! { <div class="notices" role="status" aria-label="Notices">{held}{updated}</div> }
}
