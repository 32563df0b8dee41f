//! The open document, its history and what is selected: the only place that
//! commits edits. Leptos holds one signal of the document; records stay plain.

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
    /// The document that was open before.
    replaced: StoredValue<Option<(OpenDocument, library::Origin)>, LocalStorage>,
    /// What undo and redo would do, for their buttons.
    labels: Kept<RwSignal<(Option<String>, Option<String>)>>,
    planner: StoredValue<Option<Client>, LocalStorage>,
    library: StoredValue<Result<Library, String>, LocalStorage>,
    saver: StoredValue<Saver, LocalStorage>,
    platform: StoredValue<Platform, LocalStorage>,
    /// Counts what was about to be opened.
    openings: StoredValue<u32>,
    /// Counts the changes of the list of documents, by whichever tab.
    listed: Kept<RwSignal<u32>>,
    /// How many documents have been opened in the place of the first.
    pub opened: Kept<RwSignal<u32>>,
    /// The canvas that is open. Others change it by [`Session::open`], [`Session::enter`],
    /// [`Session::leave`] and [`Session::show`] alone.
    pub view: Kept<ReadSignal<View>>,
    set_view: WriteSignal<View>,
    /// The methods through which the designer came to the open one.
    trail: Kept<RwSignal<Vec<Name>>>,
    /// What is selected.
    pub selection: Kept<RwSignal<Selection>>,
    /// The scenario that is planned.
    pub scenario: Kept<RwSignal<Option<Name>>>,
    /// The character that was chosen to be shown.
    who: Kept<RwSignal<Who>>,
    /// The number of the character that is shown; see [`Session::show_character`].
    pub character: Kept<Memo<usize>>,
    /// What the scenario's characters are called; nothing where there is only one.
    pub characters: Kept<Memo<Vec<String>>>,
    /// Which plan is looked for, where that is not what the document says.
    pub wish: Kept<RwSignal<Option<Strategy>>>,
    /// What is set by hand in the run of the scenario that is planned.
    pub interventions: Kept<RwSignal<Vec<Intervention>>>,
    /// Whether the scenario is also run with the other manner of planning.
    pub compares: Kept<RwSignal<bool>>,
    /// The newest answer of the planner.
    pub answer: Kept<ReadSignal<Option<Arc<Answer>>>>,
    /// The revision of what is planned: that of the newest request.
    revision: Kept<ReadSignal<u64>>,
    /// What the planner is doing.
    pub planning: Kept<ReadSignal<Planning>>,
    /// Why the planner was restarted, if that was since the newest request.
    pub planning_note: Kept<ReadSignal<Option<&'static str>>>,
    /// The step that is looked at.
    pub cursor: Kept<RwSignal<Cursor>>,
    /// What is wrong with the document.
    pub diagnostics: Kept<Memo<Arc<Vec<Diagnostic>>>>,
    /// Whether the document is on the disk.
    pub saved: Kept<RwSignal<Saved>>,
    /// Whether this tab may write the document.
    pub hold: Kept<RwSignal<Hold>>,
    /// What is shown over the outline.
    pub drawer: Kept<RwSignal<Option<Drawer>>>,
    /// Used records that are to be deleted if the designer agrees.
    pub deleting: Kept<RwSignal<Option<Deletion>>>,
    /// The record whose name is being typed in the outline.
    pub renaming: Kept<RwSignal<Option<RecordRef>>>,
    /// The frame whose title is to be typed.
    pub titling: Kept<RwSignal<Option<BlockId>>>,
    /// The field that the inspector shall put the focus into.
    pub wanted: Kept<RwSignal<Option<Place>>>,
    /// Messages on the screen.
    pub toasts: Kept<RwSignal<Vec<Toast>>>,
    /// How many messages there were.
    told: StoredValue<u64>,
    /// What was copied on this page, until somebody else may have copied something.
    pub copied: StoredValue<Option<Clip>>,
    /// The open canvas.
    canvas: StoredValue<Option<OpenCanvas>, LocalStorage>,
}

/// What only the open canvas knows, for it alone knows how large things are.
pub struct OpenCanvas {
    /// Where it was pointed at, in graph units.
    pub pointed: Box<dyn Fn() -> Point>,
    /// What is selected, with what stands in the frames among it.
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

    /// A session of a document. Tests do without a planner.
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
            told: StoredValue::new(0),
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

    /// The session that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// The document; whoever calls it in an effect or a memo follows its changes.
    pub fn document(&self) -> Arc<Document> {
        self.document.get()
    }

    /// The document as it is now.
    pub fn document_untracked(&self) -> Arc<Document> {
        self.document.get_untracked()
    }

    /// One record, compared by pointer: who reads it hears nothing of other records.
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

    /// One text of a record; empty where there is none.
    pub fn text(&self, record: RecordRef, field: Field) -> Memo<String> {
        let document = self.document;
        Memo::new(move |_| {
            document.with(|d| d.text(&record, &field).unwrap_or_default().to_owned())
        })
    }

    /// The names of all records of a kind.
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

    /// What undo would take back, for its button.
    pub fn undo_label(&self) -> Option<String> {
        self.labels.with(|l| l.0.clone())
    }

    /// What redo would do again, for its button.
    pub fn redo_label(&self) -> Option<String> {
        self.labels.with(|l| l.1.clone())
    }

    /// An id for a new block, drawn at random.
    pub fn fresh_block_id(&self) -> BlockId {
        self.platform
            .with_value(|platform| platform.clock.unused_id())
    }

    /// The worker's handle, for exports and the stop button.
    pub fn planner(&self) -> Client {
        let planner = self.planner.get_value();
        planner.expect("the page has a planner")
    }

    /// Tells which canvas is open.
    pub fn looks_at(&self, canvas: OpenCanvas) {
        self.canvas.set_value(Some(canvas));
    }

    /// Where something that is pasted goes.
    pub fn pointed(&self) -> Option<Point> {
        self.canvas
            .with_value(|canvas| canvas.as_ref().map(|canvas| (canvas.pointed)()))
    }

    /// What is selected, with what stands in the frames among it.
    pub fn whole_selection(&self) -> Selection {
        let whole = self
            .canvas
            .with_value(|canvas| canvas.as_ref().map(|canvas| (canvas.whole)()));
        whole.unwrap_or_default()
    }

    /// Selects a record alone, and nothing of the canvas.
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

    /// Shows a place of the document: opens its canvas, selects what holds it and
    /// puts the focus into its field.
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

    /// What is wrong with places that `concerns` says so of.
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

/// Whether two records are one and the same in memory.
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
