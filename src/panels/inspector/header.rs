//! The name, title and note that every record has.

use leptos::prelude::*;
use taskloom_document::{Edit, Field, Kind, RecordRef};

use super::fields::{FreeText, Labelled};
use super::heading::HelpLink;
use super::note::NoteField;
use super::texts::capital;
use crate::expression::Messages;
use crate::kinds;
use crate::page::help_pages;
use crate::session::Session;
use crate::ui::entry::{Entry, Refusal};
use crate::ui::icon::Tile;

/// Name, kind, number of uses, and the button that deletes the record.
#[component]
pub fn Header(record: RecordRef) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.record(record.clone());
    let this = StoredValue::new(record.clone());
    let title = Memo::new(move |_| {
        data.with(|d| d.as_ref().map(|d| d.title().to_owned()).unwrap_or_default())
    });
    let findings = session.open.findings(move |place| {
        this.with_value(|record| place.record == *record)
            && matches!(place.field, Field::Whole | Field::Type)
    });
    let kind = record.kind.label();
    let set_title = Callback::new(move |value: String| {
        write(session, &this.get_value(), "title", |title, _| {
            *title = value
        });
    });
    view! {
        <h2 class="unseen">{kind}</h2>
        <header
            class=format!("subject {}", kinds::of(record.kind).class)
        >
            {move || data.with(|d| d.as_ref().map(|d| view! { <Tile icon=kinds::icon(d)/> }))}
            <NameField record=record.clone()/>
            <HelpLink about=kind page=help_pages::of_kind(record.kind)/>
            <button
                class="bare"
                aria-label="Delete"
                title="Delete it and what uses it (Del)"
                on:click=move |_| session.delete([this.get_value()], vec![])
            >
                "Delete"
            </button>
        </header>
        <p class="kind">{capital(kind)}</p>
        <Messages findings/>
        <Labelled label="Title">
            <FreeText label="Title" placeholder="shown instead of the name" value=title set=set_title/>
        </Labelled>
    }
}

/// The note of every record.
#[component]
pub fn Note(record: RecordRef) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.record(record.clone());
    let note = Memo::new(move |_| {
        data.with(|d| d.as_ref().map(|d| d.note().to_owned()).unwrap_or_default())
    });
    let scenario = (record.kind == Kind::Scenario).then(|| record.name.clone());
    let set = Callback::new(move |value: String| {
        write(session, &record, "note", |_, note| *note = value);
    });
    view! { <NoteField label="Notes" value=note set scenario/> }
}

/// The name: Enter or leaving the field renames every use.
#[component]
fn NameField(record: RecordRef) -> impl IntoView {
    let session = Session::expect();
    let reason = RwSignal::new(None::<String>);
    let name = record.name.to_string();
    let text = Signal::stored(name.clone());
    let take = move |name: String| session.rename(&record, &name);
    view! {
        <span class="name-field">
            <Entry label="Name" text take reason attr:class="text name" attr:title=name/>
            <Refusal reason/>
        </span>
    }
}

fn write(
    session: Session,
    record: &RecordRef,
    what: &str,
    change: impl FnOnce(&mut String, &mut String),
) {
    let Some(mut data) = session.document_untracked().get(record) else {
        return;
    };
    let (title, note) = data.title_and_note_mut();
    change(title, note);
    session.commit_typing(
        &format!("Change the {what} of {}", record.name),
        &format!("{record}/{what}"),
        Edit::Replace(record.name.clone(), data),
    );
}
