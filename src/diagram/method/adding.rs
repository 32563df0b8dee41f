//! New blocks: the search box that offers them, and their connections.

use std::rc::Rc;

use leptos::prelude::*;
use taskloom_document::{
    Block, BlockId, BlockKind, BlockText, Document, Edit, Flowchart, Kind, Name, Port, Wire,
};
use taskloom_domain::candidates::{self, TypedBlock};

use super::chart::{self, face, input, output, wire_between};
use super::dropping::is_bound;
use super::edits;
use super::flow::Method;
use crate::canvas::geometry::Vec2;
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{End, Node, Shape, Side, Slot};
use crate::canvas::search::Entry;
use crate::diagram::face::{Face, Look};
use crate::diagram::model::{OpenDiagram, entry};
use crate::kinds;
use crate::session::{Selection, addition};

/// The offset from a new block's corner to its port: the wire ends where it was released. An
/// input's distance is added when the block's width is known.
pub const PORT_OFFSET: Vec2 = Vec2::new(0.0, 18.0);
/// The approximate size of a new block, in graph units.
const ROOM: Vec2 = Vec2::new(160.0, 100.0);

/// The connection of a block that is picked in the search box.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Nothing.
    Nothing,
    /// A port.
    Port(End),
    /// Both ends of a wire.
    Wire(Wire),
}

impl Origin {
    /// Returns `true` if a block can be connected to it.
    fn takes(&self, block: &Block) -> bool {
        match self {
            Self::Nothing => true,
            Self::Port(end) if end.port.side() == Side::Output => block.has_input(),
            Self::Port(_) => !block.ports().is_empty(),
            Self::Wire(_) => block.has_input() && !block.ports().is_empty(),
        }
    }
}

impl Method {
    /// Opens the search box for blocks that can be connected to this, at a position in graph units.
    pub(super) fn search(
        &self,
        open: OpenDiagram,
        title: &str,
        at: Vec2,
        origin: Origin,
        place: Vec2,
    ) {
        self.search_with(open, (title, at), (origin, place), |_| true, vec![]);
    }

    /// Opens the search box for those blocks that are accepted by `accepts`, too, after `entries`.
    fn search_with(
        &self,
        open: OpenDiagram,
        (title, at): (&str, Vec2),
        (origin, place): (Origin, Vec2),
        accepts: fn(&Block) -> bool,
        mut entries: Vec<Entry>,
    ) {
        let (method, document) = (*self, self.document());
        let origin = Rc::new(origin);
        let add = {
            let origin = origin.clone();
            move |new_task: Option<(Kind, Name)>, block: Block| {
                let origin = origin.clone();
                move || {
                    let added = method.add((&origin, place), new_task.clone(), block.clone());
                    reveal(open, added);
                }
            }
        };
        let candidates = candidates::blocks(&document, &self.task()).into_iter();
        let candidates = candidates
            .filter(|candidate| origin.takes(&candidate.block) && accepts(&candidate.block));
        entries.extend(candidates.map(|candidate| {
            let look = face(&document, &candidate.block).look;
            entry(
                candidate.label,
                candidate.detail,
                look,
                add(None, candidate.block),
            )
        }));
        let fresh = move |typed: &str| match candidates::typed(&document, typed) {
            None => vec![],
            Some(TypedBlock::Call(block)) => {
                let look = face(&document, &block).look;
                let call = add(None, block);
                vec![entry(typed.to_owned(), "as typed", look, call)]
            }
            Some(TypedBlock::New(name)) => {
                let new = [Kind::PrimitiveTask, Kind::CompoundTask].map(|kind| {
                    let look = Look::Record(kind);
                    let label = format!("New {} ‘{name}’", look.words());
                    let call = Block::task(name.to_string());
                    entry(label, "", look, add(Some((kind, name.clone())), call))
                });
                new.into()
            }
        };
        open.search(title, at, entries, fresh);
    }

    /// Adds a block at a position and connects it to its origin, after adding the task that it
    /// calls, if that is new.
    pub(super) fn add(
        &self,
        (origin, place): (&Origin, Vec2),
        new_task: Option<(Kind, Name)>,
        block: Block,
    ) -> Option<BlockId> {
        let (task, id) = (self.task(), self.session.fresh_block_id());
        let document = self.document();
        let shown = face(&document, &block);
        let mut at = place;
        if matches!(origin, Origin::Port(end) if end.port.side() == Side::Input) {
            at.x -= shown.size().x;
        }
        let at = at.snapped(SNAP);
        let is_new = new_task.is_some();
        let begin = self.session.fresh_block_id();
        let before = new_task.map(|(kind, name)| addition(name, kinds::fresh(kind), begin));
        let mut all = Vec::from_iter(before);
        all.push(Edit::AddBlock {
            task: task.clone(),
            id: id.clone(),
            block: block.clone(),
            at: at.to_point(),
        });
        match origin {
            Origin::Nothing => {}
            Origin::Port(end) => {
                let wire = match end.port.side() {
                    Side::Output => wire_between(end, &input(&id)),
                    Side::Input => {
                        let port = edits::first_output(&block);
                        port.and_then(|port| wire_between(&output(&id, port), end))
                    }
                };
                all.extend(wire.map(|wire| Edit::Connect(task.clone(), wire)));
            }
            Origin::Wire(wire) => {
                all.extend(edits::inserted(&document, &task, &id, &block, at, wire));
            }
        }
        let label = match shown.look {
            Look::Record(_) | Look::Unknown => format!("Add {}", shown.title),
            look => format!("Add {}", look.words()),
        };
        if !self.commit(&label, Edit::Batch(all)) {
            return None;
        }
        self.session.open.select(Selection::block(id.clone()));
        let owner = self.owner();
        let is_finished = |call| owner.is_some_and(|owner| is_bound(&owner, call));
        let unfinished = match block.call() {
            Some(call) => !is_new && (lacks_argument(call) || !is_finished(call)),
            None => block.text(BlockText::Main).is_some(),
        };
        if unfinished {
            self.editing.set(Some(id.clone()));
        }
        Some(id)
    }

    /// Adds the Begin block of an empty method.
    pub(super) fn add_begin(&self, open: OpenDiagram) {
        let origin = (&Origin::Nothing, Vec2::default());
        self.add(origin, None, Block::Begin {});
        open.surface.focus(None);
    }

    /// Returns the place of a block at the end of a wire that was dropped: so far to the right of the
    /// block that the wire leaves that the wire can be seen.
    pub(super) fn clear_of(&self, from: &End, place: Vec2) -> Vec2 {
        let scene = self.scene.get_untracked();
        let Some(Shape { rect, .. }) = scene.nodes.get(&from.node) else {
            return place;
        };
        let is_level = place.y < rect.bottom() && place.y + ROOM.y > rect.y;
        if from.port.side() == Side::Input || !is_level || place.x < rect.x {
            return place;
        }
        Vec2::new(place.x.max(rect.right() + edits::GAP), place.y)
    }

    /// Returns a free place near the center of the view.
    fn free_in_sight(&self, open: OpenDiagram) -> Vec2 {
        let wanted = open.surface.middle() - Vec2::new(100.0, 40.0);
        let scene = self.scene.get_untracked();
        scene.free_place(wanted, ROOM.x, ROOM.y, SNAP)
    }

    /// Adds a block of a kind in a free place.
    pub(super) fn add_kind_in_sight(&self, open: OpenDiagram, kind: BlockKind) {
        let place = self.free_in_sight(open);
        self.add_kind(open, kind, (Origin::Nothing, place));
    }

    /// Adds a block of a kind at a position in graph units. For a Task, the search box opens there,
    /// with the tasks that can be called.
    pub(super) fn add_kind(
        &self,
        open: OpenDiagram,
        kind: BlockKind,
        (origin, place): (Origin, Vec2),
    ) {
        let method = *self;
        if kind == BlockKind::Task {
            let title = match origin {
                Origin::Wire(_) => "Insert a task",
                Origin::Nothing | Origin::Port(_) => "Add a task",
            };
            let at = open.surface.on_screen(place + PORT_OFFSET);
            let calls = |block: &Block| block.call().is_some();
            // The pressed button first gives the focus back to the canvas.
            request_animation_frame(move || {
                method.search_with(open, (title, at), (origin, place), calls, vec![]);
            });
            return;
        }
        let candidates = candidates::blocks(&self.document(), &self.task());
        let mut blocks = candidates.into_iter().map(|candidate| candidate.block);
        if let Some(block) = blocks.find(|block| block.kind() == kind) {
            let added = self.add((&origin, place), None, block);
            open.surface.focus(None);
            reveal(open, added);
        }
    }

    /// Opens the search box in the center of the view, for a block in a free place.
    pub(super) fn add_in_sight(&self, open: OpenDiagram) {
        let place = self.free_in_sight(open);
        let at = open.surface.pointer_or_middle();
        self.search(open, "Add a block", at, Origin::Nothing, place);
    }

    /// Opens the search box with the possible wires of a block, or of this port of it, followed by
    /// blocks to add.
    pub(super) fn connect_by_key(&self, open: OpenDiagram, node: &Node, end: Option<End>) {
        let scene = self.scene.get_untracked();
        let (Some(shape), Some(id), Some(owner)) =
            (scene.nodes.get(node), node.block(), self.owner())
        else {
            return;
        };
        let own = |port| End {
            node: node.clone(),
            port,
        };
        let ends = match &end {
            Some(end) => vec![end.clone()],
            None => {
                let ports = shape.sockets.iter().map(|socket| own(socket.port));
                ports.filter(|end| end.port != Slot::In).collect()
            }
        };
        let open_output = candidates::open_output(&owner.method, id).map(Slot::Out);
        let first = end.unwrap_or_else(|| own(open_output.unwrap_or(Slot::In)));
        let rect = shape.rect;
        let free = |x: f64| scene.free_place(Vec2::new(x, rect.y), ROOM.x, ROOM.y, SNAP);
        let (corner, place) = match first.port.side() {
            Side::Input => {
                let right = Vec2::new(ROOM.x, 0.0);
                let place = free(rect.x - edits::GAP - ROOM.x) + right;
                (Vec2::new(rect.x, rect.bottom()), place)
            }
            Side::Output => {
                let corner = Vec2::new(rect.right() + SNAP, rect.y);
                (corner, free(rect.right() + edits::GAP))
            }
        };
        let wires = self.wire_entries(&ends);
        let at = open.surface.on_screen(corner);
        let origin = (Origin::Port(first), place);
        self.search_with(open, ("Connect to", at), origin, |_| true, wires);
    }

    /// Returns the possible wires of these ports, for drawing them by keyboard.
    fn wire_entries(&self, ends: &[End]) -> Vec<Entry> {
        let (document, Some(owner)) = (self.document(), self.owner()) else {
            return vec![];
        };
        let method = *self;
        let mut entries = vec![];
        for end in ends {
            for target in chart::targets(&owner.method, end, None) {
                let (from, to) = match end.port.side() {
                    Side::Output => (end, &target),
                    Side::Input => (&target, end),
                };
                let face = |end: &End| block_face(&document, &owner.method, end);
                let (Some(wire), Some(other)) = (wire_between(from, to), face(&target)) else {
                    continue;
                };
                let label = wire_label(end, &other, face(from).as_ref(), wire.port);
                let connect = move || {
                    let edit = Edit::Connect(method.task(), wire.clone());
                    method.commit("Connect blocks", edit);
                };
                let mut entry = entry(label, &other.full, other.look, connect);
                entry.preferred = true;
                entries.push(entry);
            }
        }
        entries
    }
}

/// Shows a new block once it is in the scene.
fn reveal(open: OpenDiagram, added: Option<BlockId>) {
    request_animation_frame(move || {
        if let Some(id) = added {
            open.surface.reveal(&Node::Block(id));
        }
    });
}

/// Returns `true` if an argument of a call is empty: `near(?a, )`.
fn lacks_argument(call: &str) -> bool {
    let mut before = ' ';
    call.chars().filter(|c| !c.is_whitespace()).any(|sign| {
        let is_empty = "(,".contains(before) && ",)".contains(sign);
        before = sign;
        is_empty
    })
}

fn block_face(document: &Document, flow: &Flowchart, end: &End) -> Option<Face> {
    Some(face(document, flow.blocks.get(end.node.block()?)?))
}

/// Returns the name of a possible wire of this port: the other block, and the output that it leaves
/// if that has its own name.
fn wire_label(end: &End, other: &Face, from: Option<&Face>, port: Port) -> String {
    let mut rows = from.into_iter().flat_map(|face| &face.rows);
    let row = rows.find(|row| row.port == Slot::Out(port));
    let row = row.map_or("", |row| &row.text);
    let (title, space) = (&other.title, if row.is_empty() { "" } else { " " });
    match end.port.side() {
        Side::Output => format!("{row}{space}→ {title}"),
        Side::Input => format!("{title}{space}{row} →"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_arguments_are_found() {
        assert!(lacks_argument("walk-to()"));
        assert!(lacks_argument("near(?a, )"));
        assert!(!lacks_argument("near(?a, box)"));
        assert!(!lacks_argument("rest"));
    }
}
