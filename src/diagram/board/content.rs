//! The Board of a document.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{Kind, Name, RecordRef};
use taskloom_domain::Domain;
use taskloom_domain::dependencies::{Link, Reader};
use taskloom_domain::records::Primitive;
use taskloom_domain::text::values;
use taskloom_runtime::TaskState;

use super::columns::{Head, keys_of};
use super::drawn::Drawn;
use super::folds::Folds;
use super::shifts::Shifts;
use crate::canvas::scene::{Node, Scene, Selected, Wire};
use crate::canvas::surface::Surface;
use crate::diagram::face::Look;
use crate::diagram::model::Diagram;
use crate::diagram::tidy::glide;
use crate::session::{Selection, Session, states_at};

/// The Board.
#[derive(Clone, Copy)]
pub struct Board {
    pub session: Session,
    pub links: Memo<Arc<BTreeSet<Link>>>,
    /// The primitive tasks with the facts that they change.
    pub changes: Memo<Arc<BTreeSet<(Name, Name)>>>,
    pub scene: Memo<Arc<Scene>>,
    pub heads: Memo<Vec<Head>>,
    /// The difference between positions on the canvas and in the document.
    pub shifts: Memo<Shifts>,
    /// The folded groups.
    pub folds: RwSignal<Folds>,
    /// The part of the selection on the Board.
    pub selected: Memo<Selected>,
    /// The tasks that are in progress at the cursor.
    pub running: Memo<BTreeSet<Name>>,
    /// The selected wires. They are derived, so they aren't part of the session's selection.
    pub wires: RwSignal<BTreeSet<Wire>>,
}

/// Returns `true` unless both are the same object in memory: drawings that are alike are shared.
fn is_another<T>(last: Option<&Arc<T>>, next: Option<&Arc<T>>) -> bool {
    !matches!((last, next), (Some(last), Some(next)) if Arc::ptr_eq(last, next))
}

/// Returns the tasks of the shown plan that are in progress at the cursor.
fn running(session: Session) -> BTreeSet<Name> {
    let cursor = session.desk.cursor.get();
    session.plan.answer.with(|answer| {
        let shown = answer.as_ref().and_then(|answer| {
            let states = states_at(answer, cursor)?;
            Some((answer.plan_at(cursor.plan)?, states))
        });
        let Some((plan, states)) = shown else {
            return BTreeSet::new();
        };
        let nodes = plan.nodes.iter().zip(states);
        let running = nodes.filter(|(_, state)| *state == TaskState::InProgress);
        set_of(running.map(|(node, _)| node.task.task.clone()))
    })
}

impl Board {
    /// Creates the Board of the open document.
    pub fn new(session: Session) -> Self {
        let reader = StoredValue::new(Reader::default());
        let links = Memo::new(move |_| {
            let document = session.document();
            let links = reader.try_update_value(|reader| reader.links(&document));
            links.unwrap_or_default()
        });
        let changes = Memo::new(move |_| Arc::new(changes(&session.domain())));
        let folds = RwSignal::new(Folds::of(&session.entry().id));
        let drawn = Memo::new_with_compare(
            move |last: Option<&Arc<Drawn>>| {
                let (links, changes) = (links.get(), changes.get());
                folds.with(|folds| Drawn::after(last, session.document(), links, changes, folds))
            },
            is_another,
        );
        let wires = RwSignal::new(BTreeSet::new());
        let selected = Memo::new(move |_| Selected {
            nodes: session.open.selection.with(|s| {
                let frames = s.frames.iter().cloned().map(Node::Frame);
                set_of(frames.chain(s.records.iter().cloned().map(Node::Card)))
            }),
            wires: wires.get(),
        });
        let board = Self {
            session,
            links,
            changes,
            scene: Memo::new_with_compare(
                move |_| drawn.with(|drawn| drawn.scene.clone()),
                is_another,
            ),
            heads: Memo::new(move |_| drawn.with(|drawn| drawn.heads.clone())),
            shifts: Memo::new(move |_| drawn.with(|drawn| drawn.shifts.clone())),
            folds,
            selected,
            running: Memo::new(move |_| running(session)),
            wires,
        };
        board.follow_document();
        // Whatever selects a card, by search, a link or the outline, also shows it.
        Effect::new(move || board.unfold(&selected.get()));
        board
    }

    /// Restores the folds of another document when it opens in place of this one.
    fn follow_document(self) {
        let session = self.session;
        Effect::new(move |before: Option<(u32, String)>| {
            let opened = session.storage.opened.get();
            session.storage.hold.track();
            let id = session.entry().id;
            match before {
                Some((last, _)) if last != opened => self.folds.set(Folds::of(&id)),
                // The document has become a copy, in another row.
                Some((_, last)) if last != id => self.keep_folds(),
                _ => {}
            }
            (opened, id)
        });
    }

    /// Shows the card of a record whose name is being typed, wherever that is, such as a new one's;
    /// and again once it is named, which may move the card within its column.
    pub fn follow_renaming(self, surface: Surface) {
        let open = self.session.open;
        let renaming = self.session.desk.renaming;
        Effect::new(move |before: Option<bool>| {
            let is_typed = renaming.with(Option::is_some);
            let ends = before == Some(true);
            let selected = open.selection.with_untracked(Selection::only_record);
            if let Some(record) = selected.filter(|_| before.is_some() && (is_typed || ends)) {
                let node = Node::Card(record);
                self.unfold(&Selected::node(node.clone()));
                surface.reveal(&node);
            }
            is_typed
        });
    }

    /// Folds or unfolds a group, and keeps that for the document.
    pub fn fold(&self, key: &str, folded: bool) {
        glide();
        self.folds.update(|folds| folds.set(key, folded));
        self.keep_folds();
        let scene = self.scene.get_untracked();
        let selected = self.selected.get_untracked();
        let is_folded = |node: &&Node| scene.folded.contains_key(node);
        if selected.nodes.iter().any(|node| is_folded(&node)) {
            // What is not visible is not selected, so that no command applies to it.
            let nodes = selected.nodes.iter().filter(|node| !is_folded(node));
            let nodes = set_of(nodes.cloned());
            self.select(&Selected { nodes, ..selected });
        }
    }

    /// Unfolds the groups of the selected cards.
    pub fn unfold(&self, selected: &Selected) {
        let scene = self.scene.get_untracked();
        let hidden = selected.nodes.iter();
        let hidden = hidden.filter(|node| scene.folded.contains_key(node));
        let hidden: Vec<_> = hidden.filter_map(Node::card).collect();
        if hidden.is_empty() {
            return;
        }
        let (document, links) = (
            self.session.document_untracked(),
            self.links.get_untracked(),
        );
        let keys = hidden.into_iter();
        let keys: Vec<_> = keys
            .flat_map(|record| keys_of(&document, &links, record))
            .collect();
        self.folds
            .update(|folds| keys.iter().for_each(|key| folds.set(key, false)));
        self.keep_folds();
    }

    /// Unfolds everything. Returns `true` if anything was folded.
    pub fn unfold_all(&self) -> bool {
        let was_folded = self.folds.with_untracked(|folds| !folds.is_empty());
        if was_folded {
            glide();
            self.folds.set(Folds::default());
            self.keep_folds();
        }
        was_folded
    }

    /// Folds the kind of the selected card. Returns `true` if there is one.
    pub fn fold_selected(&self) -> bool {
        let selected = self.selected.get_untracked();
        let record = selected.nodes.iter().find_map(Node::card);
        let document = self.session.document_untracked();
        let look = record.and_then(|record| Look::of_card(&document, record));
        look.inspect(|look| self.fold(look.class(), true)).is_some()
    }

    fn keep_folds(&self) {
        let id = self.session.entry().id;
        self.folds.with_untracked(|folds| folds.keep(&id));
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
    set_of(domain.primitives().flat_map(of_task))
}

#[cfg(test)]
mod tests {
    use super::super::columns::columns;
    use super::super::ports;
    use super::*;
    use taskloom_document::stop::Stop;

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
        let scene = columns(domain.document(), &BTreeSet::new(), &Folds::default()).scene;
        for (task, fact) in &all {
            let wire = ports::drawn_change(task, fact);
            assert!(scene.curve(&wire).is_some(), "{wire:?}");
        }
    }
}
