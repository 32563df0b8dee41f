//! Closed documents that still have to be written.

use leptos::task::spawn_local;

use super::{FULL, Input, Saver};
use crate::session::library::{Basis, Content, Entry, Keep, Library, Origin, left};
use crate::web::platform::Lock;

/// The delay before a failed write is retried, in milliseconds.
const RETRY: u32 = 5_000;

/// A closed document that isn't written yet.
#[derive(Clone)]
pub struct PendingDocument {
    entry: Entry,
    /// Its content.
    pub content: Content,
    basis: Basis,
    keep: Keep,
    /// The text in local storage since it was closed.
    left: Option<String>,
    /// `true` if that survives the tab.
    is_left: bool,
    /// `true` if a write has failed.
    has_failed: bool,
}

impl PendingDocument {
    /// Returns the row and basis for writing it.
    pub fn origin(&self) -> Origin {
        Origin {
            entry: self.entry.clone(),
            basis: self.basis.clone(),
        }
    }
}

impl Saver {
    /// Writes a document for the last time.
    pub(super) fn keep_closed(
        &self,
        entry: Entry,
        basis: Basis,
        content: Content,
        keep: Keep,
        lock: Option<Lock>,
    ) {
        let is_left = left::leave(&self.platform(), &entry.id, &basis, &content.text);
        let left = left::own(&self.platform(), &entry.id);
        let pending = PendingDocument {
            entry,
            content,
            basis,
            keep,
            left,
            is_left,
            has_failed: false,
        };
        self.0.borrow_mut().pending.push(pending.clone());
        let saver = self.clone();
        spawn_local(async move {
            let written = match saver.library() {
                Ok(library) => saver.settle(&library, &pending).await,
                Err(_) if is_left => Ok(()),
                Err(_) => Err(FULL.to_owned()),
            };
            drop(lock);
            match written {
                Ok(()) => saver.remove_pending(|other| other.entry == pending.entry),
                Err(reason) => saver.report_pending(&pending.entry, reason),
            }
        });
    }

    /// Writes a closed document, as a copy if somebody else has written it since.
    async fn settle(&self, library: &Library, pending: &PendingDocument) -> Result<(), String> {
        let PendingDocument {
            entry,
            content,
            basis,
            keep,
            left,
            ..
        } = pending;
        let written = library.write_what_fits(entry, basis, content, keep.clone());
        let (is_written, image_failed) = written.await;
        self.report_image(image_failed);
        if !is_written? {
            let platform = self.platform();
            let mut copy = Entry::fresh(&platform);
            copy.next(&entry.title, entry.changed, &platform.page.id());
            let (added, image_failed) = library.add_what_fits(&copy, content).await;
            self.report_image(image_failed);
            added?;
        }
        // For a document that is open again, keep what this page left; also if it was closed again.
        if self.entry().id != entry.id {
            left::forget_unless_changed(&self.platform(), &entry.id, left.as_deref());
        }
        Ok(())
    }

    /// Reports that a closed document couldn't be written, and retries.
    fn report_pending(&self, entry: &Entry, reason: String) {
        let (is_known, is_first) = {
            let documents = &mut self.0.borrow_mut().pending;
            let is_first = !documents.iter().any(|pending| pending.has_failed);
            let pending = documents.iter_mut().find(|pending| pending.entry == *entry);
            (
                pending.map(|pending| pending.has_failed = true).is_some(),
                is_first,
            )
        };
        if !is_known {
            return;
        }
        let title = match entry.title.as_str() {
            "" => "the last document",
            title => title,
        };
        self.handle(Input::Pending(Some(format!("{reason} (“{title}”)"))));
        if is_first {
            self.retry_later();
        }
    }

    /// Returns a document that still has to be written.
    pub fn pending(&self, id: &str) -> Option<PendingDocument> {
        let documents = &self.0.borrow().pending;
        let pending = documents
            .iter()
            .rev()
            .find(|pending| pending.entry.id == id);
        pending.cloned()
    }

    /// Returns `true` if a closed document would lose changes if the page ended now: a text that isn't
    /// left for the next page, or an image, which is too large for that.
    pub(super) fn loses_closed(&self) -> bool {
        let documents = &self.0.borrow().pending;
        documents
            .iter()
            .any(|pending| !pending.is_left || pending.content.image.is_some())
    }

    /// Returns the texts of all documents that still have to be written.
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub fn pending_texts(&self) -> Vec<String> {
        let documents = &self.0.borrow().pending;
        documents
            .iter()
            .map(|pending| pending.content.text.clone())
            .collect()
    }

    /// Drops the pending write of a document that is open again: it is now written like any other.
    pub(super) fn forget_pending(&self, id: &str) {
        self.remove_pending(|pending| pending.entry.id == id);
    }

    fn remove_pending(&self, is_done: impl Fn(&PendingDocument) -> bool) {
        let is_finished = {
            let inner = &mut *self.0.borrow_mut();
            inner.pending.retain(|pending| !is_done(pending));
            inner.pending.is_empty() && inner.machine.has_pending()
        };
        if is_finished {
            self.handle(Input::Pending(None));
        }
    }

    fn retry_later(&self) {
        let saver = self.clone();
        let clock = self.platform().clock;
        clock.after(RETRY, Box::new(move || spawn_local(saver.retry())));
    }

    async fn retry(self) {
        let Ok(library) = self.library() else {
            return;
        };
        let failed = self
            .0
            .borrow()
            .pending
            .iter()
            .find(|pending| pending.has_failed)
            .cloned();
        let Some(pending) = failed else {
            return;
        };
        if self.settle(&library, &pending).await.is_ok() {
            self.remove_pending(|other| other.entry == pending.entry);
        }
        self.retry_later();
    }
}
