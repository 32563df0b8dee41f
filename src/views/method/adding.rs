//! New blocks: the search box that offers them, and what they are connected to.

use std::rc::Rc;

use leptos::prelude::*;
use taskloom::document::{Block, Edit, Wire};

use super::actions::Actions;
use super::chart::{Look, face, input, output, wire_between};
use super::edits;
use super::offers;
use crate::canvas::geometry::Vec2;
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{End, Node, Side, Slot};
use crate::canvas::search::Search;
use crate::session::{Selection, addition, fresh};
use crate::views::pick::Pick;

/// What a block that is picked in the search box is connected to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Origin {
    Nothing,
    Port(End, Side),
    Wire(Wire),
}

impl Actions {
    pub(super) fn open_search(&self, title: &str, at: Vec2, origin: Origin, place: Vec2) {
        let document = self.document();
        let task = self.task();
        let side = match &origin {
            Origin::Nothing => None,
            Origin::Port(_, side) => Some(*side),
            // A block on a wire has both.
            Origin::Wire(_) => Some(Side::Input),
        };
        let mut entries = offers::blocks(&document, &task, side);
        if matches!(origin, Origin::Wire(_)) {
            entries.retain(|e| !matches!(e.value, Pick::Block(Block::Begin {})));
        }
        self.origin.set_value((origin, place));
        self.searching.set(Some(Search {
            title: title.to_owned(),
            at,
            entries: Rc::new(entries),
            fresh: Rc::new(move |typed| offers::fresh(&document, typed)),
        }));
    }

    /// The search box was closed, with a choice or without.
    pub fn picked(&self, pick: Option<Pick>) {
        if self.searching.with_untracked(Option::is_none) {
            return;
        }
        self.searching.set(None);
        if let Some(surface) = self.surface() {
            surface.focus(None);
        }
        let begin = || self.session.fresh_block_id();
        match pick {
            None | Some(Pick::Card(..) | Pick::New(_, _, None)) => {}
            Some(Pick::Run(command)) => {
                (command.run)(&self.page);
            }
            Some(Pick::Wire(wire)) => {
                self.commit("Connect blocks", Edit::Connect(self.task(), wire));
            }
            Some(Pick::Block(block)) => self.add(block, vec![]),
            Some(Pick::New(kind, _, Some(name))) => {
                let call = name.to_string();
                let before = addition(name, fresh(kind).1, begin());
                self.add(Block::Task { call }, vec![before]);
            }
        }
    }

    /// Adds a block at the place and origin that the search box was opened for.
    fn add(&self, block: Block, before: Vec<Edit>) {
        let (origin, place) = self.origin.get_value();
        let (task, id) = (self.task(), self.session.fresh_block_id());
        let document = self.document();
        let mut at = place.snapped(SNAP);
        let size = face(&document, &block).size();
        if let Origin::Port(_, Side::Input) = origin {
            at = (place - Vec2::new(size.x, 0.0)).snapped(SNAP);
        }
        let mut all = before;
        let new_task = !all.is_empty();
        all.push(Edit::AddBlock {
            task: task.clone(),
            id: id.clone(),
            block: block.clone(),
            at: at.to_point(),
        });
        match &origin {
            Origin::Nothing => {}
            Origin::Port(end, side) => {
                let wire = match side {
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
        let shown = face(&document, &block);
        let label = match shown.look {
            Look::Primitive | Look::Compound | Look::Unknown => format!("Add {}", shown.title),
            look => format!("Add {}", look.words()),
        };
        if !self.commit(&label, Edit::Batch(all)) {
            return;
        }
        self.session.selection.set(Selection::block(id.clone()));
        let unfinished = match &block {
            Block::Task { call } => !new_task && call.contains('?'),
            Block::Branch { .. } | Block::Bind { .. } => true,
            Block::Begin {} | Block::Choice { .. } | Block::End {} => false,
        };
        if unfinished {
            self.editing.set(Some(id));
        }
    }

    /// Adds the Begin block of an empty method.
    pub fn add_begin(&self) {
        let place = Vec2::default();
        self.origin.set_value((Origin::Nothing, place));
        self.add(Block::Begin {}, vec![]);
        if let Some(surface) = self.surface() {
            surface.focus(None);
        }
    }

    /// The search box in the middle of what is seen, for a block in a free place.
    pub(super) fn add_in_sight(&self) {
        let Some(surface) = self.surface() else {
            return;
        };
        let wanted = surface.middle() - Vec2::new(100.0, 40.0);
        let place = self
            .scene
            .get_untracked()
            .free_place(wanted, 200.0, 100.0, SNAP);
        let at = surface.pointer_or_middle();
        self.open_search("Add a block", at, Origin::Nothing, place);
    }

    /// The search box with the wires that a block, or this port of it, can get, and
    /// with blocks to add behind them.
    pub(super) fn connect_by_key(&self, node: &Node, end: Option<End>) {
        let (document, task) = (self.document(), self.task());
        let scene = self.scene.get_untracked();
        let (Some(surface), Some(shape), Some(id)) =
            (self.surface(), scene.nodes.get(node), node.block())
        else {
            return;
        };
        let own = |port| End {
            node: node.clone(),
            port,
        };
        let ends = match &end {
            Some(end) => vec![end.clone()],
            None => shape
                .sockets
                .iter()
                .map(|s| own(s.port))
                .filter(|e| e.port != Slot::In)
                .collect(),
        };
        let open = offers::open_output(&document, &task, id).map(Slot::Out);
        let first = end.unwrap_or_else(|| own(open.unwrap_or(Slot::In)));
        let rect = shape.rect;
        let (side, corner, beside) = match first.port {
            Slot::In | Slot::Need(_) => (
                Side::Input,
                Vec2::new(rect.x, rect.bottom()),
                rect.x - edits::GAP,
            ),
            Slot::Out(_) | Slot::Offer => (
                Side::Output,
                Vec2::new(rect.right() + SNAP, rect.y),
                rect.right() + edits::GAP,
            ),
        };
        let mut place = scene.free_place(Vec2::new(beside, rect.y), 200.0, 100.0, SNAP);
        if side == Side::Input {
            let left = Vec2::new(beside - 200.0, rect.y);
            place = scene.free_place(left, 200.0, 100.0, SNAP) + Vec2::new(200.0, 0.0);
        }
        let wires = offers::wires(&document, &task, &ends);
        self.open_search(
            "Connect to",
            surface.on_screen(corner),
            Origin::Port(first, side),
            place,
        );
        self.searching.update(|search| {
            if let Some(search) = search {
                let all = wires.into_iter().chain(search.entries.iter().cloned());
                search.entries = Rc::new(all.collect());
            }
        });
    }
}

/// From a new block's corner to its port: the wire ends where it was let go. An
/// input's distance is added when the block's width is known.
pub(super) fn port_offset(_: Side) -> Vec2 {
    Vec2::new(0.0, 18.0)
}
