//! The dialog about a document's file that another program has changed.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::page::FileState;
use crate::session::{ChangedFile, Session};
use crate::ui::floating::modal_dialog;
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;

/// Asks in a modal dialog what to do; cancelling leaves both versions as they are.
#[component]
pub fn ChangedFileDialog() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    live(move || {
        let changed = session.desk.boxes.changed_file.get()?;
        Some(dialog(session, files, changed))
    })
}

fn dialog(session: Session, files: FileState, changed: ChangedFile) -> AnyView {
    let element = modal_dialog();
    // Closing returns the focus to the element that had it.
    let close = move || {
        if let Some(dialog) = element.get_untracked() {
            dialog.close();
        }
    };
    let title = format!("{} has changed", changed.name);
    // The page's own keys don't apply while the dialog is open.
    let key = move |event: KeyboardEvent| {
        event.stop_propagation();
        if event.typed_key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    let open = move |_| {
        close();
        files.open_changed(session);
    };
    let save = move |_| {
        close();
        files.save(session, true);
    };
    let overwrite = move |_| {
        close();
        files.overwrite(session, changed.clone());
    };
    view! {
        <dialog node_ref=element class="sheet question" aria-labelledby="changed-file" on:keydown=key on:close=move |_| session.end_file_question()>
            <header class="sheet-head">
                <h2 id="changed-file">{title}</h2>
            </header>
            <p>"Another program or tab has written the file since. Nothing was saved to it. Your document is safe in this browser, also if you open the changed file."</p>
            <footer class="sheet-foot">
                <button type="button" autofocus=true on:click=move |_| close()>"Cancel"</button>
                <button type="button" on:click=open>"Open the changed file"</button>
                <button type="button" on:click=save>"Save to another file…"</button>
                <button type="button" class="danger" on:click=overwrite>"Overwrite"</button>
            </footer>
        </dialog>
    }
    .into_any()
}
