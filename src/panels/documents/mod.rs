//! The documents of this browser: opened, renamed, duplicated, deleted.

mod notice;
mod share;

use std::future::Future;
use std::hash::Hash;

use js_sys::Array;
use js_sys::Intl::{DateTimeFormat, DateTimeFormatOptions, DateTimeStyle};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;

use crate::page::FileState;
use crate::page::Page;
use crate::session::{Listed, Session, shortened};
use crate::ui::keyed::Keyed;
use crate::ui::rename::Rename;
pub use notice::Notices;
pub use share::Share;

/// Formats a time in the designer's own language.
pub fn when(millis: f64) -> String {
    let options = DateTimeFormatOptions::default();
    options.set_date_style(DateTimeStyle::Medium);
    options.set_time_style(DateTimeStyle::Short);
    let format = DateTimeFormat::new(&Array::new(), &options).format();
    let text = format.call1(&JsValue::UNDEFINED, &millis.into());
    text.ok().and_then(|t| t.as_string()).unwrap_or_default()
}

/// Returns a key that differs from that of every row that looks different.
fn key(row: &Listed) -> impl Eq + Hash + use<> {
    let entry = &row.entry;
    (
        entry.id.clone(),
        entry.title.clone(),
        entry.changed.to_bits(),
        entry.deleted.map(f64::to_bits),
        row.here,
        row.elsewhere,
    )
}

/// The number of characters of a title that a row shows.
const SHOWN_TITLE: usize = 200;

fn title(row: &Listed) -> String {
    match row.entry.title.as_str() {
        "" => "Untitled".to_owned(),
        title => shortened(title, SHOWN_TITLE),
    }
}

#[derive(Clone, Copy)]
struct List {
    session: Session,
    rows: RwSignal<Vec<Listed>>,
    renaming: RwSignal<Option<String>>,
    failed: RwSignal<String>,
    element: NodeRef<html::Div>,
}

impl List {
    async fn refresh(self) {
        match self.session.list().await {
            Ok(rows) => drop(self.rows.try_set(rows)),
            Err(reason) => drop(self.failed.try_set(reason)),
        }
    }

    /// Does something to a document, shows what failed, and refreshes the list.
    fn run(self, work: impl Future<Output = Result<(), String>> + 'static) {
        spawn_local(async move {
            let result = work.await;
            self.failed.try_set(result.err().unwrap_or_default());
            self.refresh().await;
            // The element with the focus may go with its row once the list is redrawn.
            request_animation_frame(move || {
                let lost = document()
                    .active_element()
                    .is_none_or(|e| e.tag_name() == "BODY");
                // By then the list may be gone, too.
                let list = self.element.try_get_untracked().flatten();
                if let Some(list) = list.filter(|_| lost) {
                    let _ = list.focus();
                }
            });
        });
    }

    fn newest_other(self, id: &str) -> Option<String> {
        self.rows.with_untracked(|rows| {
            let others = rows.iter().filter(|row| !row.elsewhere);
            let mut others = others.map(|row| &row.entry);
            others
                .find(|e| e.deleted.is_none() && e.id != id)
                .map(|e| e.id.clone())
        })
    }
}

/// The list of documents, most recently changed first.
#[component]
pub fn Documents() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    let list = List {
        session,
        rows: RwSignal::new(vec![]),
        renaming: RwSignal::new(None),
        failed: RwSignal::new(String::new()),
        element: NodeRef::new(),
    };
    Effect::new(move || {
        session.storage.opened.track();
        session.listed();
        spawn_local(list.refresh());
    });
    let storage_note = RwSignal::new("");
    Effect::new(move || {
        // Taskloom asks for persistence after the first edit.
        session.storage.saved.track();
        spawn_local(async move {
            let is_persistent = session.is_storage_persistent().await;
            // The message above says why nothing is stored.
            storage_note.try_set(is_persistent.map_or("", describe_storage));
        });
    });
    let rows = move |deleted: bool| {
        let all = list.rows.get();
        let wanted = all
            .into_iter()
            .filter(|row| row.entry.deleted.is_some() == deleted);
        wanted.collect::<Vec<Listed>>()
    };
    let any_deleted = move || {
        list.rows
            .with(|r| r.iter().any(|r| r.entry.deleted.is_some()))
    };
    let page = Page::expect();
    let examples = move |_| {
        session.desk.close_drawer();
        page.command("examples");
    };
    view! {
        <div class="drawer-body" tabindex="-1" node_ref=list.element>
            <p class="message bad" role="alert">{move || list.failed.get()}</p>
            <p class="hint">{move || storage_note.get()}</p>
            <div class="kept-list" role="list" aria-label="Documents">
                <Keyed each=move || rows(false) key=key let:row>
                    {document_row(list, row)}
                </Keyed>
            </div>
            <h3>"New"</h3>
            <div class="choices">
                <button on:click=move |_| { session.desk.close_drawer(); files.new_document(session) }>"Empty"</button>
                <button on:click=examples>"From an example…"</button>
                <button on:click=move |_| { session.desk.close_drawer(); files.open(session) }>"From a file…"</button>
            </div>
            {move || any_deleted().then(|| view! { <h3>"Recently deleted (30 days)"</h3> })}
            <div class="kept-list" role="list" aria-label="Deleted documents">
                <Keyed each=move || rows(true) key=key let:row>
                    {deleted_row(list, row)}
                </Keyed>
            </div>
        </div>
    }
}

fn describe_storage(is_persistent: Option<bool>) -> &'static str {
    match is_persistent {
        Some(true) => "Stored in this browser until you clear its data for this page.",
        Some(false) => {
            "Stored in this browser, which may delete it when space is short. Save important work to files."
        }
        None => "Stored in this browser. Save important work to files.",
    }
}

fn document_row(list: List, row: Listed) -> AnyView {
    let List {
        session, renaming, ..
    } = list;
    let title = title(&row);
    let Listed {
        entry,
        here,
        elsewhere,
    } = row;
    let state = match (here, elsewhere) {
        (true, _) => " · open",
        (_, true) => " · open in another tab",
        _ => "",
    };
    let note = format!("{}{state}", when(entry.changed));
    let id = entry.id.clone();
    let (opened, renamed, doubled, deleted) = (id.clone(), id.clone(), id.clone(), id.clone());
    let own_id = id.clone();
    let is_renamed = Memo::new(move |_| renaming.with(|r| r.as_deref() == Some(own_id.as_str())));
    let shown = title.clone();
    let head = move || {
        let title = shown.clone();
        if is_renamed.get() {
            return title_field(list, title, renamed.clone());
        }
        let id = opened.clone();
        let open = move |_| {
            session.desk.close_drawer();
            if !here {
                session.open_kept(id.clone());
            }
        };
        view! {
            <button class="kept-title" aria-current=here.then_some("true") on:click=open>{title}</button>
        }
        .into_any()
    };
    let rename = move |_| renaming.set(Some(id.clone()));
    let duplicate = move |_| {
        list.run({
            let id = doubled.clone();
            async move { session.duplicate_kept(&id).await }
        })
    };
    let delete = move |_| {
        list.run({
            let id = deleted.clone();
            let instead = list.newest_other(&id);
            async move { session.delete_kept(&id, instead).await }
        })
    };
    let label = |verb: &str| format!("{verb} {title}");
    view! {
        <div class="kept" role="listitem">
            {head}
            <div class="kept-foot">
                <span class="dim">{note}</span>
                <button class="bare" aria-label=label("Rename") disabled=elsewhere on:click=rename>"Rename"</button>
                <button class="bare" aria-label=label("Duplicate") on:click=duplicate>"Duplicate"</button>
                <button class="bare" aria-label=label("Delete") disabled=elsewhere on:click=delete>"Delete"</button>
            </div>
        </div>
    }
    .into_any()
}

fn title_field(list: List, title: String, id: String) -> AnyView {
    let take = move |title: String| {
        let id = id.clone();
        list.run(async move { list.session.rename_kept(&id, title).await });
        Ok(())
    };
    let end = move |_| list.renaming.set(None);
    view! { <Rename label="Title".to_owned() name=title take end/> }.into_any()
}

fn deleted_row(list: List, row: Listed) -> AnyView {
    let title = title(&row);
    let id = row.entry.id;
    let label = format!("Restore {title}");
    let bring_back = move |_| {
        list.run({
            let id = id.clone();
            async move { list.session.undelete_kept(&id).await }
        })
    };
    view! {
        <div class="kept" role="listitem">
            <span class="kept-title">{title}</span>
            <button class="bare" aria-label=label on:click=bring_back>"Restore"</button>
        </div>
    }
    .into_any()
}
