//! The method: one compound task's flowchart.

mod adding;
mod arrange;
mod bends;
pub mod chart;
mod dropping;
mod edits;
mod flow;
mod in_place;
mod looks;
mod menu;
mod palette;
mod route;
mod why;

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{BlockId, CompoundTask, Document, Edit, Name, Wire};

use super::frames;
use super::menu::Section;
use super::model::{Diagram, Dragged, DropOffer, OpenDiagram, counted};
use super::node::NodeModel;
use super::tidy::{self, Scope};
use crate::canvas::WireLook;
use crate::canvas::camera::{Camera, LEGIBLE};
use crate::canvas::far::Tints;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::intent::Intent;
use crate::canvas::scene::{self, End, Node, Scene, Selected, blocks, frames as frames_of};
use crate::canvas::surface::{Content, Surface};
use crate::session::Selection;
use adding::Origin;
use bends::Bends;
pub use flow::Method;
use in_place::InPlace;
use palette::Palette;

impl Content for Method {
    fn scene(&self) -> Memo<Arc<Scene>> {
        self.scene
    }

    fn selected(&self) -> Memo<Selected> {
        self.selected
    }

    fn targets(&self, from: &End, without: Option<&scene::Wire>) -> BTreeSet<End> {
        let without = without.and_then(chart::wire_of);
        let targets = |r: Arc<CompoundTask>| chart::targets(&r.method, from, without.as_ref());
        self.owner().map(targets).unwrap_or_default()
    }

    fn inserts(&self, node: &Node) -> bool {
        let block = node.block().and_then(|id| self.block(id));
        block.is_some_and(|b| b.has_input() && !b.ports().is_empty())
    }

    fn fades(&self) -> bool {
        false
    }

    fn tints(&self) -> Tints {
        let highlight = self.highlight.get();
        highlight.map_or_else(Tints::default, |highlight| {
            self.states.with(|states| looks::tints(&highlight, states))
        })
    }

    fn order(&self) -> Vec<Node> {
        let scene = self.scene.get_untracked();
        let order = self.owner();
        let order = order.map_or(vec![], |r| chart::reading_order(&r.method, &scene));
        let others = scene.nodes.keys().filter(|node| !node.is_solid());
        let blocks = order.into_iter().map(Node::Block);
        blocks.chain(others.cloned()).collect()
    }

    fn opening(&self, size: Vec2) -> Option<Camera> {
        let content = self.scene.get_untracked().bounds(&BTreeSet::new())?;
        Some(Camera::opening(content, size, LEGIBLE))
    }

    /// The user who opens a method wants to continue working there.
    fn takes_focus(&self) -> bool {
        true
    }
}

impl Diagram for Method {
    fn label(&self) -> String {
        format!("Method of {}", self.task())
    }

    fn sheet(&self) -> Option<Name> {
        Some(self.task())
    }

    fn noun(&self) -> &'static str {
        "block"
    }

    fn whole(&self, surface: Surface) -> Selection {
        // Records are selected in the outline.
        let records = self
            .session
            .open
            .selection
            .with_untracked(|s| s.records.clone());
        Selection {
            records,
            ..selection(&surface.whole())
        }
    }

    fn select(&self, selected: &Selected) {
        self.session.open.select(Selection {
            wires: set_of(selected.wires.iter().filter_map(chart::wire_of)),
            ..selection(&selected.nodes)
        });
    }

    fn nodes(&self, surface: Surface) -> Vec<(Node, NodeModel)> {
        looks::nodes(self, surface)
    }

    fn wires(&self, surface: Surface) -> Vec<(scene::Wire, WireLook)> {
        looks::wires(self, surface)
    }

    fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit> {
        let (task, scene) = (self.task(), self.scene.get_untracked());
        let mut edits = vec![edits::moved(&scene, &task, nodes, by)];
        edits.extend(bends::changed(&self.document(), &task, nodes, Some(by)));
        edits
    }

    fn dropped(&self, node: &Node, at: Vec2, wire: &scene::Wire) -> Vec<Edit> {
        let inserted = chart::wire_of(wire)
            .zip(node.block())
            .and_then(|(wire, id)| {
                let block = self.block(id)?;
                let document = self.document();
                Some(edits::inserted(
                    &document,
                    &self.task(),
                    id,
                    &block,
                    at,
                    &wire,
                ))
            });
        inserted.unwrap_or_default()
    }

    fn make_room(&self, _: &Rect) -> (Vec<Edit>, f64) {
        (vec![], 0.0)
    }

    fn delete(&self, selected: &Selected) -> bool {
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
            (0, _) if !frames.is_empty() => counted("Delete", frames.len(), "frame"),
            (0, 0) if bent => "Straighten wire".to_owned(),
            (0, 0) => return false,
            (0, _) => "Remove wire".to_owned(),
            (count, _) => counted("Delete", count, "block"),
        };
        let done = self.commit(&label, Edit::Batch(all));
        if done {
            self.session.open.select(Selection::default());
        }
        done
    }

    fn collapsed(&self) -> (usize, bool, Edit) {
        let (document, task) = (self.document(), self.task());
        let collapsed = &document.layout.drawing(&task).collapsed;
        let ids = self.chosen();
        let on = !ids.iter().all(|id| collapsed.contains(id));
        (ids.len(), on, Edit::Collapse(task, ids, on))
    }

    fn menu(&self, selected: &Selected, at: (Vec2, Vec2)) -> Vec<Section> {
        let is_planned = self.planned(&selected.nodes).is_some();
        menu::sections(&self.document(), &self.task(), selected, at, is_planned)
    }

    fn offer(&self, dragged: &Dragged, at: Vec2) -> Result<DropOffer, String> {
        self.offer_of(dragged, at)
    }

    fn take(&self, open: OpenDiagram, dragged: &Dragged, at: Vec2) {
        self.take_dropped(open, dragged, at);
    }

    fn perform(&self, open: OpenDiagram, intent: Intent) -> bool {
        let graph = |at: Vec2| open.surface.camera().to_graph(at);
        match intent {
            Intent::Connect {
                from,
                to,
                instead_of,
            } => self.connect(&from, &to, instead_of.as_ref()),
            Intent::Disconnect(wire) => self.disconnect("Remove wire", &[wire]),
            Intent::Break(end) => {
                let scene = self.scene.get_untracked();
                let wires: Vec<_> = scene.wires_at(&end).cloned().collect();
                self.disconnect("Break wires of port", &wires);
            }
            Intent::Cut(wires) => {
                self.disconnect(&counted("Cut", wires.len(), "wire"), &wires);
            }
            Intent::Search { from, at } => {
                let place = self.clear_of(&from, graph(at) - adding::PORT_OFFSET);
                self.search(
                    open,
                    "Add and connect a block",
                    at,
                    Origin::Port(from),
                    place,
                );
            }
            Intent::Menu(at) => {
                let place = graph(at) - Vec2::new(SNAP, 2.0 * SNAP);
                self.search(open, "Add a block", at, Origin::Nothing, place);
            }
            Intent::Insert(wire, at) => {
                if let Some(wire) = chart::wire_of(&wire) {
                    let place = graph(at) - adding::PORT_OFFSET;
                    self.search(open, "Insert a block", at, Origin::Wire(wire), place);
                }
            }
            Intent::Bend(Some((wire, at))) => self.bend(&wire, at),
            Intent::Open(Some(node @ Node::Bend(..))) => {
                if self.delete(&Selected::node(node)) {
                    open.surface.focus(None);
                }
            }
            Intent::Add => self.add_in_sight(open),
            Intent::Connections(Some((node, end))) => self.connect_by_key(open, &node, end),
            Intent::Open(Some(Node::Block(id))) => self.open_block(&id),
            Intent::Rename(Some(Node::Block(id))) => self.edit_text(&id),
            // Bend points have no name.
            Intent::Rename(_) => {}
            Intent::Why => return self.explain(open.surface),
            Intent::Mute => return self.mute(),
            Intent::Extract => return self.extract(open.surface),
            Intent::Inline => return self.inline(),
            Intent::Tidy => return tidy::method(self.session, &self.task(), Scope::Selection),
            Intent::Place => return tidy::method(self.session, &self.task(), Scope::Unplaced),
            _ => return false,
        }
        true
    }

    fn inside(&self, open: OpenDiagram) -> AnyView {
        let (method, surface) = (*self, open.surface);
        let task = self.task();
        view! {
            <Bends surface task/>
            {why::button(method, surface)}
            {move || method.editing.get().map(|id| view! { <InPlace method surface id/> })}
        }
        .into_any()
    }

    fn over(&self, open: OpenDiagram) -> AnyView {
        looks::follow_steps(self, open.surface);
        let method = *self;
        let unplaced =
            Memo::new(move |_| count_unplaced(&method.session.document(), &method.task()).0);
        // A file that another program has written has no positions.
        Effect::new(move |before: Option<Name>| {
            let task = method.task();
            if before.as_ref() != Some(&task) {
                let document = method.session.document_untracked();
                let (unplaced, all) = count_unplaced(&document, &task);
                if unplaced == all && all > 1 {
                    tidy::method(method.session, &task, Scope::Unplaced);
                }
            }
            task
        });
        view! {
            <button type="button" class="tidy" title="Lay out the method, or the selected blocks" on:click=move |_| { open.surface.perform(Intent::Tidy); }>"Tidy"</button>
            {move || match unplaced.get() {
                0 => None,
                count => Some(view! {
                    <button type="button" class="tidy place" title="Lay out new blocks only; all others stay in place" on:click=move |_| { open.surface.perform(Intent::Place); }>
                        {counted("Place", count, "block")}
                    </button>
                }),
            }}
            {move || method.hint(open)}
            <Palette method open/>
        }
        .into_any()
    }
}

/// Returns how many blocks of a method have no position, and how many it has.
fn count_unplaced(document: &Document, task: &Name) -> (usize, usize) {
    let blocks = document.compound_tasks.get(task).map(|t| &t.method.blocks);
    let placed = document.layout.methods.get(task);
    let is_placed = |id: &&BlockId| placed.is_some_and(|placed| placed.contains_key(*id));
    let ids = blocks.into_iter().flat_map(|blocks| blocks.keys());
    let unplaced = ids.clone().filter(|id| !is_placed(id)).count();
    (unplaced, ids.count())
}

/// Converts nodes into a selection.
fn selection(nodes: &BTreeSet<Node>) -> Selection {
    Selection {
        blocks: blocks(nodes),
        frames: frames_of(nodes),
        bends: set_of(nodes.iter().filter_map(Node::bend)),
        ..Selection::default()
    }
}
