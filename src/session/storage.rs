//! The storage of documents, and the saved state of the open one.

use leptos::prelude::*;

use super::Kept;
use super::autosave::{Hold, Saved};
use super::library::{Entry, Library, Origin};
use super::messages::Messages;
use super::open::{DocumentState, OpenDocument, Resets};
use super::saver::{Progress, Saver};
use crate::web::platform::Platform;

/// The stored documents, among them the open one.
#[derive(Clone, Copy)]
pub struct StorageState {
    pub(super) library: StoredValue<Result<Library, String>, LocalStorage>,
    pub(super) saver: StoredValue<Saver, LocalStorage>,
    pub(super) platform: StoredValue<Platform, LocalStorage>,
    /// The previously open document.
    pub(super) replaced: StoredValue<Option<(OpenDocument, Origin)>, LocalStorage>,
    /// The number of openings begun so far.
    pub(super) openings: StoredValue<u32>,
    /// The number of documents opened in place of the first one.
    pub opened: Kept<RwSignal<u32>>,
    /// The number of changes to the list of documents, by any tab.
    pub(super) listed: Kept<RwSignal<u32>>,
    /// The save state of the open document.
    pub saved: Kept<RwSignal<Saved>>,
    /// This tab's ownership of the open document.
    pub hold: Kept<RwSignal<Hold>>,
    /// The signals that are reset when another document opens.
    pub(super) resets: StoredValue<Resets>,
}

impl StorageState {
    /// Starts to save the open document under its row.
    pub(super) fn new(
        open: DocumentState,
        entry: Entry,
        platform: Platform,
        library: Result<Library, String>,
        messages: Messages,
        resets: Resets,
    ) -> Self {
        let progress = Progress {
            saved: RwSignal::new(Saved::No),
            hold: RwSignal::new(Hold::Asking),
            listed: RwSignal::new(0),
        };
        let saver = Saver::new(
            open,
            entry,
            platform.clone(),
            library.clone(),
            progress,
            messages,
        );
        Self {
            library: StoredValue::new_local(library),
            saver: StoredValue::new_local(saver),
            platform: StoredValue::new_local(platform),
            replaced: StoredValue::new_local(None),
            openings: StoredValue::new(0),
            opened: Kept::new(0),
            listed: Kept(progress.listed),
            saved: Kept(progress.saved),
            hold: Kept(progress.hold),
            resets: StoredValue::new(resets),
        }
    }
}
