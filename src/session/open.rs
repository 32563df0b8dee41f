//! State that belongs to the open document and ends with it.

use leptos::prelude::*;
use taskloom::document::History;

use crate::web::platform::Handle;
use crate::worker::TextFile;

/// The open document. Opening another one replaces the entire value.
pub struct OpenDocument {
    /// The document with its undo history.
    pub history: History,
    /// The file that it was read from or written to.
    pub file: Option<OpenFile>,
    /// The planning domain that it was imported from, for problem files opened later.
    pub domain: Option<TextFile>,
}

impl OpenDocument {
    /// Creates a document that hasn't been planned and doesn't come from a file.
    pub fn new(history: History) -> Self {
        Self {
            history,
            file: None,
            domain: None,
        }
    }
}

/// A file, and the document that may be written to it.
#[derive(Clone)]
pub struct OpenFile {
    /// The file.
    pub handle: Handle,
    /// The id of the document's row. A copy has a different one, and is not written to the
    /// original's file.
    pub document_id: String,
}

/// The signals that belong to the open document: each is reset to its initial value when another
/// document opens.
#[derive(Default)]
pub struct DocumentSignals(Vec<Box<dyn Fn() + Send + Sync>>);

impl DocumentSignals {
    /// Creates a signal that is reset to `first`.
    pub fn signal<T: Clone + Send + Sync + 'static>(&mut self, first: T) -> RwSignal<T> {
        let signal = RwSignal::new(first.clone());
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
