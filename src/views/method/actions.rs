//! What the designer does on a method: gestures and keys as commits.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Block, BlockId, Document, Edit, Name, Wire};

use super::adding::{Origin, port_offset};
use super::bends;
use super::chart::{self, Look, face, wire_between};
use super::edits;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::{Command, SNAP};
use crate::canvas::scene::{self, Node, Scene, Selected, blocks, frames as frames_of};
use crate::canvas::search::Search;
use crate::canvas::surface::Surface;
use crate::commands::Page;
use crate::session::{Selection, Session};
use crate::views::frames;
use crate::views::pick::Pick;
use crate::views::tidy;

/// The commands of a method's canvas.
#[derive(Clone, Copy)]
pub struct Actions {
    pub(super) session: Session,
    pub(super) page: Page,
    task: StoredValue<Name>,
    pub(super) scene: Memo<Arc<Scene>>,
    surface: StoredValue<Option<Surface>, LocalStorage>,
    /// What the search box is open for: the origin, and the block's place in
    /// graph units.
    pub(super) origin: StoredValue<(Origin, Vec2)>,
    /// The search box.
    pub searching: RwSignal<Option<Search<Pick>>, LocalStorage>,
    /// The block whose text is edited in place.
    pub editing: RwSignal<Option<BlockId>>,
}

impl Actions {
    /// The commands for this task's method.
    pub fn new(session: Session, task: Name, scene: Memo<Arc<Scene>>) -> Self {
        Self {
            session,
            page: Page::expect(),
            task: StoredValue::new(task),
            scene,
            surface: StoredValue::new_local(None),
            origin: StoredValue::new((Origin::Nothing, Vec2::default())),
            searching: RwSignal::new_local(None),
            editing: RwSignal::new(None),
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

    /// The compound task.
    pub fn task(&self) -> Name {
        self.task.get_value()
    }

    pub(super) fn document(&self) -> Arc<Document> {
        self.session.document_untracked()
    }

    /// A block of the method.
    pub fn block(&self, id: &BlockId) -> Option<Arc<Block>> {
        let document = self.document();
        let task = document.compound_tasks.get(&self.task())?;
        task.method.blocks.get(id).cloned()
    }

    /// Where a block stands.
    pub fn rect(&self, id: &BlockId) -> Option<Rect> {
        let scene = self.scene.get();
        let shape = scene.nodes.get(&Node::Block(id.clone()));
        shape.map(|shape| shape.rect)
    }

    /// How much fields on the canvas grow so that they stay legible from afar.
    pub fn enlargement(&self) -> f64 {
        let surface = self.surface();
        let percent = surface.map_or(100, |surface| surface.percent.get());
        (100.0 / f64::from(percent.max(10))).max(1.0)
    }

    pub(super) fn commit(&self, label: &str, edit: Edit) -> bool {
        self.session.commit(label, edit)
    }

    fn select(&self, nodes: &BTreeSet<Node>, wires: &BTreeSet<scene::Wire>) {
        self.session.selection.set(Selection {
            wires: BTreeSet::from_iter(wires.iter().filter_map(chart::wire_of)),
            ..selection(nodes)
        });
    }

    /// What is selected, with what stands in the frames among it.
    pub fn whole(&self) -> Selection {
        let nodes = self.surface().map(|surface| surface.whole());
        selection(&nodes.unwrap_or_default())
    }

    /// Does what a gesture asks for.
    pub fn perform(&self, command: Command) {
        if frames::perform(self.session, &command) {
            return;
        }
        let (task, scene) = (self.task(), self.scene.get_untracked());
        match command {
            Command::Select(Selected { nodes, wires }) => self.select(&nodes, &wires),
            Command::Move { nodes, by, onto } => self.move_blocks(&nodes, by, onto),
            Command::Nudge(nodes, by) => {
                let names = nodes.iter().map(|node| node.name() + " ");
                let key = format!("nudge {task} {}", names.collect::<String>());
                let edits = self.moved(&nodes, by);
                self.session
                    .commit_typing("Move blocks", &key, Edit::Batch(edits));
            }
            Command::Connect {
                from,
                to,
                instead_of,
            } => {
                let Some(wire) = wire_between(&from, &to) else {
                    return;
                };
                let off = instead_of.as_ref().and_then(chart::wire_of);
                let off = off.map(|wire| Edit::Disconnect(task.clone(), wire));
                let on = Edit::Connect(task, wire);
                let label = if off.is_some() {
                    "Reconnect wire"
                } else {
                    "Connect blocks"
                };
                self.commit(label, Edit::Batch(off.into_iter().chain([on]).collect()));
            }
            Command::Disconnect(wire) => {
                if let Some(wire) = chart::wire_of(&wire) {
                    self.commit("Remove wire", Edit::Disconnect(task, wire));
                }
            }
            Command::Break(end) => {
                if let Some(edit) = edits::broken(&scene, &task, &end) {
                    self.commit("Break wires of port", edit);
                }
            }
            Command::Search { from, side, at } => {
                let place = self.graph_at(at) - port_offset(side);
                self.open_search(
                    "Add and connect a block",
                    at,
                    Origin::Port(from, side),
                    place,
                );
            }
            Command::Cut(wires) => {
                let label = match wires.len() {
                    1 => "Cut wire".to_owned(),
                    count => format!("Cut {count} wires"),
                };
                let wires = wires.iter().filter_map(chart::wire_of);
                let off = |wire| Edit::Disconnect(task.clone(), wire);
                self.commit(&label, Edit::Batch(wires.map(off).collect()));
            }
            Command::Commands(node, at) => {
                if !self.surface().is_some_and(|s| s.is_selected(&node)) {
                    self.select(&[node].into(), &BTreeSet::new());
                }
                self.searching.set(Some(Search {
                    title: "What to do".to_owned(),
                    at,
                    entries: Rc::new(self.page.menu()),
                    fresh: Rc::new(|_| vec![]),
                }));
            }
            Command::Menu(at) => {
                let place = self.graph_at(at) - Vec2::new(SNAP, 2.0 * SNAP);
                self.open_search("Add a block", at, Origin::Nothing, place);
            }
            Command::Insert(wire, at) => {
                if let Some(wire) = chart::wire_of(&wire) {
                    let place = self.graph_at(at) - Vec2::new(10.0 * SNAP, 2.0 * SNAP);
                    self.open_search("Insert a block", at, Origin::Wire(wire), place);
                }
            }
            Command::Bend(wire, at) => {
                if let (Some(curve), Some(wire)) = (scene.curve(&wire), chart::wire_of(&wire)) {
                    let (point, edit) = bends::bent(&self.document(), &task, wire, &curve, at);
                    if self.commit("Bend wire", edit) {
                        // The arrow keys move it.
                        self.select(&[point].into(), &BTreeSet::new());
                    }
                }
            }
            Command::Open(node @ Node::Bend(..)) => self.delete(&Selected {
                nodes: [node].into(),
                ..Selected::default()
            }),
            Command::Add => self.add_in_sight(),
            Command::Connections(node, end) => self.connect_by_key(&node, end),
            Command::Open(Node::Block(id)) => self.open(&id),
            Command::Rename(Node::Block(id)) => self.edit_text(&id),
            Command::Delete(selected) => self.delete(&selected),
            Command::Leave => self.session.leave(),
            Command::Pan(_)
            | Command::Open(_)
            | Command::Rename(_)
            | Command::Frame(_)
            | Command::Resize(..) => {}
        }
    }

    /// Goes back to where the method was entered.
    pub fn leave(&self) -> bool {
        self.session.leave();
        true
    }

    fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit> {
        let (task, scene) = (self.task(), self.scene.get_untracked());
        let mut all = frames::moved(self.session, nodes, by);
        all.push(edits::moved(&scene, &task, nodes, by));
        all.extend(bends::changed(&self.document(), &task, nodes, Some(by)));
        all
    }

    fn move_blocks(&self, nodes: &BTreeSet<Node>, by: Vec2, onto: Option<scene::Wire>) {
        let (task, scene) = (self.task(), self.scene.get_untracked());
        let mut all = self.moved(nodes, by);
        let dropped = onto.zip(nodes.first()).and_then(|(wire, node)| {
            let at = scene.nodes.get(node)?.rect.corner() + by;
            let (wire, id) = (chart::wire_of(&wire)?, node.block()?);
            let block = self.block(id)?;
            Some(edits::inserted(
                &self.document(),
                &task,
                id,
                &block,
                at,
                &wire,
            ))
        });
        let label = match (&dropped, nodes.len()) {
            (Some(_), _) => "Insert block on wire".to_owned(),
            _ if matches!(nodes.first(), Some(Node::Frame(_))) => "Move frame".to_owned(),
            _ if matches!(nodes.first(), Some(Node::Bend(..))) => "Move point of wire".to_owned(),
            (None, 1) => "Move block".to_owned(),
            (None, count) => format!("Move {count} blocks"),
        };
        all.extend(dropped.into_iter().flatten());
        self.commit(&label, Edit::Batch(all));
    }

    /// Lays out the selected blocks, or all, or those that were never placed.
    pub fn tidy(&self, scope: tidy::Scope) -> bool {
        tidy::method(self.session, &self.task(), scope)
    }

    fn graph_at(&self, at: Vec2) -> Vec2 {
        let surface = self.surface();
        surface.map_or(at, |surface| surface.camera().to_graph(at))
    }

    /// Opens the method of the compound task that a block calls, else its text.
    fn open(&self, id: &BlockId) {
        let Some(block) = self.block(id) else { return };
        let document = self.document();
        match &*block {
            Block::Begin {} | Block::End {} => {}
            Block::Task { call } if face(&document, &block).look == Look::Compound => {
                let name = call.split('(').next().unwrap_or_default();
                if let Ok(name) = Name::new(name.trim()) {
                    self.session.enter(name);
                }
            }
            _ => self.editing.set(Some(id.clone())),
        }
    }

    fn edit_text(&self, id: &BlockId) {
        let block = self.block(id);
        if block.is_some_and(|b| !matches!(*b, Block::Begin {} | Block::End {})) {
            self.editing.set(Some(id.clone()));
        }
    }

    fn delete(&self, selected: &Selected) {
        let task = self.task();
        let (blocks, wires) = (blocks(&selected.nodes), &selected.wires);
        let kept = |wire: &Wire| !blocks.contains(&wire.from) && !blocks.contains(&wire.to);
        let off = wires.iter().filter_map(chart::wire_of).filter(kept);
        let off = off.map(|wire| Edit::Disconnect(task.clone(), wire));
        let mut all = bends::changed(&self.document(), &task, &selected.nodes, None);
        let bent = !all.is_empty();
        all.extend(off);
        let frames = frames_of(&selected.nodes);
        all.extend(frames::removed(self.session, &frames));
        if !blocks.is_empty() {
            all.push(Edit::RemoveBlocks(task, blocks.iter().cloned().collect()));
        }
        let label = match (blocks.len(), wires.len()) {
            (0, _) if !frames.is_empty() => "Delete frame".to_owned(),
            (0, 0) if bent => "Straighten wire".to_owned(),
            (0, 0) => return,
            (0, _) => "Remove wire".to_owned(),
            (1, _) => "Delete block".to_owned(),
            (count, _) => format!("Delete {count} blocks"),
        };
        if self.commit(&label, Edit::Batch(all)) {
            self.session.selection.set(Selection::default());
            if let Some(surface) = self.surface() {
                surface.focus(None);
            }
        }
    }

    /// The text of a block is no longer edited in place.
    pub fn edited(&self, by_key: bool) {
        if self.editing.try_update(Option::take).flatten().is_some()
            && by_key
            && let Some(surface) = self.surface()
        {
            surface.focus(None);
        }
    }
}

/// These nodes as what is selected.
fn selection(nodes: &BTreeSet<Node>) -> Selection {
    Selection {
        blocks: blocks(nodes),
        frames: frames_of(nodes),
        bends: BTreeSet::from_iter(nodes.iter().filter_map(Node::bend)),
        ..Selection::default()
    }
}
