//! Closed documents that still have to be written.

use leptos::task::spawn_local;

use super::{FULL, Input, Saver};
use crate::session::library::{Basis, Entry, Keep, Library, Origin, left};
use crate::web::platform::Lock;

/// The delay before a failed write is retried, in milliseconds.
const RETRY: u32 = 5_000;

/// A closed document that isn't written yet.
#[derive(Clone)]
pub struct Owed {
    entry: Entry,
    /// Its file.
    pub text: String,
    basis: Basis,
    keep: Keep,
    /// `true` if a write has failed.
    has_failed: bool,
}

impl Owed {
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
        text: String,
        keep: Keep,
        lock: Option<Lock>,
    ) {
        let is_left = left::leave(&self.platform(), &entry.id, &basis, &text);
        let owed = Owed {
            entry,
            text,
            basis,
            keep,
            has_failed: false,
        };
        self.0.borrow_mut().owed.push(owed.clone());
        let saver = self.clone();
        spawn_local(async move {
            let written = match saver.library() {
                Ok(library) => saver.settle(&library, &owed).await,
                Err(_) if is_left => Ok(()),
                Err(_) => Err(FULL.to_owned()),
            };
            drop(lock);
            match written {
                Ok(()) => saver.pay_off(|other| other.entry == owed.entry),
                Err(reason) => saver.owe(&owed.entry, reason),
            }
        });
    }

    /// Writes a closed document, as a copy if somebody else has written it since.
    async fn settle(&self, library: &Library, owed: &Owed) -> Result<(), String> {
        let Owed {
            entry,
            text,
            basis,
            keep,
            ..
        } = owed;
        if !library.write(entry, basis, text, keep.clone()).await? {
            let mut copy = Entry::fresh(&self.platform());
            copy.next(&entry.title, entry.changed);
            library.add(&copy, text).await?;
        }
        // For a document that is open again, keep what this page left.
        if self.entry().id != entry.id {
            left::forget(&self.platform(), &entry.id);
        }
        Ok(())
    }

    /// Reports that a closed document couldn't be written, and retries.
    fn owe(&self, entry: &Entry, reason: String) {
        let (is_known, is_first) = {
            let owes = &mut self.0.borrow_mut().owed;
            let is_first = !owes.iter().any(|owed| owed.has_failed);
            let owed = owes.iter_mut().find(|owed| owed.entry == *entry);
            (owed.map(|owed| owed.has_failed = true).is_some(), is_first)
        };
        if !is_known {
            return;
        }
        let title = match entry.title.as_str() {
            "" => "the last document",
            title => title,
        };
        self.handle(Input::Owed(Some(format!("{reason} (“{title}”)"))));
        if is_first {
            self.pay_later();
        }
    }

    /// Returns a document that still has to be written.
    pub fn owed(&self, id: &str) -> Option<Owed> {
        let owes = &self.0.borrow().owed;
        let owed = owes.iter().rev().find(|owed| owed.entry.id == id);
        owed.cloned()
    }

    /// Returns the texts of all documents that still have to be written.
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub fn owed_texts(&self) -> Vec<String> {
        let owes = &self.0.borrow().owed;
        owes.iter().map(|owed| owed.text.clone()).collect()
    }

    /// Drops the pending write of a document that is open again: it is now written like any other.
    pub(super) fn forgive(&self, id: &str) {
        self.pay_off(|owed| owed.entry.id == id);
    }

    fn pay_off(&self, is_paid: impl Fn(&Owed) -> bool) {
        let is_settled = {
            let inner = &mut *self.0.borrow_mut();
            inner.owed.retain(|owed| !is_paid(owed));
            inner.owed.is_empty() && inner.machine.owes()
        };
        if is_settled {
            self.handle(Input::Owed(None));
        }
    }

    fn pay_later(&self) {
        let saver = self.clone();
        let clock = self.platform().clock;
        clock.after(RETRY, Box::new(move || spawn_local(saver.pay())));
    }

    async fn pay(self) {
        let Ok(library) = self.library() else {
            return;
        };
        let failed = self
            .0
            .borrow()
            .owed
            .iter()
            .find(|owed| owed.has_failed)
            .cloned();
        let Some(owed) = failed else {
            return;
        };
        if self.settle(&library, &owed).await.is_ok() {
            self.pay_off(|other| other.entry == owed.entry);
        }
        self.pay_later();
    }
}
