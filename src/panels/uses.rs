//! The uses of records: as a list of links, and as a dialog for one record.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::{Document, Field, RecordRef};

use crate::kinds;
use crate::page::Link;
use crate::session::{LinkTarget, Session};
use crate::ui::floating::modal_dialog;
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;

/// The maximum number of uses that are listed.
const MOST: usize = 200;

/// The uses of a record, while they are shown.
#[component]
pub fn UsesDialog() -> impl IntoView {
    let session = Session::expect();
    live(move || {
        let record = session.desk.boxes.uses_of.get()?;
        Some(dialog(session, &record))
    })
}

fn dialog(session: Session, record: &RecordRef) -> AnyView {
    let document = session.document_untracked();
    let element = modal_dialog();
    // Closing returns the focus to the element that had it.
    let close = move || {
        if let Some(dialog) = element.get_untracked() {
            dialog.close();
        }
    };
    let mut all = document.uses(record);
    all.retain(|(user, _)| user != record);
    let what = format!("{} {}", record.kind.label(), record.name);
    let title = match all.len() {
        0 => format!("Nothing uses {what}."),
        1 => format!("1 use of {what}"),
        count => format!("{count} uses of {what}"),
    };
    let list = (!all.is_empty()).then(|| uses(&document, &all, close));
    // The page's own keys don't apply while the dialog is open.
    let key = move |event: KeyboardEvent| {
        event.stop_propagation();
        if event.typed_key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    view! {
        <dialog node_ref=element class="sheet deletion" aria-labelledby="uses-title" on:keydown=key on:close=move |_| session.desk.close_uses()>
            <header class="sheet-head">
                <h2 id="uses-title">{title}</h2>
            </header>
            {list}
            <footer class="sheet-foot">
                <span class="grow"></span>
                <button type="button" autofocus=true on:click=move |_| close()>"Close"</button>
            </footer>
        </dialog>
    }
    .into_any()
}

/// Returns a list of links to uses; `close` is called before one of them is followed.
pub fn uses(
    document: &Document,
    uses: &[(RecordRef, Field)],
    close: impl Fn() + Copy + Send + Sync + 'static,
) -> AnyView {
    let rows = uses.iter().take(MOST).map(|(record, field)| {
        let (what, text) = words(document, record, field);
        let place = Place {
            record: record.clone(),
            field: field.clone(),
            span: None,
        };
        view! {
            <li>
                <Link target=LinkTarget::Place(place) text=what title="Show this use" before=Callback::new(move |()| close())/>
                {text.map(|text| view! { <code>{text}</code> })}
            </li>
        }
    });
    let rows = rows.collect_view();
    let more = uses.len().saturating_sub(MOST);
    view! {
        <ul class="uses" tabindex="0" aria-label="Uses">
            {rows}
            {(more > 0).then(|| view! { <li class="dim">{format!("and {more} more")}</li> })}
        </ul>
    }
    .into_any()
}

/// Describes a use, with its text if it has one: `precondition 1 of primitive task take-ball`.
fn words(document: &Document, record: &RecordRef, field: &Field) -> (String, Option<String>) {
    let part = match field {
        Field::Whole => String::new(),
        Field::Type => "type".to_owned(),
        Field::Param(at) => format!("parameter {}", at + 1),
        Field::Formula => "formula".to_owned(),
        Field::Action => "action".to_owned(),
        Field::Precondition(at) => format!("precondition {}", at + 1),
        Field::Integrity(at) => format!("integrity rule {}", at + 1),
        Field::Completion(at) => format!("completion condition {}", at + 1),
        Field::Claim(at) => format!("claim {}", at + 1),
        Field::Effect(at) => format!("effect {}", at + 1),
        Field::Cost => "cost".to_owned(),
        Field::Duration => "duration".to_owned(),
        Field::Relevance => "relevance".to_owned(),
        Field::Bias => "bias".to_owned(),
        Field::Subgoal(at) => format!("subgoal {}", at + 1),
        Field::Method => "method".to_owned(),
        Field::Block(_)
        | Field::BlockText(_)
        | Field::BlockWhile(_)
        | Field::BlockAbort(_)
        | Field::BlockQuery(_)
        | Field::BlockOrder(_)
        | Field::BlockScore(..)
        | Field::BlockVariable(_) => "block".to_owned(),
        Field::Task(at) => format!("task {}", at + 1),
        Field::Initial(at) => format!("initial value {}", at + 1),
        Field::Goal => "goal".to_owned(),
        Field::Event(at) | Field::EventWhen(at) => format!("event {}", at + 1),
        Field::Failure(at) => format!("failure {}", at + 1),
        Field::Expectation(at) | Field::ExpectedStep(at, _) => format!("expectation {}", at + 1),
        Field::Object(name) => format!("object {name}"),
        Field::Cast(at) | Field::CastObject(at) => format!("actor {}", at + 1),
        Field::CastTask(at, task) => format!("task {} of actor {}", task + 1, at + 1),
        Field::Belief(at, belief) => format!("belief {} of actor {}", belief + 1, at + 1),
        Field::Crowd(at) => format!("crowd {}", at + 1),
        Field::CrowdInitial(at, value) => {
            format!("initial value {} of crowd {}", value + 1, at + 1)
        }
        Field::CrowdTask(at, task) => format!("task {} of crowd {}", task + 1, at + 1),
        Field::CrowdBelief(at, belief) => format!("belief {} of crowd {}", belief + 1, at + 1),
        Field::Sense(at) => format!("sense {}", at + 1),
        Field::Uses(at) => format!("repertoire {}", at + 1),
        Field::AgentGoal(at) => format!("goal {}", at + 1),
    };
    let of = format!(
        "{} {}",
        record.kind.label(),
        kinds::shown_name(document, record)
    );
    let text = document.text(record, field).filter(|text| !text.is_empty());
    let what = if part.is_empty() {
        of
    } else {
        format!("{part} of {of}")
    };
    (what, text.map(str::to_owned))
}
