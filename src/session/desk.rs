//! The desk: the state of the page around the document, such as the open tab and the cursor.

use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::{BlockId, Point, RecordRef};

use super::character::{self, ShownCharacter, names};
use super::copied::Copied;

use super::folding::{Folding, Part};
use super::last_types::LastTypes;
use super::messages::Messages;
use super::open::{DocumentState, Resets};
use super::plan::PlanState;
use super::playback::Playback;
use super::tab::Tab;
use super::{ChangedFile, Cursor, Deletion, Kept, Question, Selection};
use crate::web::platform::Platform;

/// A drawer shown over the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawer {
    /// The documents of this browser.
    Documents,
    /// The undo history of the open document, and its restore points.
    History,
    /// A link that contains the document.
    Share,
}

/// Queries that only the open canvas can answer, since it alone knows the size of elements.
pub struct OpenCanvas {
    /// Returns the last pointer position, in graph units.
    pub pointed: Box<dyn Fn() -> Point>,
    /// Returns the selection, including the contents of selected frames.
    pub whole: Box<dyn Fn() -> Selection>,
}

/// The key under which the browser keeps the open tab.
const TAB: &str = "taskloom.tab.panel";

/// The boxes shown over the page, each for what it is about; `None` while it is closed.
#[derive(Clone, Copy)]
pub struct Boxes {
    /// The drawer shown over the outline.
    pub drawer: Kept<RwSignal<Option<Drawer>>>,
    /// Records in use that are deleted if the user confirms.
    pub deleting: Kept<RwSignal<Option<Deletion>>>,
    /// The record whose uses are shown.
    pub uses_of: Kept<RwSignal<Option<RecordRef>>>,
    /// The file of the document that another program has changed, while the user is asked what to do about it.
    pub changed_file: Kept<RwSignal<Option<ChangedFile>>>,
    /// The question whose answer is shown.
    pub question: Kept<RwSignal<Option<Question>>>,
}

/// The state of the page around the document.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The open tab of the simulation panel.
    pub tab: Kept<RwSignal<Tab>>,
    /// The parts that are open or folded.
    pub folding: Folding,
    pub(super) chosen: Kept<RwSignal<ShownCharacter>>,
    /// The index of the shown character.
    pub character: Kept<Memo<usize>>,
    /// The names of the scenario's characters; empty if there is only one.
    pub characters: Kept<Memo<Vec<String>>>,
    /// The current step.
    pub cursor: Kept<RwSignal<Cursor>>,
    /// The playback that moves the cursor.
    pub playback: Playback,
    /// The boxes shown over the page.
    pub boxes: Boxes,
    /// The types that were chosen last.
    pub(super) last_types: Kept<RwSignal<LastTypes>>,
    /// The record being renamed in the outline.
    pub renaming: Kept<RwSignal<Option<RecordRef>>>,
    /// The frame whose title is to be edited.
    pub titling: Kept<RwSignal<Option<BlockId>>>,
    /// The field that is to be focused.
    pub focus: Kept<RwSignal<Option<Place>>>,
    /// The messages on the screen.
    pub messages: Messages,
    /// The parts that were copied on this page.
    pub(super) copied: StoredValue<Option<Copied>>,
    canvas: StoredValue<Option<StoredValue<OpenCanvas, LocalStorage>>>,
    platform: StoredValue<Platform, LocalStorage>,
}

impl Desk {
    /// Creates a desk with the tab that was open last.
    pub(super) fn new(
        open: DocumentState,
        plan: PlanState,
        platform: Platform,
        resets: &mut Resets,
    ) -> Self {
        let (domain, scenario) = (open.domain, plan.scenario);
        let chosen = resets.signal(ShownCharacter::default());
        let character = Memo::new(move |_| {
            let (domain, scenario) = (domain.get(), scenario.get());
            chosen.with(|chosen| character::number(&domain, scenario.as_ref(), chosen))
        });
        let characters = Memo::new(move |_| {
            let scenario = scenario.get();
            scenario.map_or_else(Vec::new, |scenario| names(&domain.get(), &scenario))
        });
        let tab = platform.notes.get(TAB);
        let tab = tab.and_then(|name| Tab::ALL.into_iter().find(|tab| tab.name() == name));
        Self {
            tab: Kept::new(tab.unwrap_or(Tab::Plan)),
            folding: Folding::new(open.view, platform.clone()),
            chosen,
            character: Kept(character),
            characters: Kept(characters),
            cursor: resets.signal(Cursor::default()),
            playback: Playback::new(resets),
            boxes: Boxes {
                drawer: Kept::new(None),
                deleting: resets.signal(None),
                uses_of: resets.signal(None),
                changed_file: resets.signal(None),
                question: resets.signal(None),
            },
            last_types: resets.signal(LastTypes::default()),
            renaming: resets.signal(None),
            titling: resets.signal(None),
            focus: resets.signal(None),
            messages: Messages::new(platform.clock.clone()),
            copied: StoredValue::new(None),
            canvas: StoredValue::new(None),
            platform: StoredValue::new_local(platform),
        }
    }

    /// Opens a tab of the simulation panel.
    pub fn show_tab(&self, tab: Tab) {
        self.folding.open(Part::Panel);
        self.tab.set(tab);
        // If storage is full, the next page opens with another tab.
        let _ = self
            .platform
            .with_value(|platform| platform.notes.keep(TAB, tab.name()));
    }

    /// Shows a drawer, replacing any other.
    pub fn show_drawer(&self, drawer: Drawer) {
        self.boxes.drawer.set(Some(drawer));
    }

    /// Closes the drawer.
    pub fn close_drawer(&self) {
        self.boxes.drawer.set(None);
    }

    /// Shows the uses of a record.
    pub fn show_uses(&self, record: RecordRef) {
        self.boxes.uses_of.set(Some(record));
    }

    /// Reports that the uses are no longer shown.
    pub fn close_uses(&self) {
        self.boxes.uses_of.set(None);
    }

    /// Gives up a deletion that waits for confirmation.
    pub fn cancel_deletion(&self) {
        self.boxes.deleting.set(None);
    }

    /// Begins to rename a record in the outline.
    pub fn begin_renaming(&self, record: RecordRef) {
        self.folding.open(Part::Outline);
        self.renaming.set(Some(record));
    }

    /// Ends renaming.
    pub fn end_renaming(&self) {
        self.renaming.set(None);
    }

    /// Lets the title of a frame be edited as soon as it is on the screen.
    pub fn begin_titling(&self, frame: BlockId) {
        self.titling.set(Some(frame));
    }

    /// Reports that the title's field has the focus.
    pub fn end_titling(&self) {
        self.titling.set(None);
    }

    /// Focuses the field of a place as soon as it is on the screen.
    pub fn focus_field(&self, place: Place) {
        self.folding.open(Part::Inspector);
        self.focus.set(Some(place));
    }

    /// Reports that the field has the focus.
    pub fn end_focusing(&self) {
        self.focus.set(None);
    }

    /// Registers the open canvas.
    pub fn opened_canvas(&self, canvas: OpenCanvas) {
        // It belongs to the canvas's owner, and is gone with it.
        self.canvas.set_value(Some(StoredValue::new_local(canvas)));
    }

    fn ask_canvas<T>(&self, question: impl FnOnce(&OpenCanvas) -> T) -> Option<T> {
        self.canvas.get_value()?.try_with_value(question)
    }

    /// Returns the position for pasted content.
    pub fn pointed(&self) -> Option<Point> {
        self.ask_canvas(|canvas| (canvas.pointed)())
    }

    /// Returns the selection, including the contents of selected frames.
    pub fn whole_selection(&self) -> Selection {
        self.ask_canvas(|canvas| (canvas.whole)())
            .unwrap_or_default()
    }
}
