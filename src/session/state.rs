//! The session as a whole.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{BlockId, Document};
use taskloom_domain::Domain;

use super::autosave;
use super::desk::Desk;
use super::library::Start;
use super::link::LinkedText;
use super::messages::Offer;
use super::open::{DocumentState, Resets};
use super::plan::PlanState;
use super::storage::StorageState;
use crate::web::platform::Platform;
use crate::worker::{Client, Shown};

/// The editor's state, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Session {
    /// The open document.
    pub open: DocumentState,
    /// Its planning.
    pub plan: PlanState,
    /// The page around it.
    pub desk: Desk,
    /// The documents that are stored, among them the open one.
    pub storage: StorageState,
}

impl Session {
    /// Opens a document and provides the session to the components below.
    pub fn provide(start: Start, platform: Platform) -> Self {
        let session = Self::new(start, platform, |shown| Some(Client::start(shown)));
        session.keep_planning();
        session.keep_cursor_valid();
        session.keep_place();
        provide_context(session);
        session
    }

    /// Creates a session of a document. Tests run without a planner.
    pub(super) fn new(
        start: Start,
        platform: Platform,
        planner: impl FnOnce(Shown) -> Option<Client>,
    ) -> Self {
        let Start {
            entry,
            history,
            file,
            is_left,
            answers,
            trouble,
            library,
            ..
        } = start;
        let mut resets = Resets::default();
        let scenario = history.current().scenarios.keys().next().cloned();
        let open = DocumentState::new(history, &mut resets);
        open.content.update_value(|content| content.file = file);
        let plan = PlanState::new(scenario, planner, &mut resets);
        let desk = Desk::new(open, plan, platform.clone(), &mut resets);
        let storage = StorageState::new(open, entry, platform, library, desk.messages, resets);
        let session = Self {
            open,
            plan,
            desk,
            storage,
        };
        session.restore_place();
        session.open.show_labels();
        session.load_background();
        session.plan.know(session.document_untracked(), answers);
        if is_left {
            session.notify_saver(autosave::Input::Opened);
        }
        if let Some(reason) = trouble {
            session.complain(format!(
                "Your last document couldn't be opened: {reason}. It stays in File > Documents."
            ));
        }
        session
    }

    /// Returns the session that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Returns the document. Tracked: effects and memos that call it follow its changes.
    pub fn document(&self) -> Arc<Document> {
        self.open.document.get()
    }

    /// Returns the current document. Untracked.
    pub fn document_untracked(&self) -> Arc<Document> {
        self.open.document.get_untracked()
    }

    /// Returns the document with the meaning of its texts. Tracked.
    pub fn domain(&self) -> Domain {
        self.open.domain.get()
    }

    /// Returns the current document with the meaning of its texts. Untracked.
    pub fn domain_untracked(&self) -> Domain {
        self.open.domain.get_untracked()
    }

    /// Returns a random id for a new block.
    pub fn fresh_block_id(&self) -> BlockId {
        self.platform().clock.unused_id()
    }

    /// Shows an error message.
    pub fn complain(&self, text: impl Into<LinkedText>) {
        self.desk.messages.show(text.into(), true, None);
    }

    /// Shows a message for a few seconds.
    pub fn toast(&self, text: impl Into<LinkedText>, offer: Option<Offer>) {
        self.desk.messages.show(text.into(), false, offer);
    }
}
