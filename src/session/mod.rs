//! The open document with its history and selection, its planning, and the desk around it: the only
//! place that commits edits. Leptos holds one signal of the document; records stay plain data.

mod announce;
pub mod autosave;
mod character;
mod commit;
mod cursor;
mod deletion;
mod desk;
mod documents;
mod ending;
mod follow;
mod fresh;
mod kept;
pub mod library;
mod messages;
mod open;
mod plan;
mod saver;
mod selection;
mod storage;
mod task_states;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod trail;
mod typed;

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::diagnostic::Place;
use taskloom::document::{BlockId, Document, Field, Kind, Name, RecordRef};

use crate::web::platform::Platform;
use crate::worker::{Client, Shown};
pub use announce::announce;
pub use character::names;
pub use cursor::{Cursor, Happened, task_of};
pub use deletion::Deletion;
pub use desk::{Desk, Drawer, OpenCanvas, Tab};
pub use documents::{Listed, Opening};
pub use ending::Ending;
pub use fresh::{addition, fresh};
pub use kept::Kept;
use library::Start;
pub use messages::{Offer, shortened};
use open::{DocumentState, Resets};
pub use plan::PlanState;
pub use selection::{Selection, View};
pub use storage::StorageState;
pub use task_states::{States, of_node, of_step, states_at};
pub use typed::Typed;

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
        provide_context(session);
        session
    }

    /// Creates a session of a document. Tests run without a planner.
    fn new(
        start: Start,
        platform: Platform,
        planner: impl FnOnce(Shown) -> Option<Client>,
    ) -> Self {
        let Start {
            entry,
            document,
            is_left,
            trouble,
            library,
        } = start;
        let mut resets = Resets::default();
        let scenario = document.scenarios.keys().next().cloned();
        let open = DocumentState::new(document, &mut resets);
        let plan = PlanState::new(scenario, planner, &mut resets);
        let desk = Desk::new(open, plan, platform.clone(), &mut resets);
        let storage = StorageState::new(open, entry, platform, library, resets);
        let session = Self {
            open,
            plan,
            desk,
            storage,
        };
        if is_left {
            session.tell_saver(autosave::Input::Opened);
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

    /// Returns a random id for a new block.
    pub fn fresh_block_id(&self) -> BlockId {
        self.platform().clock.unused_id()
    }

    /// Shows an error message.
    pub fn complain(&self, text: impl Into<String>) {
        self.desk.messages.show(&text.into(), true, None);
    }

    /// Shows a message for a few seconds.
    pub fn toast(&self, text: impl Into<String>, offer: Option<Offer>) {
        self.desk.messages.show(&text.into(), false, offer);
    }

    /// Selects only this record, and nothing on the canvas.
    pub fn select(&self, record: RecordRef) {
        self.open.select(Selection::record(record));
    }

    /// Plans another scenario. An inspector that shows a scenario follows.
    pub fn choose_scenario(&self, name: Option<Name>) {
        self.desk.cursor.set(Cursor::default());
        self.desk.show_first_character();
        let shows_one = self.open.selection.with_untracked(|selection| {
            let mut records = selection.records.iter();
            let only = records.next().filter(|_| records.next().is_none());
            only.is_some_and(|record| record.kind == Kind::Scenario)
        });
        if let Some(name) = name.clone().filter(|_| shows_one) {
            self.select(RecordRef::new(Kind::Scenario, name));
        }
        let scenario = self.plan.scenario;
        if scenario.with_untracked(|scenario| *scenario != name) {
            self.plan.drop_interventions();
        }
        scenario.set(name);
    }

    /// Shows a place of the document: opens its canvas, selects the element that contains it and
    /// focuses its field.
    pub fn show(&self, place: Place) {
        let block = match &place.field {
            Field::Block(id)
            | Field::BlockText(id)
            | Field::BlockOrder(id)
            | Field::BlockScore(id, _)
            | Field::BlockVariable(id) => Some(id.clone()),
            _ => None,
        };
        match block {
            Some(block) => self.open.show_block(place.record.name.clone(), block),
            None => {
                if place.field == Field::Method {
                    self.open.show_view(View::Method(place.record.name.clone()));
                }
                self.select(place.record.clone());
            }
        }
        self.desk.focus_field(place);
    }
}
