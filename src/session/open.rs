//! The open document, and the state that ends with it.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::diagnostic::{Diagnostic, Place};
use taskloom_document::{Document, Field, History, Kind, Name, Record, RecordRef};
use taskloom_domain::Domain;
use taskloom_domain::check::check;

use super::library::{Content, Newest};
use super::{Background, Kept, OpenFile, Selection, View};
use crate::web::platform::Value;
use crate::worker::TextFile;

/// The open document. Opening another one replaces the entire value.
pub struct OpenDocument {
    /// The document with its undo history.
    pub history: History,
    /// The file that it was read from or written to.
    pub file: Option<OpenFile>,
    /// `true` if the document is stored with another file, or with none.
    pub is_file_new: bool,
    /// The planning domain that it was imported from, for problem files opened later.
    pub domain: Option<TextFile>,
    /// The image below its map, or that it has none, if it needn't be loaded. The shown one takes its place.
    pub background: Option<Option<Arc<Background>>>,
}

impl OpenDocument {
    /// Creates a document that hasn't been planned and doesn't belong to a file.
    pub fn new(history: History) -> Self {
        Self {
            history,
            file: None,
            is_file_new: false,
            domain: None,
            background: None,
        }
    }
}

/// The label of the first state of a history.
const OPEN: &str = "Open";
/// The label of the step from a document as it is stored to the text that a page left for it.
const LEFT: &str = "Before reload";
/// The number of steps that undo or redo may have made since the document was stored.
const MOVED: usize = 8;

/// Creates the undo history of a document that has been opened. It continues the stored one if that
/// belongs to the document in this state.
pub fn history(document: Document, stored: Option<&str>) -> History {
    let restored = stored.and_then(|stored| History::restored(stored, document.clone()));
    restored.unwrap_or_else(|| History::new(OPEN, document))
}

/// Creates the undo history of a document from the list. It continues the stored one; a newer text that a page left
/// is one more step.
///
/// # Errors
/// Returns the reason why the newest text isn't a document.
pub fn history_of(newest: &Newest) -> Result<History, String> {
    let read = |text: &str| Document::from_json(text).map_err(|error| error.to_string());
    let stored = || {
        let document = read(&newest.content.text)?;
        Ok(history(document, newest.content.history.as_deref()))
    };
    let Some(left) = &newest.left else {
        return stored();
    };
    let left = read(left)?;
    let Ok(mut history) = stored() else {
        return Ok(History::new(OPEN, left));
    };
    if let Some(moved) = moved_to(&history, &left) {
        return Ok(moved);
    }
    history.commit(LEFT, left);
    Ok(history)
}

/// Returns the history at this document if a few steps of undo or redo lead there.
fn moved_to(history: &History, document: &Document) -> Option<History> {
    let at = history.position();
    let positions = (0..=MOVED).flat_map(|by| [at.checked_sub(by), Some(at + by)]);
    // Steps that can't be read are dropped, which changes the positions.
    let moved = positions.flatten().filter_map(|position| {
        let mut moved = history.clone();
        moved.go_to(position).then_some(moved)
    });
    moved
        .into_iter()
        .find(|moved| **moved.current() == *document)
}

/// Resets signals that belong to the open document when another document opens.
#[derive(Default)]
pub struct Resets(Vec<Box<dyn Fn() + Send + Sync>>);

impl Resets {
    /// Creates a signal that is reset to `first`.
    pub fn signal<T: Clone + Send + Sync + 'static>(&mut self, first: T) -> Kept<RwSignal<T>> {
        let signal = Kept::new(first.clone());
        self.0.push(Box::new(move || signal.set(first.clone())));
        signal
    }

    /// Resets all signals.
    pub fn reset(&self) {
        for reset in &self.0 {
            reset();
        }
    }
}

/// The labels of the undo and redo buttons.
type Labels = (Option<String>, Option<String>);

/// The open document as signals, with what is shown and selected of it.
#[derive(Clone, Copy)]
pub struct DocumentState {
    pub(super) document: Kept<RwSignal<Arc<Document>>>,
    /// The document with its history and file.
    pub(super) content: StoredValue<OpenDocument, LocalStorage>,
    /// The image below the map of the Stage.
    pub background: Kept<RwSignal<Option<Arc<Background>>>>,
    /// `true` once the image has been loaded or chosen.
    pub(super) knows_background: StoredValue<bool>,
    labels: Kept<RwSignal<Labels>>,
    /// The open canvas.
    pub view: Kept<RwSignal<View>>,
    /// The methods through which the user reached the open one.
    pub(super) trail: Kept<RwSignal<Vec<Name>>>,
    /// The current selection.
    pub selection: Kept<RwSignal<Selection>>,
    /// The key of the latest edit in a series, and its time. Selecting something else ends the series.
    pub(super) series: StoredValue<Option<(String, f64)>>,
    /// The meaning of the document's texts.
    pub(super) domain: Kept<Memo<Domain>>,
    /// The diagnostics of the document.
    pub diagnostics: Kept<Memo<Arc<Vec<Diagnostic>>>>,
}

impl DocumentState {
    /// Creates the state of a document that has just been opened.
    pub(super) fn new(history: History, resets: &mut Resets) -> Self {
        let document = Kept::new(history.current().clone());
        let domain = Kept(Memo::new_with_compare(
            move |before: Option<&Domain>| match before {
                Some(before) => before.edited(document.get()),
                None => Domain::from(document.get()),
            },
            |_, _| true,
        ));
        Self {
            document,
            content: StoredValue::new_local(OpenDocument::new(history)),
            background: resets.signal(None),
            knows_background: StoredValue::new(false),
            labels: Kept::new((None, None)),
            view: resets.signal(View::Board),
            trail: resets.signal(vec![]),
            selection: resets.signal(Selection::default()),
            series: StoredValue::new(None),
            domain,
            diagnostics: Kept(Memo::new_with_compare(
                move |_| Arc::new(domain.with(check)),
                |a, b| a != b,
            )),
        }
    }

    /// Returns a memo of one record, compared by pointer: its readers aren't notified about other
    /// records.
    pub fn record(&self, record: RecordRef) -> Memo<Option<Record>> {
        let document = self.document;
        Memo::new_with_compare(
            move |_| document.with(|d| d.get(&record)),
            |a: Option<&Option<Record>>, b| match (a, b) {
                (Some(Some(a)), Some(Some(b))) => !a.is_same(b),
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

    /// Selects on the open canvas and in the outline, in place of the former selection.
    pub fn select(&self, selection: Selection) {
        if self.selection.with_untracked(|before| *before != selection) {
            self.series.set_value(None);
        }
        self.selection.set(selection);
    }

    /// Adds a record to the selection, or removes it from there.
    pub fn toggle_selected(&self, record: RecordRef) {
        self.series.set_value(None);
        self.selection.update(|selection| {
            if !selection.records.remove(&record) {
                selection.records.insert(record);
            }
        });
    }

    /// Ends a series of edits that are merged into one undo step, as when a field loses the focus.
    pub fn seal(&self) {
        self.content.update_value(|open| open.history.seal());
    }

    /// Returns the label of the step that undo would revert. Tracked.
    pub fn undo_label(&self) -> Option<String> {
        self.labels.with(|l| l.0.clone())
    }

    /// Returns the document that undo would restore. Tracked.
    pub fn before_last_step(&self) -> Option<Arc<Document>> {
        self.document.track();
        self.content
            .try_update_value(|open| open.history.previous())
            .flatten()
    }

    /// Returns the label of the step that redo would restore. Tracked.
    pub fn redo_label(&self) -> Option<String> {
        self.labels.with(|l| l.1.clone())
    }

    /// Returns the labels of all states, oldest first, and the index of the current one. Tracked.
    pub fn steps(&self) -> (Vec<String>, usize) {
        self.document.track();
        self.content.with_value(|open| {
            let history = &open.history;
            let labels = history.labels().map(str::to_owned).collect();
            (labels, history.position())
        })
    }

    /// Returns the text of the open document's file.
    pub(super) fn text_of_file(&self) -> String {
        let text = self.content.try_update_value(|open| open.history.text());
        text.expect("the document is open")
    }

    /// Returns the open document's content, to be stored under a row: its text with its undo history and, on request,
    /// its image.
    pub(super) fn stored(&self, id: &str, has_image: bool) -> Content {
        let stored = self.content.try_update_value(|open| {
            let file = open.file.as_ref().filter(|file| file.is_of(id));
            let file = open.is_file_new.then(|| file.map(OpenFile::value));
            (open.history.store(), file)
        });
        let ((text, history), file) = stored.expect("the document is open");
        let image = has_image.then(|| self.image()).flatten();
        Content {
            text,
            history,
            image,
            file,
        }
    }

    /// Returns the image below the map to be stored, or that there is none; `None` until that is known.
    pub(super) fn image(&self) -> Option<Option<Value>> {
        let known = self.known_background()?;
        Some(known.map(|background| background.value()))
    }

    /// Returns the image below the map, or that there is none; `None` until that is known.
    pub(super) fn known_background(&self) -> Option<Option<Arc<Background>>> {
        let is_known = self.knows_background.get_value();
        is_known.then(|| self.background.get_untracked())
    }

    /// Updates the labels of the undo and redo buttons.
    pub(super) fn show_labels(&self) {
        let labels = self.content.with_value(|open| {
            let history = &open.history;
            let undo = history.undo_label().map(str::to_owned);
            (undo, history.redo_label().map(str::to_owned))
        });
        if self.labels.with_untracked(|l| *l != labels) {
            self.labels.set(labels);
        }
    }
}
