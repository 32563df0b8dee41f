//! A frame or note on a canvas.

use leptos::prelude::*;
use taskloom_document::{BlockId, Edit, Frame, Tint};

use super::fields::{FreeText, Labelled};
use super::many::actions;
use crate::diagram::frames;
use crate::session::Session;

/// Title, note and colour of a frame of the open canvas.
#[component]
pub fn FrameInspector(id: BlockId) -> impl IntoView {
    let session = Session::expect();
    let (sheet, own) = (frames::sheet(session), id.clone());
    let on_board = sheet.is_none();
    let frame = Memo::new(move |_| {
        let document = session.document();
        document.layout.frames(sheet.as_ref()).get(&own).cloned()
    });
    let text = move |part: fn(&Frame) -> &String| {
        Memo::new(move |_| frame.with(|f| f.as_ref().map(|f| part(f).clone()).unwrap_or_default()))
    };
    let id = StoredValue::new(id);
    let change = move |label: &str, change: &dyn Fn(&mut Frame)| {
        let id = id.get_value();
        let key = format!("{label} {id}");
        let edits = frames::changed(session, &[id].into(), change);
        session.commit_typing(label, &key, Edit::Batch(edits));
    };
    let set_title = Callback::new(move |text: String| {
        change("Edit frame title", &|frame| frame.title.clone_from(&text));
    });
    let set_note = Callback::new(move |text: String| {
        change("Write note", &|frame| frame.note.clone_from(&text));
    });
    let tints = Tint::ALL.map(|tint| {
        let on = move || frame.with(|f| f.as_ref().is_some_and(|f| f.tint == tint));
        let name = tint.name();
        view! {
            <button
                type="button" class="tint" data-tint=name aria-label=name title=name aria-pressed=move || on().to_string()
                on:click=move |_| { change("Colour frame", &|frame| frame.tint = tint); session.open.seal() }
            ></button>
        }
    });
    view! {
        <header class="subject"><h2>"Frame"</h2></header>
        <Labelled label="Title">
            <FreeText label="Title" value=text(|f| &f.title) set=set_title/>
        </Labelled>
        <Labelled label="Notes">
            <FreeText label="Notes" long=true value=text(|f| &f.note) set=set_note/>
        </Labelled>
        <div class="field" role="group" aria-label="Colour">
            <span class="label" aria-hidden="true">"Colour"</span>
            <div class="tints">{tints.into_iter().collect_view()}</div>
        </div>
        <p class="hint">"A frame's contents move with it. Hold Alt to move the frame alone."</p>
        // The clipboard holds frames together with blocks.
        {match on_board {
            true => actions(&["delete"]),
            false => actions(&["duplicate", "delete"]),
        }}
    }
    .into_any()
}
