//! The dialog that shows the uses of records to be deleted, and offers to delete them, too.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::uses::uses;
use crate::session::{Deletion, Session};
use crate::ui::floating::modal_dialog;
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;

/// Asks in a modal dialog: the browser keeps the focus inside, and restores it afterwards.
#[component]
pub fn DeletionDialog() -> impl IntoView {
    let session = Session::expect();
    live(move || {
        session
            .desk
            .boxes
            .deleting
            .get()
            .map(|deletion| view! { <Question deletion/> })
    })
}

#[component]
fn Question(deletion: Deletion) -> impl IntoView {
    let session = Session::expect();
    let document = session.document_untracked();
    let element = modal_dialog();
    // Closing returns the focus to the element that had it.
    let close = move || {
        if let Some(dialog) = element.get_untracked() {
            dialog.close();
        }
    };
    let count = deletion.uses.len();
    let what = deletion.words();
    let title = match count {
        1 => format!("Delete {what}? It is used in one place."),
        count => format!("Delete {what}? It is used in {count} places."),
    };
    let button = match count {
        1 => "Delete with its 1 use".to_owned(),
        count => format!("Delete with all {count} uses"),
    };
    let uses = uses(&document, &deletion.uses, close);
    // The page's own keys don't apply while the dialog is open.
    let key = move |event: KeyboardEvent| {
        event.stop_propagation();
        if event.typed_key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    let delete = move |_| {
        close();
        session.delete_with_uses(deletion.clone());
    };
    view! {
        <dialog node_ref=element class="sheet deletion" aria-labelledby="deletion-title" on:keydown=key on:close=move |_| session.desk.cancel_deletion()>
            <header class="sheet-head">
                <h2 id="deletion-title">{title}</h2>
            </header>
            {uses}
            <footer class="sheet-foot">
                <span>"Also deletes the conditions, effects, blocks and values that use it. You can undo this."</span>
                <span class="grow"></span>
                <button type="button" autofocus=true on:click=move |_| close()>"Cancel"</button>
                <button type="button" class="danger" on:click=delete>{button}</button>
            </footer>
        </dialog>
    }
}
