//! The inspector while nothing is selected: the document itself.

use leptos::prelude::*;
use taskloom_document::{Edit, Info};

use super::fields::{FreeText, Labelled};
use super::heading::Heading;
use super::note::NoteField;
use crate::session::Session;

/// Title, notes and, in an empty document, the first steps.
#[component]
pub fn DocumentInspector() -> impl IntoView {
    let session = Session::expect();
    let title = Memo::new(move |_| session.document().info.title.clone());
    let note = Memo::new(move |_| session.document().info.note.clone());
    let set_title = Callback::new(move |value: String| session.set_title(&value));
    let set_note = Callback::new(move |note: String| {
        let title = session.document_untracked().info.title.clone();
        session.commit_typing(
            "Change the document's note",
            "note",
            Edit::SetInfo(Info { title, note }),
        );
    });
    let empty = Memo::new(move |_| session.document().records().next().is_none());
    view! {
        <h2>"Document"</h2>
        <Labelled label="Title">
            <FreeText label="Document title" placeholder="Untitled" value=title set=set_title/>
        </Labelled>
        <NoteField label="Document notes" value=note set=set_note scenario=None/>
        <Show when=move || empty.get()>
            <section class="section first-steps" aria-label="First steps">
                <Heading title="First steps"/>
                <ol>
                    <li>"Add " <b>"facts"</b> ": what can be true in the world, such as " <code>"box_open"</code> "."</li>
                    <li>"Add " <b>"primitive tasks"</b> " with preconditions and effects: the steps of a plan."</li>
                    <li>"Add a " <b>"compound task"</b> ", open it and draw its method as a flowchart."</li>
                    <li>"Add a " <b>"scenario"</b> ": initial values, and the task to plan."</li>
                </ol>
                <p>"Each has a “+” in the outline on the left. Or open an example from the File menu."</p>
            </section>
        </Show>
    }
}
