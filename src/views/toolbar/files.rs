//! New, open, save and export.

use leptos::ev::DragEvent;
use leptos::prelude::*;
use taskloom_core::document::{Document, FILE_EXTENSION};
use wasm_bindgen_futures::spawn_local;

use crate::job::Format;
use crate::session::Session;
use crate::web::files::{self, Handle, Opened, Written};

/// The file that the open document was read from or written to.
#[derive(Clone, Copy)]
pub struct FileState {
    handle: StoredValue<Option<Handle>, LocalStorage>,
}

impl FileState {
    /// No file, provided as context.
    pub fn provide() -> Self {
        let files = Self {
            handle: StoredValue::new_local(None),
        };
        provide_context(files);
        files
    }

    /// What an ancestor provided.
    pub fn expect() -> Self {
        expect_context()
    }

    /// Opens an empty document.
    pub fn new_document(self, session: Session) {
        self.handle.set_value(None);
        session.open(Document::default());
    }

    /// Lets the designer pick a file and opens it.
    pub fn open(self, session: Session) {
        files::open(move |opened| self.opened(session, opened));
    }

    /// Opens the file that was dropped on the page.
    pub fn drop(self, session: Session, event: &DragEvent) {
        let file = event
            .data_transfer()
            .and_then(|d| d.files())
            .and_then(|f| f.get(0));
        if let Some(file) = file {
            event.prevent_default();
            spawn_local(async move { self.opened(session, files::read(file, None).await) });
        }
    }

    fn opened(self, session: Session, opened: Result<Opened, String>) {
        match opened {
            Ok(opened) => {
                if self.open_text(session, &opened.name, &opened.text) {
                    self.handle.set_value(opened.handle);
                }
            }
            Err(reason) => session.complain(reason),
        }
    }

    /// Opens a text; where it is no document, says why and leaves the open one alone.
    pub fn open_text(self, session: Session, name: &str, text: &str) -> bool {
        match Document::from_json(text) {
            Ok(document) => {
                self.handle.set_value(None);
                session.open(document);
                true
            }
            Err(error) => {
                session.complain(format!("{name} is not opened: {error}"));
                false
            }
        }
    }

    /// Writes the document's file; to another one if `elsewhere`.
    pub fn save(self, session: Session, elsewhere: bool) {
        let handle = self.handle.get_value().filter(|_| !elsewhere);
        let name = format!("{}{FILE_EXTENSION}", file_stem(&session));
        let text = session.file_text();
        spawn_local(async move {
            match files::save(&name, &text, handle).await {
                Ok(Written::To(handle)) => {
                    self.handle.set_value(Some(handle));
                    session.toast("Saved to the file.".to_owned(), false, None);
                }
                Ok(Written::Downloaded) => {
                    session.toast(format!("Downloaded as {name}."), false, None);
                }
                Ok(Written::Cancelled) => {}
                Err(reason) => session.complain(format!("The file is not written: {reason}")),
            }
        });
    }

    /// Has the worker write files for another program, and offers them as downloads.
    pub fn export(self, session: Session, format: Format) {
        let document = session.document_untracked();
        let scenario = session.scenario.get_untracked();
        session
            .planner()
            .export(&document, scenario, format, move |result| match result {
                Ok(exported) => {
                    for (name, text) in &exported.files {
                        if let Err(reason) = files::download(name, text) {
                            session.complain(format!("{name} is not downloaded: {reason}"));
                        }
                    }
                    for warning in exported.warnings {
                        session.complain(warning);
                    }
                }
                Err(reason) => session.complain(format!("Nothing is exported: {reason}")),
            });
    }
}

fn file_stem(session: &Session) -> String {
    let title = &session.document_untracked().info.title;
    let stem: String = title
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "untitled" } else { stem }.to_owned()
}
