//! The appearance of a method: its blocks and wires, highlighted by the plan, and a hint for the
//! start.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::diagnostic::Place;
use taskloom::document::{Block, BlockId, Field, Kind, RecordRef, Wire};
use taskloom::planner::explain::{Light, Mark};
use taskloom::runtime::TaskState;

use super::chart;
use super::flow::Method;
use crate::canvas::WireLook;
use crate::canvas::colour::Colour;
use crate::canvas::far::Tints;
use crate::canvas::scene::{self, Node};
use crate::canvas::surface::Surface;
use crate::diagram::model::{OpenDiagram, findings};
use crate::diagram::node::NodeModel;
use crate::session::Cursor;

/// Returns the colours of blocks and wires where they are too small for marks.
pub fn tints(light: &Light, states: &BTreeMap<BlockId, TaskState>) -> Tints {
    let tint = |(id, mark): (&BlockId, &Mark)| match mark {
        Mark::Taken(_) if states.get(id) == Some(&TaskState::Failed) => {
            Some((Node::Block(id.clone()), Colour::No))
        }
        Mark::Taken(_) => Some((Node::Block(id.clone()), Colour::Ok)),
        Mark::Rejected(_) => Some((Node::Block(id.clone()), Colour::No)),
        Mark::Unreached => None,
    };
    let wire = |colour| move |wire| (chart::drawn_wire(wire), colour);
    let taken = light.taken.iter().map(wire(Colour::Ok));
    let rejected = light.rejected.iter().map(wire(Colour::No));
    Tints {
        nodes: BTreeMap::from_iter(light.blocks.iter().filter_map(tint)),
        wires: BTreeMap::from_iter(taken.chain(rejected)),
        ..Tints::default()
    }
}

/// Keeps the blocks of the current step in view as the user steps through the plan. While a run
/// plays, the camera doesn't follow once the user has moved it away from the current block.
pub fn follow_steps(method: &Method, surface: Surface) {
    let (session, light) = (method.session, method.light);
    Effect::new(move |before: Option<(Cursor, Option<Node>)>| {
        let now = session.desk.cursor.get();
        let light = light.get_untracked();
        let current = light
            .and_then(|light| light.current.clone())
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

/// Returns the models of the mounted blocks.
pub fn nodes(method: &Method, surface: Surface) -> Vec<(Node, NodeModel)> {
    let (session, task) = (method.session, method.task());
    let mounted = surface.has_node();
    // The scene is read first: a node that is mounted finds its position in it.
    method.scene.track();
    let document = session.document();
    let light = method.light.get();
    let states = method.states.get();
    let owner = RecordRef::new(Kind::CompoundTask, task.clone());
    let mut findings = findings(session, |place| block_at(place, &owner));
    let Some(record) = document.compound_tasks.get(&task) else {
        return vec![];
    };
    let light = light.as_deref();
    let dimmed = light.is_some_and(|light| !light.taken.is_empty());
    let mut model = |(id, block): (&BlockId, &Arc<Block>)| {
        let node = Node::Block(id.clone());
        if !mounted(&node) {
            return None;
        }
        let face = chart::drawn(&document, &task, id, block);
        let model = NodeModel {
            muted: record.method.muted.contains(id),
            mark: light.and_then(|l| l.blocks.get(id).cloned()),
            current: light.is_some_and(|l| l.current.as_ref() == Some(id)),
            state: states.get(id).copied(),
            dimmed,
            ..NodeModel::new(face, findings.remove(&node))
        };
        Some((node, model))
    };
    let blocks = record.method.blocks.iter();
    blocks.filter_map(&mut model).collect()
}

/// Returns the appearance of the mounted wires.
pub fn wires(method: &Method, surface: Surface) -> Vec<(scene::Wire, WireLook)> {
    let mounted = surface.has_wire();
    let document = method.session.document();
    let light = method.light.get();
    let Some(record) = document.compound_tasks.get(&method.task()) else {
        return vec![];
    };
    let flow = &record.method;
    let title = |id: &BlockId| {
        let block = flow.blocks.get(id);
        block.map_or(String::new(), |b| chart::face(&document, b).title)
    };
    let look = |wire: &Wire| {
        let class = match &light {
            Some(light) if light.taken.contains(wire) => "taken",
            Some(light) if light.rejected.contains(wire) => "rejected",
            Some(light) if light.blocks.values().any(|m| matches!(m, Mark::Taken(_))) => {
                "unreached"
            }
            _ => "",
        };
        WireLook {
            class: class.into(),
            title: format!("{} → {}", title(&wire.from), title(&wire.to)),
        }
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
