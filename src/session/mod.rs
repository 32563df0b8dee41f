//! The open document, its history and the selection: the only place that commits edits. Leptos
//! holds one signal of the document; records stay plain data.

mod announce;
pub mod autosave;
mod commit;
mod deletion;
mod documents;
mod ending;
mod follow;
mod fresh;
mod intervene;
mod kept;
pub mod library;
mod open;
mod planned;
mod saver;
mod selection;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod toast;
mod trail;
mod typed;
mod who;

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::diagnostic::{Diagnostic, Place};
use taskloom::document::{
    BlockId, Clip, Document, Field, History, Kind, Name, Point, Record, RecordRef,
};
use taskloom::domain::check::check;
use taskloom::planner::plan::Strategy;

use crate::web::platform::Platform;
use crate::worker::{Answer, Client, Intervention, Planning, Shown};
pub use announce::announce;
use autosave::{Hold, Saved};
pub use deletion::Deletion;
pub use documents::{Drawer, Listed, Opening};
pub use ending::Ending;
pub use fresh::{addition, fresh};
pub use kept::Kept;
use library::{Library, Start};
use open::{DocumentSignals, OpenDocument};
use saver::Saver;
pub use selection::{Cursor, Happened, Selection, View};
pub use toast::{Offer, Toast, shortened};
pub use typed::Typed;
use who::Who;
pub use who::names;

/// The editor's state, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Session {
    document: Kept<RwSignal<Arc<Document>>>,
    /// The open document, without its signals.
    open: StoredValue<OpenDocument, LocalStorage>,
    /// The signals of the open document.
    signals: StoredValue<DocumentSignals>,
    /// The previously open document.
    replaced: StoredValue<Option<(OpenDocument, library::Origin)>, LocalStorage>,
    /// The labels of the undo and redo buttons.
    labels: Kept<RwSignal<(Option<String>, Option<String>)>>,
    planner: StoredValue<Option<Client>, LocalStorage>,
    library: StoredValue<Result<Library, String>, LocalStorage>,
    saver: StoredValue<Saver, LocalStorage>,
    platform: StoredValue<Platform, LocalStorage>,
    /// The number of openings begun so far.
    openings: StoredValue<u32>,
    /// The number of changes to the list of documents, by any tab.
    listed: Kept<RwSignal<u32>>,
    /// The number of documents opened in place of the first one.
    pub opened: Kept<RwSignal<u32>>,
    /// The open canvas. Other modules change it only by [`Session::open`], [`Session::enter`],
    /// [`Session::leave`] and [`Session::show`].
    pub view: Kept<ReadSignal<View>>,
    set_view: WriteSignal<View>,
    /// The methods through which the user reached the open one.
    trail: Kept<RwSignal<Vec<Name>>>,
    /// The current selection.
    pub selection: Kept<RwSignal<Selection>>,
    /// The scenario being planned.
    pub scenario: Kept<RwSignal<Option<Name>>>,
    /// The chosen character.
    who: Kept<RwSignal<Who>>,
    /// The index of the shown character; see [`Session::show_character`].
    pub character: Kept<Memo<usize>>,
    /// The names of the scenario's characters; empty if there is only one.
    pub characters: Kept<Memo<Vec<String>>>,
    /// The search strategy, if it differs from the document's setting.
    pub wish: Kept<RwSignal<Option<Strategy>>>,
    /// The overrides in the run of the scenario being planned.
    pub interventions: Kept<RwSignal<Vec<Intervention>>>,
    /// If `true`, the scenario is also run in the other planning mode.
    pub compares: Kept<RwSignal<bool>>,
    /// The planner's latest answer.
    pub answer: Kept<ReadSignal<Option<Arc<Answer>>>>,
    /// The revision being planned: that of the latest request.
    revision: Kept<ReadSignal<u64>>,
    /// The planner's current activity.
    pub planning: Kept<ReadSignal<Planning>>,
    /// The reason why the planner was restarted since the latest request, if it was.
    pub planning_note: Kept<ReadSignal<Option<&'static str>>>,
    /// The current step.
    pub cursor: Kept<RwSignal<Cursor>>,
    /// The diagnostics of the document.
    pub diagnostics: Kept<Memo<Arc<Vec<Diagnostic>>>>,
    /// The save state of the document.
    pub saved: Kept<RwSignal<Saved>>,
    /// This tab's ownership of the document.
    pub hold: Kept<RwSignal<Hold>>,
    /// The drawer shown over the outline.
    pub drawer: Kept<RwSignal<Option<Drawer>>>,
    /// Records in use that are deleted if the user confirms.
    pub deleting: Kept<RwSignal<Option<Deletion>>>,
    /// The record being renamed in the outline.
    pub renaming: Kept<RwSignal<Option<RecordRef>>>,
    /// The frame whose title is to be edited.
    pub titling: Kept<RwSignal<Option<BlockId>>>,
    /// The field that the inspector should focus.
    pub wanted: Kept<RwSignal<Option<Place>>>,
    /// Messages on the screen.
    pub toasts: Kept<RwSignal<Vec<Toast>>>,
    /// The id of the next message.
    next_toast_id: StoredValue<u64>,
    /// The clip copied on this page, until another application may have copied something.
    pub copied: StoredValue<Option<Clip>>,
    /// The open canvas.
    canvas: StoredValue<Option<OpenCanvas>, LocalStorage>,
}

/// Queries that only the open canvas can answer, since it alone knows the size of elements.
pub struct OpenCanvas {
    /// Returns the last pointer position, in graph units.
    pub pointed: Box<dyn Fn() -> Point>,
    /// Returns the selection, including the contents of selected frames.
    pub whole: Box<dyn Fn() -> Selection>,
}

impl Session {
    /// Opens a document and provides the session to the components below.
    pub fn provide(start: Start, platform: Platform) -> Self {
        let session = Self::new(start, platform, |shown| Some(Client::start(shown)));
        session.keep_planning();
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
        let history = History::new("open", document);
        let document = RwSignal::new(history.current().clone());
        let mut signals = DocumentSignals::default();
        let (view, set_view) = signals.signal(View::Board).split();
        let shown = Shown::new();
        let saved = RwSignal::new(Saved::No);
        let hold = RwSignal::new(Hold::Asking);
        let progress = saver::Progress {
            saved,
            hold,
            listed: RwSignal::new(0),
        };
        let saver = Saver::new(
            document.into(),
            entry,
            platform.clone(),
            library.clone(),
            progress,
        );
        let scenario = document.with_untracked(|d| d.scenarios.keys().next().cloned());
        let scenario = RwSignal::new(scenario);
        let chosen = signals.signal(Who::default());
        let character = Memo::new(move |_| {
            let (document, scenario) = (document.get(), scenario.get());
            chosen.with(|who| who::number(&document, scenario.as_ref(), who))
        });
        let characters = Memo::new(move |_| {
            let (document, scenario) = (document.get(), scenario.get());
            scenario.map_or_else(Vec::new, |scenario| names(&document, &scenario))
        });
        let session = Self {
            document: Kept(document),
            open: StoredValue::new_local(OpenDocument::new(history)),
            replaced: StoredValue::new_local(None),
            labels: Kept(RwSignal::new((None, None))),
            planner: StoredValue::new_local(planner(shown)),
            library: StoredValue::new_local(library),
            saver: StoredValue::new_local(saver),
            platform: StoredValue::new_local(platform),
            openings: StoredValue::new(0),
            listed: Kept(progress.listed),
            opened: Kept(RwSignal::new(0)),
            view: Kept(view),
            set_view,
            trail: Kept(signals.signal(vec![])),
            selection: Kept(signals.signal(Selection::default())),
            scenario: Kept(scenario),
            who: Kept(chosen),
            character: Kept(character),
            characters: Kept(characters),
            wish: Kept(signals.signal(None)),
            interventions: Kept(signals.signal(vec![])),
            compares: Kept(signals.signal(false)),
            answer: Kept(shown.answer.read_only()),
            revision: Kept(shown.revision.read_only()),
            planning: Kept(shown.status.read_only()),
            planning_note: Kept(shown.note.read_only()),
            cursor: Kept(signals.signal(Cursor::default())),
            diagnostics: Kept(Memo::new_with_compare(
                move |_| Arc::new(check(&document.get())),
                |a, b| a != b,
            )),
            saved: Kept(saved),
            hold: Kept(hold),
            drawer: Kept(RwSignal::new(None)),
            deleting: Kept(signals.signal(None)),
            renaming: Kept(signals.signal(None)),
            titling: Kept(signals.signal(None)),
            wanted: Kept(signals.signal(None)),
            toasts: Kept(RwSignal::new(vec![])),
            next_toast_id: StoredValue::new(0),
            copied: StoredValue::new(None),
            canvas: StoredValue::new_local(None),
            signals: StoredValue::new(signals),
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
        self.document.get()
    }

    /// Returns the current document. Untracked.
    pub fn document_untracked(&self) -> Arc<Document> {
        self.document.get_untracked()
    }

    /// Returns a memo of one record, compared by pointer: its readers aren't notified about other
    /// records.
    pub fn record(&self, record: RecordRef) -> Memo<Option<Record>> {
        let document = self.document;
        Memo::new_with_compare(
            move |_| document.with(|d| d.get(&record)),
            |a: Option<&Option<Record>>, b| match (a, b) {
                (Some(Some(a)), Some(Some(b))) => !same(a, b),
                (Some(None), Some(None)) => false,
                _ => true,
            },
        )
    }

    /// Returns a memo of one text of a record; empty if there is none.
    pub fn text(&self, record: RecordRef, field: Field) -> Memo<String> {
        let document = self.document;
        Memo::new(move |_| {
            document.with(|d| d.text(&record, &field).unwrap_or_default().to_owned())
        })
    }

    /// Returns a memo of the names of all records of a kind.
    pub fn names(&self, kind: Kind) -> Memo<Vec<Name>> {
        let document = self.document;
        Memo::new_with_compare(
            move |_| document.with(|d| d.names(kind).into_iter().cloned().collect()),
            |a: Option<&Vec<Name>>, b| match (a, b) {
                (Some(a), Some(b)) => {
                    a.len() != b.len() || !a.iter().zip(b).all(|(a, b)| a.same_spelling(b))
                }
                _ => true,
            },
        )
    }

    /// Returns the label of the step that undo would revert.
    pub fn undo_label(&self) -> Option<String> {
        self.labels.with(|l| l.0.clone())
    }

    /// Returns the label of the step that redo would restore.
    pub fn redo_label(&self) -> Option<String> {
        self.labels.with(|l| l.1.clone())
    }

    /// Returns a random id for a new block.
    pub fn fresh_block_id(&self) -> BlockId {
        self.platform
            .with_value(|platform| platform.clock.unused_id())
    }

    /// Returns the worker's handle, for exports and the Stop button.
    pub fn planner(&self) -> Client {
        let planner = self.planner.get_value();
        planner.expect("the page has a planner")
    }

    /// Registers the open canvas.
    pub fn looks_at(&self, canvas: OpenCanvas) {
        self.canvas.set_value(Some(canvas));
    }

    /// Returns the position for pasted content.
    pub fn pointed(&self) -> Option<Point> {
        self.canvas
            .with_value(|canvas| canvas.as_ref().map(|canvas| (canvas.pointed)()))
    }

    /// Returns the selection, including the contents of selected frames.
    pub fn whole_selection(&self) -> Selection {
        let whole = self
            .canvas
            .with_value(|canvas| canvas.as_ref().map(|canvas| (canvas.whole)()));
        whole.unwrap_or_default()
    }

    /// Selects only this record, and nothing on the canvas.
    pub fn select(&self, record: RecordRef) {
        self.selection.set(Selection::record(record));
    }

    /// Plans another scenario. An inspector that shows a scenario follows.
    pub fn choose_scenario(&self, name: Option<Name>) {
        self.cursor.set(Cursor::default());
        self.show_first_character();
        let shows_one = self.selection.with_untracked(|selection| {
            let mut records = selection.records.iter();
            let only = records.next().filter(|_| records.next().is_none());
            only.is_some_and(|record| record.kind == Kind::Scenario)
        });
        if let Some(name) = name.clone().filter(|_| shows_one) {
            self.select(RecordRef::new(Kind::Scenario, name));
        }
        if self.scenario.with_untracked(|scenario| *scenario != name) {
            self.drop_interventions();
        }
        self.scenario.set(name);
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
            Some(block) => self.show_block(place.record.name.clone(), block),
            None => {
                if place.field == Field::Method {
                    self.open(View::Method(place.record.name.clone()));
                }
                self.select(place.record.clone());
            }
        }
        self.wanted.set(Some(place));
    }

    /// Returns a memo of the diagnostics whose places satisfy `concerns`.
    pub fn findings(
        &self,
        concerns: impl Fn(&Place) -> bool + Send + Sync + 'static,
    ) -> Memo<Vec<Diagnostic>> {
        let diagnostics = self.diagnostics;
        Memo::new(move |_| {
            diagnostics.with(|all| {
                let concerned = all.iter().filter(|d| concerns(&d.place));
                concerned.cloned().collect()
            })
        })
    }
}

/// Returns `true` if two records are the same object in memory.
fn same(a: &Record, b: &Record) -> bool {
    match (a, b) {
        (Record::Type(a), Record::Type(b)) => Arc::ptr_eq(a, b),
        (Record::Object(a), Record::Object(b)) => Arc::ptr_eq(a, b),
        (Record::Fact(a), Record::Fact(b)) => Arc::ptr_eq(a, b),
        (Record::Condition(a), Record::Condition(b)) => Arc::ptr_eq(a, b),
        (Record::Action(a), Record::Action(b)) => Arc::ptr_eq(a, b),
        (Record::PrimitiveTask(a), Record::PrimitiveTask(b)) => Arc::ptr_eq(a, b),
        (Record::CompoundTask(a), Record::CompoundTask(b)) => Arc::ptr_eq(a, b),
        (Record::Goal(a), Record::Goal(b)) => Arc::ptr_eq(a, b),
        (Record::Agent(a), Record::Agent(b)) => Arc::ptr_eq(a, b),
        (Record::Scenario(a), Record::Scenario(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}
