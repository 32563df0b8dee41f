//! The Board of a document.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Kind, Name, RecordRef};
use taskloom::domain::Domain;
use taskloom::domain::dependencies::{Link, Reader};
use taskloom::domain::records::Primitive;
use taskloom::domain::text::values;

use super::columns::{self, Heading};
use crate::canvas::scene::{Node, Scene, Selected, Wire};
use crate::diagram::face::CHANGES;
use crate::session::Session;

/// The Board.
#[derive(Clone, Copy)]
pub struct Board {
    pub session: Session,
    pub links: Memo<Arc<BTreeSet<Link>>>,
    /// The primitive tasks with the facts that they change.
    pub changes: Memo<Arc<BTreeSet<(Name, Name)>>>,
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
        let changes = Memo::new(move |_| Arc::new(changes(&session.domain())));
        let all = Memo::new(move |_| {
            let (mut scene, headings) = columns::columns(&session.document(), &links.get());
            let wires = changes.get();
            let wires = wires
                .iter()
                .map(|(task, fact)| columns::drawn_change(task, fact));
            scene.wires.extend(wires.map(|wire| (wire, CHANGES.colour)));
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
            changes,
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

/// Returns the primitive tasks with the facts that their effects change.
fn changes(domain: &Domain) -> BTreeSet<(Name, Name)> {
    let of_task = |(name, task): (&Name, &Primitive)| {
        let effects = values(task.effects.iter().map(|(_, effect)| effect));
        let facts = effects.map(|effect| (name.clone(), effect.change.fact().clone()));
        facts.collect::<Vec<_>>()
    };
    domain.primitives().flat_map(of_task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::document::stop::Stop;

    #[test]
    fn a_fact_knows_the_tasks_that_change_it() {
        let domain = Domain::new(crate::examples::first().into(), &Stop::default());
        let all = changes(&domain);
        let of = |fact: &str| {
            let tasks = all.iter().filter(|(_, changed)| changed.as_str() == fact);
            let tasks = tasks.map(|(task, _)| task.as_str());
            tasks.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("box_open"), "open-box smash-box");
        assert_eq!(of("box_locked"), "unlock-box");
        // Their wires have both ports.
        let (scene, _) = columns::columns(domain.document(), &BTreeSet::new());
        for (task, fact) in &all {
            let wire = columns::drawn_change(task, fact);
            assert!(scene.curve(&wire).is_some(), "{wire:?}");
        }
    }
}
