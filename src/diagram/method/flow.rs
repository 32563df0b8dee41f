//! A compound task's method, and frequent queries and changes of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{Block, BlockId, CompoundTask, Document, Edit, Kind, Name};
use taskloom_domain::calls::called_task;
use taskloom_planner::explain::{Highlight, highlight};
use taskloom_planner::plan::NodeKind;
use taskloom_runtime::TaskState;

use super::bends;
use super::chart::{self, face, wire_between};
use crate::canvas::geometry::Vec2;
use crate::canvas::scene::{self, End, Node, Scene, Selected};
use crate::canvas::surface::Surface;
use crate::diagram::face::Look;
use crate::diagram::model::Diagram;
use crate::session::{Selection, Session, states_at};

/// A compound task's method.
#[derive(Clone, Copy)]
pub struct Method {
    pub session: Session,
    task: StoredValue<Name>,
    record: Memo<Option<Arc<CompoundTask>>>,
    pub scene: Memo<Arc<Scene>>,
    /// The part of the selection in the method.
    pub selected: Memo<Selected>,
    /// The plan's path through the method.
    pub highlight: Memo<Option<Arc<Highlight>>>,
    /// The states of the tasks that its blocks call, at the current moment of the run.
    pub states: Memo<BTreeMap<BlockId, TaskState>>,
    /// The block whose text is edited in place.
    pub editing: RwSignal<Option<BlockId>>,
}

impl Method {
    /// Creates the method of this task.
    pub fn new(session: Session, task: Name) -> Self {
        let (name, drawn) = (task.clone(), task.clone());
        let record = Memo::new_with_compare(
            move |_| session.document().compound_tasks.get(&name).cloned(),
            |a: Option<&Option<Arc<CompoundTask>>>, b| match (a, b) {
                (Some(Some(a)), Some(Some(b))) => !Arc::ptr_eq(a, b),
                (Some(None), Some(None)) => false,
                _ => true,
            },
        );
        let highlight = plan_highlight(session, task.clone());
        Self {
            session,
            task: StoredValue::new(task),
            record,
            scene: Memo::new(move |_| Arc::new(chart::scene(&session.document(), &drawn))),
            selected: Memo::new(move |_| session.open.selection.with(selected)),
            highlight,
            states: block_states(session, highlight),
            editing: RwSignal::new(None),
        }
    }

    /// Returns the compound task.
    pub fn task(&self) -> Name {
        self.task.get_value()
    }

    pub fn document(&self) -> Arc<Document> {
        self.session.document_untracked()
    }

    /// Returns its task's current record.
    pub fn owner(&self) -> Option<Arc<CompoundTask>> {
        self.record.get_untracked()
    }

    /// Returns a block.
    pub fn block(&self, id: &BlockId) -> Option<Arc<Block>> {
        self.owner()?.method.blocks.get(id).cloned()
    }

    pub fn commit(&self, label: &str, edit: Edit) -> bool {
        self.session.commit(label, edit)
    }

    pub fn disconnect(&self, label: &str, wires: &[scene::Wire]) {
        let wires = wires.iter().filter_map(chart::wire_of);
        let off: Vec<Edit> = wires
            .map(|wire| Edit::Disconnect(self.task(), wire))
            .collect();
        if !off.is_empty() {
            self.commit(label, Edit::Batch(off));
        }
    }

    pub fn connect(&self, from: &End, to: &End, instead_of: Option<&scene::Wire>) {
        let Some(wire) = wire_between(from, to) else {
            return;
        };
        let off = instead_of.and_then(chart::wire_of);
        let off = off.map(|wire| Edit::Disconnect(self.task(), wire));
        let label = if off.is_some() {
            "Reconnect wire"
        } else {
            "Connect blocks"
        };
        let on = Edit::Connect(self.task(), wire);
        self.commit(label, Edit::Batch(off.into_iter().chain([on]).collect()));
    }

    pub fn bend(&self, wire: &scene::Wire, at: Vec2) {
        let curve = self.scene.get_untracked().curve(wire);
        if let (Some(curve), Some(wire)) = (curve, chart::wire_of(wire)) {
            let (point, edit) = bends::bent(&self.document(), &self.task(), wire, &curve, at);
            if self.commit("Bend wire", edit) {
                // The arrow keys move it.
                self.select(&Selected::node(point));
            }
        }
    }

    /// Opens the method of the compound task that a block calls; for other blocks, edits the text.
    pub fn open_block(&self, id: &BlockId) {
        let Some(block) = self.block(id) else { return };
        let look = face(&self.document(), &block).look;
        match called_task(&block) {
            Some(task) if look == Look::Record(Kind::CompoundTask) => self.session.open.enter(task),
            _ => self.edit_text(id),
        }
    }

    pub fn edit_text(&self, id: &BlockId) {
        let block = self.block(id);
        if block.is_some_and(|b| !matches!(*b, Block::Begin {} | Block::End {})) {
            self.editing.set(Some(id.clone()));
        }
    }

    /// Ends the editing of a block's text in place.
    pub fn edited(&self, surface: Surface, by_key: bool) {
        if self.editing.try_update(Option::take).flatten().is_some() && by_key {
            surface.focus(None);
        }
    }

    /// Returns the selected blocks.
    pub fn chosen(&self) -> Vec<BlockId> {
        let selected = |s: &Selection| s.blocks.iter().cloned().collect();
        self.session.open.selection.with_untracked(selected)
    }
}

/// Returns a memo of the plan's path through this method.
fn plan_highlight(session: Session, task: Name) -> Memo<Option<Arc<Highlight>>> {
    Memo::new(move |_| {
        let answer = session.plan.answer.get()?;
        let cursor = session.desk.cursor.get();
        let document = session.document();
        let flow = &document.compound_tasks.get(&task)?.method;
        // The trace is that of the initial situation; the run plans without one.
        let empty = Default::default();
        let (outcome, trace) = match cursor.plan.filter(|at| answer.is_another_plan(*at)) {
            None => (&answer.outcome, &answer.search.trace),
            Some(at) => {
                let planning = answer.run.as_ref()?.plans.get(at)?;
                (planning.outcome.as_ref().ok()?, &empty)
            }
        };
        let mut highlight = highlight(&task, flow, outcome, trace, cursor.step)?;
        if session.plan.is_old() {
            highlight.clear_failures();
        }
        Some(Arc::new(highlight))
    })
}

/// Returns the states of the tasks below the highlighted decomposition, by the blocks that call
/// them.
fn block_states(
    session: Session,
    highlight: Memo<Option<Arc<Highlight>>>,
) -> Memo<BTreeMap<BlockId, TaskState>> {
    let found = move || {
        let node = highlight.with(|highlight| highlight.as_ref()?.node)?;
        let answer = session.plan.answer.get()?;
        let cursor = session.desk.cursor.get();
        let states = states_at(&answer, cursor)?;
        let plan = answer.plan_at_or_own(cursor.plan)?;
        let NodeKind::Decomposed(decomposed) = &plan.nodes.get(node)?.kind else {
            return None;
        };
        let state = |child: &usize| {
            let block = plan.nodes.get(*child)?.block.clone()?;
            Some((block, *states.get(*child)?))
        };
        let mut found = BTreeMap::new();
        for (block, state) in decomposed.children.iter().filter_map(state) {
            found
                .entry(block)
                .and_modify(|known| *known = joined(*known, state))
                .or_insert(state);
        }
        Some(found)
    };
    Memo::new(move |_| found().unwrap_or_default())
}

/// Returns the state of a block that repeats, from those of its tasks.
fn joined(a: TaskState, b: TaskState) -> TaskState {
    match (a, b) {
        (TaskState::Failed, _) | (_, TaskState::Failed) => TaskState::Failed,
        (a, b) if a == b => a,
        _ => TaskState::InProgress,
    }
}

/// Returns the part of the selection in a method.
fn selected(selection: &Selection) -> Selected {
    let frames = selection.frames.iter().cloned().map(Node::Frame);
    let blocks = selection.blocks.iter().cloned().map(Node::Block);
    let bends = selection.bends.iter().cloned();
    let bends = bends.map(|(wire, number)| Node::Bend(wire, number));
    Selected {
        nodes: set_of(frames.chain(blocks).chain(bends)),
        wires: set_of(selection.wires.iter().map(chart::drawn_wire)),
    }
}
