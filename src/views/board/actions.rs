//! What the designer does on the Board: gestures and keys as commits.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Document, Edit, Fact, Kind, Name, Record, RecordRef, Source};

use super::columns::{self, face};
use super::edits;
use super::links::Link;
use crate::canvas::geometry::Vec2;
use crate::canvas::gesture::Command;
use crate::canvas::role::Role;
use crate::canvas::scene::{End, Node, Scene, Selected, Slot, Wire, cards, frames as frames_of};
use crate::canvas::search::{Entry, Search};
use crate::canvas::surface::Surface;
use crate::commands::Page;
use crate::session::{Selection, Session, addition, fresh};
use crate::views::frames;
use crate::views::pick::Pick;
use crate::views::tidy;

/// The kinds of record that the Board adds, and what they are.
const KINDS: [(Kind, Source, &str, &str); 6] = [
    (Kind::Fact, Source::Sensor, "sensor", "Sensor fact"),
    (Kind::Fact, Source::Memory, "memory", "Memory fact"),
    (Kind::Condition, Source::Memory, "condition", "Condition"),
    (Kind::Action, Source::Memory, "action", "Action"),
    (
        Kind::PrimitiveTask,
        Source::Memory,
        "primitive",
        "Primitive task",
    ),
    (
        Kind::CompoundTask,
        Source::Memory,
        "compound",
        "Compound task",
    ),
];

/// The commands of the Board.
#[derive(Clone, Copy)]
pub struct Actions {
    pub(super) session: Session,
    page: Page,
    pub(super) scene: Memo<Arc<Scene>>,
    surface: StoredValue<Option<Surface>, LocalStorage>,
    /// The port whose wire the search box is open for.
    origin: StoredValue<Option<End>>,
    /// The wires that are selected. They are derived, so the session knows none.
    pub wires: RwSignal<BTreeSet<Wire>>,
    /// The search box.
    pub searching: RwSignal<Option<Search<Pick>>, LocalStorage>,
}

impl Actions {
    /// The commands for this scene.
    pub fn new(session: Session, scene: Memo<Arc<Scene>>) -> Self {
        Self {
            session,
            page: Page::expect(),
            scene,
            surface: StoredValue::new_local(None),
            origin: StoredValue::new(None),
            wires: RwSignal::new(BTreeSet::new()),
            searching: RwSignal::new_local(None),
        }
    }

    /// Tells them the canvas that they act on.
    pub fn attach(&self, surface: Surface) {
        self.surface.set_value(Some(surface));
    }

    /// The canvas that they act on.
    pub fn surface(&self) -> Option<Surface> {
        self.surface.try_get_value().flatten()
    }

    fn document(&self) -> Arc<Document> {
        self.session.document_untracked()
    }

    fn select(&self, nodes: &BTreeSet<Node>, wires: BTreeSet<Wire>) {
        self.session.selection.set(Selection {
            records: cards(nodes),
            frames: frames_of(nodes),
            ..Selection::default()
        });
        if self.wires.with_untracked(|w| *w != wires) {
            self.wires.set(wires);
        }
    }

    /// Does what a gesture asks for.
    pub fn perform(&self, command: Command) {
        if let Command::Frame(Some(around)) = command {
            return self.frame(around);
        }
        if frames::perform(self.session, &command) {
            return;
        }
        match command {
            Command::Select(Selected { nodes, wires }) => self.select(&nodes, wires),
            Command::Move { nodes, by, .. } => {
                let edit = self.moved(&nodes, by);
                self.session.commit("Move cards", edit);
            }
            Command::Nudge(nodes, by) => {
                let edit = self.moved(&nodes, by);
                let names = nodes.iter().map(|node| node.name() + " ");
                let key = format!("nudge {}", names.collect::<String>());
                self.session.commit_typing("Move cards", &key, edit);
            }
            Command::Connect {
                from,
                to,
                instead_of,
            } => {
                if let Some(link) = columns::link(&Wire { from, to }) {
                    let before = instead_of.as_ref().and_then(columns::link);
                    self.connect(&link, before.as_ref(), vec![], &self.document());
                }
            }
            Command::Search { from, at, .. } => self.search_for(from, at),
            Command::Disconnect(wire) => self.disconnect([&wire]),
            Command::Break(end) => {
                let scene = self.scene.get_untracked();
                self.disconnect(scene.wires_at(&end));
            }
            Command::Cut(wires) => self.disconnect(&wires),
            Command::Menu(at) => self.search_all(at),
            Command::Commands(node, at) => {
                if !self.surface().is_some_and(|s| s.is_selected(&node)) {
                    self.select(&[node].into(), BTreeSet::new());
                }
                self.origin.set_value(None);
                self.searching.set(Some(Search {
                    title: "What to do".to_owned(),
                    at,
                    entries: Rc::new(self.page.menu()),
                    fresh: Rc::new(|_| vec![]),
                }));
            }
            Command::Add => {
                if let Some(surface) = self.surface() {
                    self.search_all(surface.pointer_or_middle());
                }
            }
            Command::Connections(node, end) => {
                let scene = self.scene.get_untracked();
                let rect = scene.nodes.get(&node).map(|s| s.rect);
                let port = Slot::Offer;
                let end = end.unwrap_or(End { node, port });
                let at = rect.map_or(Vec2::default(), |r| Vec2::new(r.right() + 10.0, r.y));
                if let Some(surface) = self.surface() {
                    self.search_for(end, surface.on_screen(at));
                }
            }
            Command::Open(Node::Card(record)) => self.open(&record),
            Command::Rename(Node::Card(record)) => self.session.renaming.set(Some(record)),
            Command::Insert(wire, _) | Command::Bend(wire, _) => {
                self.select(&BTreeSet::new(), [wire].into());
            }
            Command::Delete(selected) => self.delete(&selected),
            Command::Pan(_)
            | Command::Leave
            | Command::Open(_)
            | Command::Rename(_)
            | Command::Frame(_)
            | Command::Resize(..) => {}
        }
    }

    pub(super) fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Edit {
        let scene = self.scene.get_untracked();
        let cards = edits::moved(nodes.iter().filter_map(|node| {
            let corner = scene.nodes.get(node)?.rect.corner();
            Some((node.card()?.clone(), (corner + by).to_point()))
        }));
        let frames = frames::moved(self.session, nodes, by);
        Edit::Batch(frames.into_iter().chain([cards]).collect())
    }

    /// Draws a wire, in one step with what comes before it and the end of another.
    fn connect(
        &self,
        link: &Link,
        instead_of: Option<&Link>,
        before: Vec<Edit>,
        document: &Document,
    ) -> bool {
        let off = instead_of.and_then(|old| edits::disconnected(document, old));
        let left = off.as_ref().and_then(|off| document.apply(off).ok());
        let fresh = self.session.fresh_block_id();
        let on = edits::connected(left.as_ref().unwrap_or(document), link, fresh);
        let Some(on) = on else {
            return false;
        };
        let label = format!("Connect {} and {}", link.from.name, link.to.name);
        let all = before.into_iter().chain(off).chain([on]);
        self.session.commit(&label, Edit::Batch(all.collect()))
    }

    fn disconnect<'a>(&self, wires: impl IntoIterator<Item = &'a Wire>) {
        let document = self.document();
        let mut left = Document::clone(&document);
        let mut all = vec![];
        for link in wires.into_iter().filter_map(columns::link) {
            let Some(edit) = edits::disconnected(&left, &link) else {
                let message = format!(
                    "The formula of {} says {} together with other names: edit it in the inspector.",
                    link.to.name, link.from.name
                );
                self.session.complain(message);
                continue;
            };
            if let Ok(after) = left.apply(&edit) {
                left = after;
                all.push(edit);
            }
        }
        if !all.is_empty() && self.session.commit("Remove wire", Edit::Batch(all)) {
            self.wires.set(BTreeSet::new());
        }
    }

    /// Opens a compound task's method; else puts the focus on the record's name.
    fn open(&self, record: &RecordRef) {
        if record.kind == Kind::CompoundTask {
            self.session.enter(record.name.clone());
        } else {
            self.session.renaming.set(Some(record.clone()));
        }
    }

    /// A new record with a name that is free; the designer names it at once.
    pub fn add(&self, kind: Kind, source: Source) {
        let name = self.document().fresh_name(kind, fresh(kind).0);
        if self.add_named(kind, source, name.clone(), None) {
            self.session.renaming.set(Some(RecordRef::new(kind, name)));
        }
    }

    /// A new record, wired to the port that the search box was opened for.
    fn add_named(&self, kind: Kind, source: Source, name: Name, origin: Option<End>) -> bool {
        let new = match fresh(kind).1 {
            Record::Fact(_) => Record::Fact(Arc::new(Fact {
                source,
                ..Fact::default()
            })),
            other => other,
        };
        let edit = addition(name.clone(), new, self.session.fresh_block_id());
        let record = RecordRef::new(kind, name);
        let label = format!("Add {} {}", kind.label(), record.name);
        let link = origin.and_then(|end| wire_to(&end, &record));
        let done = match (link, self.document().apply(&edit)) {
            (Some(link), Ok(after)) => self.connect(&link, None, vec![edit], &after),
            _ => self.session.commit(&label, edit),
        };
        if done {
            let node = Node::Card(record);
            self.select(&[node.clone()].into(), BTreeSet::new());
            if let Some(surface) = self.surface.get_value() {
                surface.reveal(&node);
            }
        }
        done
    }

    fn open_search(&self, title: &str, at: Vec2, entries: Vec<Entry<Pick>>, side: Option<&End>) {
        let kinds: Vec<_> = KINDS
            .into_iter()
            .filter(|(kind, ..)| side.is_none_or(|end| role_at(end, *kind).is_some()))
            .collect();
        self.origin.set_value(side.cloned());
        let fresh = move |typed: &str| {
            let Ok(name) = Name::new(typed) else {
                return vec![];
            };
            let entry = |(kind, source, class, label): &(Kind, Source, &'static str, &str)| Entry {
                label: format!("New {} ‘{name}’", label.to_ascii_lowercase()),
                detail: String::new(),
                class,
                preferred: false,
                value: Pick::New(*kind, *source, Some(name.clone())),
            };
            kinds.iter().map(entry).collect()
        };
        self.searching.set(Some(Search {
            title: title.to_owned(),
            at,
            entries: Rc::new(entries),
            fresh: Rc::new(fresh),
        }));
    }

    fn card_entries(&self, keep: impl Fn(&RecordRef) -> Option<Option<Role>>) -> Vec<Entry<Pick>> {
        let document = self.document();
        let scene = self.scene.get_untracked();
        let records = scene.nodes.keys().filter_map(Node::card);
        let entry = |record: &RecordRef| {
            let role = keep(record)?;
            let kind = record.kind.label();
            Some(Entry {
                label: record.name.to_string(),
                detail: role.map_or(kind.to_owned(), |role| {
                    format!("{kind}, as {}", role.label())
                }),
                class: face(&document, record)?.class,
                preferred: true,
                value: Pick::Card(record.clone(), role),
            })
        };
        records.filter_map(entry).collect()
    }

    /// Everything by name, and what can be added.
    fn search_all(&self, at: Vec2) {
        let added = KINDS.into_iter().map(|(kind, source, class, label)| Entry {
            label: format!("New {}", label.to_ascii_lowercase()),
            detail: String::new(),
            class,
            preferred: false,
            value: Pick::New(kind, source, None),
        });
        let entries = added.chain(self.card_entries(|_| Some(None))).collect();
        self.open_search("Add a record, or find one", at, entries, None);
    }

    /// What a wire that was let go over nothing can lead to.
    fn search_for(&self, from: End, at: Vec2) {
        let scene = self.scene.get_untracked();
        let targets = columns::targets(&scene, &from, None);
        let role = |record: &RecordRef| {
            let mut ends = targets.iter().filter(|end| end.node.card() == Some(record));
            let end = ends.next()?;
            Some(match (from.port, end.port) {
                (Slot::Need(role), _) | (_, Slot::Need(role)) => Some(role),
                _ => None,
            })
        };
        let entries = self.card_entries(role);
        self.open_search("Connect to", at, entries, Some(&from));
    }

    /// The search box was closed, with a choice or without.
    pub fn picked(&self, pick: Option<Pick>) {
        if self.searching.with_untracked(Option::is_none) {
            return;
        }
        self.searching.set(None);
        let Some(surface) = self.surface.get_value() else {
            return;
        };
        surface.focus(None);
        let origin = self.origin.get_value();
        match (pick, origin) {
            (None | Some(Pick::Block(_) | Pick::Wire(_)), _) => {}
            (Some(Pick::Run(command)), _) => {
                (command.run)(&self.page);
            }
            (Some(Pick::New(kind, source, Some(name))), origin) => {
                self.add_named(kind, source, name, origin);
            }
            (Some(Pick::New(kind, source, None)), _) => self.add(kind, source),
            (Some(Pick::Card(record, _)), Some(end)) => {
                if let Some(link) = wire_to(&end, &record) {
                    self.connect(&link, None, vec![], &self.document());
                }
            }
            (Some(Pick::Card(record, _)), None) => {
                let node = Node::Card(record);
                surface.reveal(&node);
                self.select(&[node].into(), BTreeSet::new());
            }
        }
    }

    fn delete(&self, selected: &Selected) {
        if selected.nodes.is_empty() {
            self.disconnect(&selected.wires);
        } else {
            let frames = frames::removed(self.session, &frames_of(&selected.nodes));
            self.session.delete(cards(&selected.nodes), frames);
        }
        if let Some(surface) = self.surface() {
            surface.focus(None);
        }
    }

    /// Orders the cards in their columns, so that few wires cross.
    pub fn tidy(&self) -> bool {
        tidy::board(self.session, &self.scene.get_untracked())
    }
}

/// The need that a wire between this port and a record of that kind would meet.
fn role_at(end: &End, kind: Kind) -> Option<Role> {
    if let Slot::Need(role) = end.port {
        return role.takes(kind).then_some(role);
    }
    let offered = end.node.card()?.kind;
    let mut roles = Role::of(kind).iter();
    roles.find(|role| role.takes(offered)).copied()
}

/// The wire between a port and a record.
fn wire_to(end: &End, record: &RecordRef) -> Option<Link> {
    let role = role_at(end, record.kind)?;
    let (own, other) = (end.node.card()?.clone(), record.clone());
    let (from, to) = match end.port {
        Slot::Offer => (own, other),
        _ => (other, own),
    };
    Some(Link { from, to, role })
}
