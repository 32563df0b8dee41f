//! The appearance of a method: its blocks and wires, highlighted by the plan, and a hint for the
//! start.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::sort::map_of;
use taskloom_document::{Block, BlockId, Field, Kind, RecordRef, Wire};
use taskloom_planner::explain::{Highlight, Mark};
use taskloom_runtime::TaskState;

use super::chart;
use super::flow::Method;
use crate::canvas::WireLook;
use crate::canvas::colour::Colour;
use crate::canvas::far::Tints;
use crate::canvas::scene::{self, Node};
use crate::canvas::surface::Surface;
use crate::diagram::model::{OpenDiagram, findings, in_state};
use crate::diagram::node::{Badge, NodeModel, Overlay};
use crate::session::Cursor;

/// Returns the colours of blocks and wires where they are too small for marks.
pub fn tints(highlight: &Highlight, states: &BTreeMap<BlockId, TaskState>) -> Tints {
    let tint = |(id, mark): (&BlockId, &Mark)| match mark {
        Mark::Taken(_) if states.get(id) == Some(&TaskState::Failed) => {
            Some((Node::Block(id.clone()), Colour::No))
        }
        Mark::Taken(_) => Some((Node::Block(id.clone()), Colour::Accent)),
        Mark::Rejected(_) => Some((Node::Block(id.clone()), Colour::No)),
        Mark::Unreached => None,
    };
    let wire = |colour| move |wire| (chart::drawn_wire(wire), colour);
    let taken = highlight.taken.iter().map(wire(Colour::Accent));
    let rejected = highlight.rejected.iter().map(wire(Colour::No));
    Tints {
        nodes: map_of(highlight.blocks.iter().filter_map(tint)),
        wires: map_of(taken.chain(rejected)),
        ..Tints::default()
    }
}

/// Keeps the blocks of the current step in view as the user steps through the plan. While a run
/// plays, the camera doesn't follow once the user has moved it away from the current block.
pub fn follow_steps(method: &Method, surface: Surface) {
    let (session, highlight) = (method.session, method.highlight);
    Effect::new(move |before: Option<(Cursor, Option<Node>)>| {
        let now = session.desk.cursor.get();
        let highlight = highlight.get_untracked();
        let current = highlight
            .and_then(|highlight| highlight.current.clone())
            .map(Node::Block);
        let is_first = before.is_none();
        if let Some((cursor, last)) = before
            && cursor != now
            && let Some(block) = &current
        {
            let has_left = last.is_some_and(|last| !surface.sees(&last));
            if now.happened.is_none() || !has_left {
                surface.reveal(block);
            }
        }
        (now, current.filter(|_| !is_first))
    });
}

/// Returns the block of a place.
fn block_at(place: &Place, task: &RecordRef) -> Option<Node> {
    match &place.field {
        Field::Block(id)
        | Field::BlockText(id)
        | Field::BlockWhile(id)
        | Field::BlockAbort(id)
        | Field::BlockQuery(id)
        | Field::BlockOrder(id)
        | Field::BlockScore(id, _)
        | Field::BlockVariable(id)
            if place.record == *task =>
        {
            Some(Node::Block(id.clone()))
        }
        _ => None,
    }
}

/// Returns the overlay of a search's result for a block; `dimmed` says that blocks off the plan's
/// path are dimmed.
fn marked(mark: &Mark, dimmed: bool) -> Option<Overlay> {
    let note = |class: &str, text: &str| Badge {
        class: class.into(),
        text: text.into(),
        title: text.into(),
        ..Badge::default()
    };
    Some(match mark {
        Mark::Taken(None) => Overlay::new("taken", "In the plan"),
        Mark::Taken(Some(text)) => Overlay::new("taken", format!("In the plan, {text}"))
            .with_badge(note("node-note", text)),
        Mark::Rejected(None) => Overlay::new("rejected", "Rejected"),
        Mark::Rejected(Some(why)) => Overlay::new("rejected", format!("Rejected: {why}"))
            .with_badge(note("node-note why", why)),
        Mark::Unreached => return dimmed.then(|| Overlay::new("unreached", "")),
    })
}

/// Returns the models of the mounted blocks.
pub fn nodes(method: &Method, surface: Surface) -> Vec<(Node, NodeModel)> {
    let (session, task) = (method.session, method.task());
    let mounted = surface.has_node();
    // The scene is read first: a node that is mounted finds its position in it.
    method.scene.track();
    let document = session.document();
    let highlight = method.highlight.get();
    let states = method.states.get();
    let owner = RecordRef::new(Kind::CompoundTask, task.clone());
    let mut findings = findings(session, |place| block_at(place, &owner));
    let Some(record) = document.compound_tasks.get(&task) else {
        return vec![];
    };
    let highlight = highlight.as_deref();
    let dimmed = highlight.is_some_and(|highlight| !highlight.taken.is_empty());
    let mut model = |(id, block): (&BlockId, &Arc<Block>)| {
        let node = Node::Block(id.clone());
        if !mounted(&node) {
            return None;
        }
        let face = chart::drawn(&document, &task, id, block);
        let is_muted = record.method.muted.contains(id);
        let is_current = highlight.is_some_and(|l| l.current.as_ref() == Some(id));
        let overlays = [
            is_muted.then(|| Overlay::new("muted", "Muted")),
            highlight.and_then(|highlight| marked(highlight.blocks.get(id)?, dimmed)),
            is_current.then(|| Overlay::new("current", "Current step")),
            states.get(id).map(|state| in_state(*state)),
            findings.remove(&node),
        ];
        let overlays = overlays.into_iter().flatten().collect();
        Some((node, NodeModel { face, overlays }))
    };
    let blocks = record.method.blocks.iter();
    blocks.filter_map(&mut model).collect()
}

/// Returns the appearance of the mounted wires.
pub fn wires(method: &Method, surface: Surface) -> Vec<(scene::Wire, WireLook)> {
    let mounted = surface.has_wire();
    let document = method.session.document();
    let highlight = method.highlight.get();
    let Some(record) = document.compound_tasks.get(&method.task()) else {
        return vec![];
    };
    let flow = &record.method;
    let title = |id: &BlockId| {
        let block = flow.blocks.get(id);
        block.map_or(String::new(), |b| chart::face(&document, b).title)
    };
    let look = |wire: &Wire| {
        let class = match &highlight {
            Some(highlight) if highlight.taken.contains(wire) => "taken",
            Some(highlight) if highlight.rejected.contains(wire) => "rejected",
            Some(highlight)
                if highlight
                    .blocks
                    .values()
                    .any(|m| matches!(m, Mark::Taken(_))) =>
            {
                "unreached"
            }
            _ => "",
        };
        let title = format!("{} → {}", title(&wire.from), title(&wire.to));
        WireLook::new(class, title)
    };
    let wires = flow.wires.iter();
    let wires = wires.map(|wire| (chart::drawn_wire(wire), wire));
    let wires = wires.filter(|(drawn, _)| mounted(drawn));
    wires.map(|(drawn, wire)| (drawn, look(wire))).collect()
}

impl Method {
    /// Returns a hint about what to do first, while the method is nearly empty.
    pub(super) fn hint(self, open: OpenDiagram) -> Option<AnyView> {
        let scene = self.scene.get();
        if scene.nodes.is_empty() {
            return Some(
                view! {
                    <div class="canvas-hint">
                        <p>"This method is empty. It starts with a Begin block."</p>
                        <button type="button" class="primary" on:click=move |_| self.add_begin(open)>"Add Begin"</button>
                        <p class="faint">"Double-click anywhere, or press Shift+A, to add other blocks."</p>
                    </div>
                }
                .into_any(),
            );
        }
        (scene.nodes.len() == 1 && scene.wires.is_empty()).then(|| {
            view! {
                <div class="canvas-hint low">
                    <p>"Drag from the block's port to add the next block, or double-click anywhere."</p>
                </div>
            }
            .into_any()
        })
    }
}
