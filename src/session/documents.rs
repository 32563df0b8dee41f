//! Which document is open: others are opened in its place, and go on being kept.

use js_sys::Date;
use leptos::prelude::*;
use taskloom::document::{Document, History, Info};
use wasm_bindgen_futures::spawn_local;

use super::autosave::Input;
use super::library::{Entry, Keep, Library, Version, lock_name};
use super::open::{DocumentSignals, OpenDocument, OpenFile};
use super::saver::Saver;
use super::{Offer, Session, shortened};
use crate::examples;
use crate::web::files::Handle;
use crate::web::locks;
use crate::worker::{Client, TextFile};

/// Characters of a title that a message shows.
const SHOWN_TITLE: usize = 80;

/// A document of the list, and who has it open.
#[derive(Clone, PartialEq)]
pub struct Listed {
    /// The document's row.
    pub entry: Entry,
    /// Whether it is the open one.
    pub here: bool,
    /// Whether another tab has it open.
    pub elsewhere: bool,
}

/// What is shown over the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawer {
    /// The documents of this browser.
    Documents,
    /// The steps of the open document, and its restore points.
    History,
    /// A link that holds the document.
    Share,
}

impl Session {
    /// Shows a drawer in the place of any other.
    pub fn show_drawer(&self, drawer: Drawer) -> bool {
        self.drawer.set(Some(drawer));
        true
    }

    /// Opens a document that is not kept yet. Undo does not go back over that; a
    /// message offers to bring the old one back, and the list has it.
    pub fn open_document(&self, document: Document) {
        self.tell_opened(&document);
        self.swap(opened(document), Entry::fresh());
        self.tell_saver(Input::Opened);
    }

    fn tell_opened(&self, document: &Document) {
        let title = match document.info.title.as_str() {
            "" => "a new document".to_owned(),
            title => format!("“{}”", shortened(title, SHOWN_TITLE)),
        };
        let something = *self.document_untracked() != Document::default();
        let offer = something.then_some(Offer::BringBack);
        self.toast(format!("Opened {title}."), false, offer);
    }

    /// Opens the document again that [`Session::open_document`] has replaced.
    pub fn bring_back(&self) {
        let replaced = self.replaced.try_update_value(Option::take).flatten();
        if let Some((document, entry)) = replaced {
            self.swap(document, entry);
            self.tell_saver(Input::Opened);
        }
    }

    /// Opens a document of the list.
    pub fn open_kept(&self, entry: Entry) {
        let session = *self;
        spawn_local(async move {
            match session.kept(&entry).await {
                Ok(document) => {
                    session.tell_opened(&document);
                    session.swap(opened(document), entry);
                }
                Err(reason) => session.complain(format!("It is not opened: {reason}")),
            }
        });
    }

    fn tell_saver(&self, input: Input) {
        self.saver.with_value(|saver| saver.hear(input));
    }

    /// The browser's documents; why there are none.
    fn library(&self) -> Result<Library, String> {
        self.library.get_value()
    }

    /// All documents, the one that was changed last first; deleted ones as well.
    pub async fn list(&self) -> Result<Vec<Listed>, String> {
        let entries = self.library()?.list().await?;
        let open = self.entry();
        let held = locks::held().await;
        let row = |entry: Entry| {
            let here = entry.id == open.id;
            Listed {
                elsewhere: !here && held.contains(&lock_name(&entry.id)),
                here,
                entry,
            }
        };
        Ok(entries.into_iter().map(row).collect())
    }

    /// The open document's restore points, oldest first.
    pub async fn versions(&self) -> Result<Vec<Version>, String> {
        self.library()?.versions(&self.entry().id).await
    }

    /// Puts a restore point into the open document's place, as a step with this label.
    pub async fn restore(&self, version: &Version, label: &str) -> Result<(), String> {
        let text = self.library()?.version(&self.entry().id, version).await;
        let text = text.ok_or("This restore point is not there any more.")?;
        let document = Document::from_json(&text);
        self.replace(
            label,
            document.map_err(|error| format!("It does not open: {error}"))?,
        );
        Ok(())
    }

    async fn kept(&self, entry: &Entry) -> Result<Document, String> {
        let text = self.library()?.text(entry).await;
        let text = text.ok_or("it is not in this browser any more")?;
        Document::from_json(&text).map_err(|error| error.to_string())
    }

    /// Opens a document in the place of the open one. What belonged to that goes with it.
    fn swap(&self, next: OpenDocument, entry: Entry) {
        let document = next.history.current().clone();
        let why = match document.info.title.as_str() {
            "" => "before another document was opened".to_owned(),
            title => format!("before “{}” was opened", shortened(title, SHOWN_TITLE)),
        };
        self.tell_saver(Input::Switch {
            next: entry,
            why,
            is_example: self.document.with_untracked(|d| examples::is_one(d)),
        });
        let before = self
            .open
            .try_update_value(|open| std::mem::replace(open, next));
        self.replaced
            .set_value(before.zip(self.saver.with_value(Saver::closed)));
        self.opened.update(|opened| *opened += 1);
        self.planner.with_value(Client::close);
        self.signals.with_value(DocumentSignals::reset);
        self.scenario.set(document.scenarios.keys().next().cloned());
        self.document.set(document);
        self.show_labels();
    }

    /// The file that the open document is written to without asking.
    pub fn file(&self) -> Option<Handle> {
        let id = self.entry().id;
        self.open.with_value(|open| {
            let file = open.file.as_ref().filter(|file| file.of == id);
            file.map(|file| file.handle.clone())
        })
    }

    /// Remembers the file that the open document was read from or written to.
    pub fn set_file(&self, handle: Option<Handle>) {
        let of = self.entry().id;
        let file = handle.map(|handle| OpenFile { handle, of });
        self.open.update_value(|open| open.file = file);
    }

    /// The planning domain that the open document was imported from.
    pub fn domain(&self) -> Option<TextFile> {
        self.open.with_value(|open| open.domain.clone())
    }

    /// Remembers the planning domain that the open document was imported from.
    pub fn set_domain(&self, domain: TextFile) {
        self.open.update_value(|open| open.domain = Some(domain));
    }

    /// The row of the open document.
    pub fn entry(&self) -> Entry {
        self.saver.with_value(Saver::entry)
    }

    /// Writes all that is unsaved; whether it is on the disk now.
    pub async fn flush(&self) -> bool {
        let saver = self.saver.get_value();
        saver.flush().await
    }

    /// Keeps the open document as it is as a restore point.
    pub async fn keep_restore_point(&self, why: &str) -> Result<(), String> {
        self.flush().await;
        let saver = self.saver.get_value();
        saver.keep(why).await
    }

    /// Takes the document over from the tab that has it, as it is there.
    pub fn take_over(&self) {
        let session = *self;
        let saver = self.saver.get_value();
        spawn_local(async move {
            let text = saver.take_over().await;
            match text.as_deref().map(Document::from_json) {
                Some(Ok(document)) => {
                    let history = History::new("Take over from another tab", document);
                    let document = history.current().clone();
                    session.open.update_value(|open| open.history = history);
                    let before = session.document_untracked();
                    session.follow_names(&before, &document);
                    session.document.set(document);
                    session.show_labels();
                }
                Some(Err(error)) => session.complain(format!("It does not open: {error}")),
                None => session.complain("The other tab's document is not to be found."),
            }
        });
    }

    /// Goes on with the document as a copy.
    pub fn work_on_copy(&self) {
        self.tell_saver(Input::Copy);
        let title = format!("{} (copy)", self.document_untracked().info.title);
        self.set_title(title.trim_start());
        self.seal();
    }

    /// Lets go of the note that this is a copy.
    pub fn know_copy(&self) {
        self.tell_saver(Input::CopyKnown);
    }

    /// Changes a document of the list that no other tab has open: its text, its
    /// row, or both.
    async fn change_kept(
        &self,
        entry: &Entry,
        change: impl AsyncFnOnce(&Library, Entry) -> Result<(), String>,
    ) -> Result<(), String> {
        let library = self.library()?;
        // This tab itself may only just be letting go of it.
        let _lock = locks::take(&lock_name(&entry.id), 8, || {})
            .await
            .ok_or("it is open in another tab")?;
        let entry = library.entry(&entry.id).await;
        change(&library, entry.ok_or("it is not in this browser any more")?).await
    }

    /// Gives a document of the list another title.
    pub async fn rename_kept(&self, entry: Entry, title: String) -> Result<(), String> {
        if entry.id == self.entry().id {
            self.set_title(&title);
            self.seal();
            self.flush().await;
            return Ok(());
        }
        let mut document = self.kept(&entry).await?;
        self.change_kept(&entry, async |library, mut entry| {
            document.info = titled(&document, title);
            entry.next(&document.info.title, Date::now());
            let text = document.to_json();
            library.write(&entry, &text, Keep::Nothing).await.map(drop)
        })
        .await
    }

    /// Adds a copy of a document to the list.
    pub async fn duplicate_kept(&self, entry: Entry) -> Result<(), String> {
        let library = self.library()?;
        self.flush().await;
        let entry = library.entry(&entry.id).await.unwrap_or(entry);
        let mut document = if entry.id == self.entry().id {
            (*self.document_untracked()).clone()
        } else {
            self.kept(&entry).await?
        };
        let title = format!("{} (copy)", document.info.title);
        document.info = titled(&document, title.trim_start().to_owned());
        let mut copy = Entry::fresh();
        copy.next(&document.info.title, Date::now());
        let text = document.to_json();
        library.write(&copy, &text, Keep::Nothing).await.map(drop)
    }

    /// Marks a document of the list as deleted, or brings it back. Where it is the
    /// open one, `instead` is opened, or an empty one.
    pub async fn delete_kept(
        &self,
        entry: Entry,
        delete: bool,
        instead: Option<Entry>,
    ) -> Result<(), String> {
        if entry.id == self.entry().id {
            self.flush().await;
            let (document, next) = match instead {
                Some(instead) => (self.kept(&instead).await?, instead),
                None => (Document::default(), Entry::fresh()),
            };
            self.swap(opened(document), next);
        }
        self.change_kept(&entry, async |library, mut entry| {
            entry.deleted = delete.then(Date::now);
            library.mark(&entry).await
        })
        .await
    }
}

fn opened(document: Document) -> OpenDocument {
    OpenDocument::new(History::new("Open", document))
}

fn titled(document: &Document, title: String) -> std::sync::Arc<Info> {
    let note = document.info.note.clone();
    std::sync::Arc::new(Info { title, note })
}
