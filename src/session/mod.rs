//! The open document, its history and what is selected: the only place that
//! commits edits. Leptos holds one signal of the document; records stay plain.

mod selection;
mod toast;

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_core::diagnostic::Diagnostic;
use taskloom_core::document::{BlockId, Document, Edit, Name};

use crate::job::Answer;
pub use selection::{Cursor, Selection, View};
pub use toast::Toast;

/// The editor's state, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Session {
    document: RwSignal<Arc<Document>>,
    /// The canvas that is open.
    pub view: RwSignal<View>,
    /// What is selected.
    pub selection: RwSignal<Selection>,
    /// The scenario that is planned.
    pub scenario: RwSignal<Option<Name>>,
    /// The newest answer of the planner.
    pub answer: ReadSignal<Option<Arc<Answer>>>,
    /// The step that is looked at.
    pub cursor: RwSignal<Cursor>,
    /// What is wrong with the document.
    pub diagnostics: Memo<Arc<Vec<Diagnostic>>>,
    /// Messages on the screen.
    pub toasts: RwSignal<Vec<Toast>>,
}

impl Session {
    /// Opens a document and provides the session to the components below.
    pub fn provide(document: Document) -> Self {
        let document = RwSignal::new(Arc::new(document));
        let (answer, _set_answer) = signal(None);
        let session = Self {
            document,
            view: RwSignal::new(View::Board),
            selection: RwSignal::new(Selection::default()),
            scenario: RwSignal::new(None),
            answer,
            cursor: RwSignal::new(Cursor::default()),
            diagnostics: Memo::new(|_| Arc::new(vec![])),
            toasts: RwSignal::new(vec![]),
        };
        provide_context(session);
        session
    }

    /// The session that an ancestor provided.
    pub fn expect() -> Self {
        expect_context()
    }

    /// The document; whoever calls it in an effect or a memo follows its changes.
    pub fn document(&self) -> Arc<Document> {
        self.document.get()
    }

    /// The document as it is now.
    pub fn document_untracked(&self) -> Arc<Document> {
        self.document.get_untracked()
    }

    /// Applies an edit as one step of undo. A refusal is told as a toast.
    pub fn commit(&self, label: &str, edit: Edit) -> bool {
        let _ = (label, edit);
        false
    }

    /// As [`Session::commit`], merged with the previous step if that had the same key.
    pub fn commit_typing(&self, label: &str, key: &str, edit: Edit) -> bool {
        let _ = key;
        self.commit(label, edit)
    }

    /// Takes the last step back.
    pub fn undo(&self) {}

    /// Does again what was taken back.
    pub fn redo(&self) {}

    /// An id for a new block, drawn at random.
    pub fn fresh_block_id(&self) -> BlockId {
        crate::web::random::block_id()
    }
}
