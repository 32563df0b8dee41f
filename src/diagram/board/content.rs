//! The Board of a document.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Kind, RecordRef};
use taskloom::domain::dependencies::{Link, Reader};

use super::columns::{self, Heading};
use crate::canvas::scene::{Node, Scene, Selected, Wire};
use crate::session::Session;

/// The Board.
#[derive(Clone, Copy)]
pub struct Board {
    pub session: Session,
    pub links: Memo<Arc<BTreeSet<Link>>>,
    pub scene: Memo<Arc<Scene>>,
    pub headings: Memo<Vec<Heading>>,
    /// The part of the selection on the Board.
    pub selected: Memo<Selected>,
    /// The selected wires. They are derived, so they aren't part of the session's selection.
    pub wires: RwSignal<BTreeSet<Wire>>,
}

impl Board {
    /// Creates the Board of the open document.
    pub fn new(session: Session) -> Self {
        let reader = StoredValue::new(Reader::default());
        let links = Memo::new(move |_| {
            let document = session.document();
            let links = reader.try_update_value(|reader| reader.links(&document));
            Arc::new(links.unwrap_or_default())
        });
        let all = Memo::new(move |_| {
            let (scene, headings) = columns::columns(&session.document(), &links.get());
            (Arc::new(scene), headings)
        });
        let wires = RwSignal::new(BTreeSet::new());
        let selected = Memo::new(move |_| Selected {
            nodes: session.open.selection.with(|s| {
                let frames = s.frames.iter().cloned().map(Node::Frame);
                BTreeSet::from_iter(frames.chain(s.records.iter().cloned().map(Node::Card)))
            }),
            wires: wires.get(),
        });
        Self {
            session,
            links,
            scene: Memo::new(move |_| all.with(|(scene, _)| scene.clone())),
            headings: Memo::new(move |_| all.with(|(_, headings)| headings.clone())),
            selected,
            wires,
        }
    }

    /// Opens a compound task's method; for other records, focuses the name.
    pub fn open_card(&self, record: RecordRef) {
        if record.kind == Kind::CompoundTask {
            self.session.open.enter(record.name);
        } else {
            self.session.desk.begin_renaming(record);
        }
    }
}
