//! Opening documents in place of the open one, which remains stored.

mod list;

use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom_document::{Document, History};

use super::autosave::Input;
use super::library::{Entry, Library, Origin, Version};
use super::open::{OpenDocument, Resets};
use super::saver::Saver;
use super::{Background, Offer, Session, open, shortened};
use crate::examples;
use crate::web::platform::Platform;
use crate::worker::{Answer, TextFile};
pub use list::Listed;
use list::Stored;

/// The number of characters of a title that a message shows.
const SHOWN_TITLE: usize = 80;

/// An opening in progress. It is dropped if the user opens something else before it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening(u32);

/// A document that was opened. What is made for it, such as the run of a log, is dropped once another one is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenedDocument(u32);

impl Session {
    /// Returns the open document, to ask later if it is [still open](Self::is_open).
    pub fn opened_document(&self) -> OpenedDocument {
        OpenedDocument(self.storage.opened.get_untracked())
    }

    /// Returns `true` if no other document was opened since.
    pub fn is_open(&self, document: OpenedDocument) -> bool {
        self.opened_document() == document
    }

    /// Opens a document that isn't stored yet. Undo doesn't reach back beyond it; a message offers
    /// to reopen the previous document, which is also in the list.
    pub fn open_document(&self, document: Document) {
        self.announce_opened(&document);
        let entry = Entry::fresh(&self.platform());
        let next = OpenDocument::new(open::history(document, None));
        self.swap(next, entry.into());
        self.notify_saver(Input::Opened);
    }

    /// Opens an example, with the planner's answers that were stored with it.
    pub fn open_example(&self, document: Document, answers: Vec<Answer>) {
        self.open_document(document);
        self.plan.know(self.document_untracked(), answers);
    }

    fn announce_opened(&self, document: &Document) {
        let title = match document.info.title.as_str() {
            "" => "a new document".to_owned(),
            title => format!("“{}”", shortened(title, SHOWN_TITLE)),
        };
        let something = *self.document_untracked() != Document::default();
        let offer = something.then_some(Offer::BringBack);
        self.toast(format!("Opened {title}."), offer);
    }

    /// Reopens the document that [`Session::open_document`] replaced.
    pub fn bring_back(&self) {
        let replaced = self
            .storage
            .replaced
            .try_update_value(Option::take)
            .flatten();
        if let Some((document, origin)) = replaced {
            self.swap(document, origin);
            self.notify_saver(Input::Opened);
        }
    }

    /// Begins to open something, which cancels whatever was being opened before.
    pub fn begin_opening(&self) -> Opening {
        self.storage
            .openings
            .update_value(|openings| *openings += 1);
        Opening(self.storage.openings.get_value())
    }

    /// Cancels an opening: whatever was being opened before may still open.
    pub fn cancel_opening(&self, opening: Opening) {
        if self.is_wanted(opening) {
            self.storage
                .openings
                .update_value(|openings| *openings -= 1);
        }
    }

    /// Returns `true` if nothing else was opened since.
    pub fn is_wanted(&self, opening: Opening) -> bool {
        opening.0 == self.storage.openings.get_value()
    }

    /// Opens a document from the list.
    pub fn open_kept(&self, id: String) {
        let session = *self;
        let opening = self.begin_opening();
        if id == self.entry().id {
            return;
        }
        spawn_local(async move {
            let kept = session.kept(&id).await;
            if !session.is_wanted(opening) {
                return;
            }
            match kept {
                Ok(kept) => session.open_read(kept),
                Err(reason) => session.complain(format!("Couldn't open the document: {reason}")),
            }
        });
    }

    fn open_read(&self, kept: Stored) {
        self.announce_opened(kept.history.current());
        let mut next = OpenDocument::new(kept.history);
        let image = kept.image.as_ref();
        next.file = kept.file;
        next.background = image.map(|image| Background::of_stored(image.as_ref()));
        self.swap(next, kept.origin);
        if kept.is_unsaved {
            self.notify_saver(Input::Opened);
        }
    }

    pub(super) fn notify_saver(&self, input: Input) {
        self.storage.saver.with_value(|saver| saver.handle(input));
    }

    /// Returns the browser's documents, or the reason why there are none.
    pub(super) fn library(&self) -> Result<Library, String> {
        self.storage.library.get_value()
    }

    /// Returns the open document's restore points, oldest first.
    pub async fn versions(&self) -> Result<Vec<Version>, String> {
        self.library()?.versions(&self.entry().id).await
    }

    /// Replaces the open document by a restore point, as a step with this label.
    pub async fn restore(&self, version: &Version, label: &str) -> Result<(), String> {
        let document = self.opened_document();
        let text = self.library()?.version(&self.entry().id, version).await;
        if !self.is_open(document) {
            return Ok(());
        }
        let text = text.ok_or("This restore point no longer exists.")?;
        let document = Document::from_json(&text);
        self.replace(
            label,
            document.map_err(|error| format!("Couldn't open the restore point: {error}"))?,
        );
        Ok(())
    }

    /// Replaces the open document, along with the state that belongs to it.
    fn swap(&self, next: OpenDocument, origin: Origin) {
        let document = next.history.current().clone();
        let why = match document.info.title.as_str() {
            "" => "before another document was opened".to_owned(),
            title => format!("before “{}” was opened", shortened(title, SHOWN_TITLE)),
        };
        self.notify_saver(Input::Switch {
            next: origin,
            why,
            is_example: self.open.document.with_untracked(|d| examples::is_one(d)),
        });
        let (shown, background) = (self.open.known_background(), next.background.clone());
        let before = self.open.content.try_update_value(|open| {
            open.background = shown;
            std::mem::replace(open, next)
        });
        self.storage
            .replaced
            .set_value(before.zip(self.storage.saver.with_value(Saver::closed)));
        self.begin_opening();
        self.storage.opened.update(|opened| *opened += 1);
        self.plan.close();
        self.storage.resets.with_value(Resets::reset);
        self.plan
            .scenario
            .set(document.scenarios.keys().next().cloned());
        self.open.document.set(document);
        self.open.show_labels();
        self.show_background_of(background);
    }

    /// Returns the planning domain that the open document was imported from.
    pub fn planning_domain(&self) -> Option<TextFile> {
        self.open.content.with_value(|open| open.domain.clone())
    }

    /// Sets the planning domain that the open document was imported from.
    pub fn set_planning_domain(&self, domain: TextFile) {
        self.open
            .content
            .update_value(|open| open.domain = Some(domain));
    }

    /// Returns the row of the open document.
    pub fn entry(&self) -> Entry {
        self.storage.saver.with_value(Saver::entry)
    }

    /// Writes all unsaved changes. Returns `true` if everything is saved now.
    pub async fn flush(&self) -> bool {
        let saver = self.storage.saver.get_value();
        saver.flush().await
    }

    /// Creates a restore point of the open document in its current state.
    pub async fn keep_restore_point(&self, why: &str) -> Result<(), String> {
        let saver = self.storage.saver.get_value();
        saver.keep(why).await
    }

    /// Takes over the document in its current state from the tab that owns it. Edits made here are
    /// kept as a separate document.
    pub fn take_over(&self) {
        let session = *self;
        let saver = self.storage.saver.get_value();
        if !saver.can_take_over() {
            return;
        }
        spawn_local(async move {
            let id = saver.entry().id;
            let taken = saver.take_over().await;
            if saver.entry().id != id {
                return;
            }
            let Some(taken) = taken else {
                return session.complain("Couldn't load the other tab's document. Try again.");
            };
            let document = match Document::from_json(&taken.content.text) {
                Ok(document) => document,
                Err(error) => {
                    saver.not_taken();
                    return session
                        .complain(format!("Couldn't open the other tab's document: {error}"));
                }
            };
            let stored = taken.content.history.clone();
            let file = taken.file.clone();
            let Some(is_edited) = saver.taken(taken) else {
                return;
            };
            let restored = stored.and_then(|text| History::restored(&text, document.clone()));
            let history =
                restored.unwrap_or_else(|| History::new("Take over from another tab", document));
            let document = history.current().clone();
            let mut next = OpenDocument::new(history);
            next.file = file;
            session.open.content.set_value(next);
            let before = session.document_untracked();
            session.follow_names(&before, &document);
            session.open.document.set(document);
            session.open.show_labels();
            session.show_background_of(None);
            if is_edited {
                let text = "Your changes here are now a separate document in File > Documents.";
                session.toast(text, None);
            }
        });
    }

    /// Continues with a copy of the document.
    pub fn work_on_copy(&self) {
        self.notify_saver(Input::Copy);
        let title = format!("{} (copy)", self.document_untracked().info.title);
        self.set_title(title.trim_start());
        self.open.seal();
    }

    /// Dismisses the note that this is a copy.
    pub fn know_copy(&self) {
        self.notify_saver(Input::CopyKnown);
    }

    pub(super) fn platform(&self) -> Platform {
        self.storage.platform.get_value()
    }
}
