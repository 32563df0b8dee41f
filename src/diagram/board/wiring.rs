//! New cards and wires of the Board: the search box that offers them, and the resulting edits.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Document, Edit, Fact, Kind, Name, Point, Record, RecordRef};
use taskloom_domain::dependencies::{self, Link, Role, first_role};

use super::cards::face;
use super::content::Board;
use super::ports;
use crate::canvas::geometry::Vec2;
use crate::canvas::scene::{End, Node, Selected, Slot, Wire};
use crate::canvas::search::Entry;
use crate::canvas::surface::{Content, Surface};
use crate::diagram::face::{BLOCK, Look};
use crate::diagram::method::chart;
use crate::diagram::model::{Diagram, OpenDiagram, entry};
use crate::kinds;
use crate::session::{LinkTarget, LinkedText, addition};

impl Board {
    /// Searches for something to connect to a card, or to this port of it.
    pub(super) fn search_connections(&self, open: OpenDiagram, node: Node, end: Option<End>) {
        let scene = self.scene.get_untracked();
        let Some(shape) = scene.nodes.get(&node) else {
            return;
        };
        let rect = shape.rect;
        // If nothing needs the record, start with its needs.
        let mut ports = shape.sockets.iter().map(|socket| socket.port);
        let offer = ports.clone().find(|port| *port == Slot::Offer);
        let Some(port) = offer.or_else(|| ports.next()) else {
            return;
        };
        let end = end.unwrap_or(End { node, port });
        if let (Slot::Changes, Some(task)) = (end.port, end.node.card()) {
            let message = LinkedText::from("Write the effects of ")
                .link(&task.name, LinkTarget::Record(task.clone()))
                .text(" in the inspector.");
            return self.session.complain(message);
        }
        let at = Vec2::new(rect.right() + 10.0, rect.y);
        self.search_for(open, end, open.surface.on_screen(at));
    }

    /// Draws a wire, in one step with the new record that it needs, if any, and with detaching the
    /// end of another wire.
    pub(super) fn connect(
        &self,
        link: &Link,
        instead_of: Option<&Link>,
        new: Option<(Edit, &Document)>,
    ) -> bool {
        let open = self.session.document_untracked();
        let (before, document) = match new {
            Some((edit, document)) => (Some(edit), document),
            None => (None, &*open),
        };
        let off = instead_of.and_then(|old| dependencies::disconnected(document, old));
        let rest = off.as_ref().and_then(|off| document.apply(off).ok());
        let document = rest.as_ref().unwrap_or(document);
        let block = (self.session.fresh_block_id(), last_place(document, link));
        let Some(on) = dependencies::connected(document, link, block) else {
            return false;
        };
        let label = format!("Connect {} and {}", link.from.name, link.to.name);
        let all = before.into_iter().chain(off).chain([on]);
        self.session.commit(&label, Edit::Batch(all.collect()))
    }

    /// Removes wires.
    pub(super) fn disconnect<'a>(&self, wires: impl IntoIterator<Item = &'a Wire>) {
        let document = self.session.document_untracked();
        let mut rest = Document::clone(&document);
        let mut all = vec![];
        for link in wires.into_iter().filter_map(ports::link) {
            let Some(edit) = dependencies::disconnected(&rest, &link) else {
                let word = &link.to.name;
                let message = LinkedText::from("The formula of ")
                    .link(word, LinkTarget::Record(link.to.clone()))
                    .text(format!(" combines {} with other names.", link.from.name));
                self.session
                    .complain(message.text(" Edit it in the inspector."));
                continue;
            };
            if let Ok(after) = rest.apply(&edit) {
                rest = after;
                all.push(edit);
            }
        }
        if !all.is_empty() && self.session.commit("Remove wire", Edit::Batch(all)) {
            self.wires.set(BTreeSet::new());
        }
    }

    /// Adds a record with this look under an unused name, which the user can edit at once.
    pub(super) fn add(&self, surface: Surface, look: Look) {
        let Some(kind) = look.kind() else { return };
        let document = self.session.document_untracked();
        let name = document.fresh_name(kind, kinds::of(kind).base);
        if self.add_named(surface, look, name.clone(), None) {
            let record = RecordRef::new(kind, name);
            self.session.desk.begin_renaming(record);
        }
    }

    /// Adds a record, wired to the port that the search box was opened for.
    fn add_named(&self, surface: Surface, look: Look, name: Name, origin: Option<&End>) -> bool {
        let Some(kind) = look.kind() else {
            return false;
        };
        let new = match look {
            Look::Fact(source) => Record::Fact(Arc::new(Fact {
                source,
                ..Fact::default()
            })),
            _ => kinds::fresh(kind),
        };
        let edit = addition(name.clone(), new, self.session.fresh_block_id());
        let record = RecordRef::new(kind, name);
        let label = format!("Add {} {}", kind.label(), record.name);
        let link = origin.and_then(|end| wire_to(end, &record));
        let done = match (link, self.session.document_untracked().apply(&edit)) {
            (Some(link), Ok(after)) => self.connect(&link, None, Some((edit, &after))),
            _ => self.session.commit(&label, edit),
        };
        if done {
            self.show(surface, record);
        }
        done
    }

    /// Selects a card and brings it into view.
    fn show(&self, surface: Surface, record: RecordRef) {
        let node = Node::Card(record);
        // A folded card has its place once it is selected.
        self.select(&Selected::node(node.clone()));
        surface.reveal(&node);
    }

    /// Searches all records, and what can be added.
    pub(super) fn search_all(&self, open: OpenDiagram, at: Vec2) {
        let (board, surface) = (*self, open.surface);
        let added = Look::of_cards().into_iter().map(|(look, _)| {
            let label = format!("New {}", look.words());
            entry(label, "", look, move || board.add(surface, look))
        });
        let entries = added.chain(self.card_entries(surface, None)).collect();
        self.open_search(open, ("Add or find a record", at), entries, None);
    }

    /// Searches the possible targets of a wire that was released in an empty place.
    pub(super) fn search_for(&self, open: OpenDiagram, from: End, at: Vec2) {
        let entries = self.card_entries(open.surface, Some(&from));
        self.open_search(open, ("Connect to", at), entries, Some(from));
    }

    fn open_search(
        &self,
        open: OpenDiagram,
        (title, at): (&str, Vec2),
        entries: Vec<Entry>,
        origin: Option<End>,
    ) {
        let (board, surface) = (*self, open.surface);
        open.search(title, at, entries, move |typed| {
            let Ok(name) = Name::new(typed) else {
                return vec![];
            };
            let takes = |look: Look, end: &End| {
                look.kind().is_some_and(|kind| role_at(end, kind).is_some())
            };
            let looks = Look::of_cards().into_iter().map(|(look, _)| look);
            let looks = looks.filter(|look| origin.iter().all(|end| takes(*look, end)));
            let new = looks.map(|look| {
                let label = format!("New {} ‘{name}’", look.words());
                let (name, origin) = (name.clone(), origin.clone());
                entry(label, "", look, move || {
                    board.add_named(surface, look, name.clone(), origin.as_ref());
                })
            });
            new.collect()
        });
    }

    /// Returns entries for the existing cards; given a port, for those that a wire from it can lead
    /// to.
    fn card_entries(&self, surface: Surface, from: Option<&End>) -> Vec<Entry> {
        let document = self.session.document_untracked();
        let scene = self.scene.get_untracked();
        let targets = from.map(|from| self.targets(from, None));
        let entry = |record: &RecordRef| {
            let kind = record.kind.label();
            let link = match (&targets, from) {
                (Some(targets), Some(from)) => {
                    let mut ends = targets.iter();
                    let end = ends.find(|end| end.node.card() == Some(record))?;
                    Some(link_between(from, end)?)
                }
                _ => None,
            };
            let detail = match &link {
                Some(link) => format!("{kind}, as {}", link.role.label()),
                None => kind.to_owned(),
            };
            let look = face(&document, record)?.look;
            let (board, chosen) = (*self, record.clone());
            let choose = move || match &link {
                Some(link) => drop(board.connect(link, None, None)),
                None => board.show(surface, chosen.clone()),
            };
            let mut entry = entry(record.name.to_string(), &detail, look, choose);
            entry.preferred = true;
            Some(entry)
        };
        let nodes = scene.nodes.keys().chain(scene.folded.keys());
        let records = nodes.filter_map(Node::card);
        records.filter_map(entry).collect()
    }
}

/// Returns the position of a new block that calls a record in the method that needs it: to the
/// right of all others.
fn last_place(document: &Document, link: &Link) -> Point {
    let scene = chart::scene(document, &link.to.name);
    let right = scene
        .bounds(&BTreeSet::new())
        .map_or(Vec2::default(), |all| Vec2::new(all.right() + 60.0, all.y));
    scene.free_place(right, BLOCK.width, 80.0, 20.0).to_point()
}

/// Returns the need that a wire between this port and a record of that kind would satisfy.
fn role_at(end: &End, kind: Kind) -> Option<Role> {
    match end.port {
        Slot::Changes | Slot::Need(Role::Claim) => None,
        Slot::Need(role) => role.takes(kind).then_some(role),
        _ => first_role(kind, end.node.card()?.kind),
    }
}

/// Returns the link between two ports, one of which is a need.
fn link_between(a: &End, b: &End) -> Option<Link> {
    let (from, to) = match a.port {
        Slot::Offer => (a.clone(), b.clone()),
        _ => (b.clone(), a.clone()),
    };
    ports::link(&Wire { from, to })
}

/// Returns the wire between a port and a record.
fn wire_to(end: &End, record: &RecordRef) -> Option<Link> {
    let role = role_at(end, record.kind)?;
    let (own, other) = (end.node.card()?.clone(), record.clone());
    let (from, to) = match end.port {
        Slot::Offer => (own, other),
        _ => (other, own),
    };
    Some(Link { from, to, role })
}
