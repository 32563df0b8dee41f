//! The Method: one compound task's flowchart.

mod actions;
mod adding;
mod arrange;
mod bends;
mod block;
pub mod chart;
mod drawn;
mod edits;
mod in_place;
mod light;
mod offers;
mod route;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::diagnostic::Severity;
use taskloom::document::{Block, BlockId, CompoundTask, Field, Kind, Name, RecordRef, Wire};

use crate::canvas::camera::{Camera, LEGIBLE};
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::{self, Node, Scene, Selected};
use crate::canvas::search::SearchBox;
use crate::canvas::surface::{Rules, Surface};
use crate::canvas::{Canvas, WireLook};
use crate::commands::{self, Page};
use crate::session::{Cursor, OpenCanvas, Selection, Session};
use crate::views::frames::Frames;
use crate::views::panel::is_another;
use crate::views::tidy::Scope;
pub use actions::Actions;
use bends::Bends;
use block::{BlockModel, BlockView};
pub use drawn::picture;
use in_place::InPlace;
use light::{Light, Mark};

/// The canvas of a compound task's method.
#[component]
pub fn MethodView(
    /// The compound task.
    task: Name,
) -> impl IntoView {
    let session = Session::expect();
    let name = task.clone();
    let record = Memo::new_with_compare(
        move |_| session.document().compound_tasks.get(&name).cloned(),
        |a: Option<&Option<Arc<CompoundTask>>>, b| match (a, b) {
            (Some(Some(a)), Some(Some(b))) => !Arc::ptr_eq(a, b),
            (Some(None), Some(None)) => false,
            _ => true,
        },
    );
    let name = task.clone();
    let scene = Memo::new(move |_| Arc::new(chart::scene(&session.document(), &name)));
    let light = lighting(session, task.clone());
    let selected = Memo::new(move |_| {
        session.selection.with(|s| Selected {
            nodes: nodes_of(s),
            wires: BTreeSet::from_iter(s.wires.iter().map(chart::drawn_wire)),
        })
    });
    let actions = Actions::new(session, task.clone(), scene);
    let surface = Surface::new(Rules {
        scene,
        selected,
        targets: Box::new(move |end, without| {
            let without = without.and_then(chart::wire_of);
            record.with_untracked(|record| {
                let targets =
                    |r: &Arc<CompoundTask>| chart::targets(&r.method, end, without.as_ref());
                record.as_ref().map(targets).unwrap_or_default()
            })
        }),
        inserts: Box::new(move |node, _| {
            record.with_untracked(|record| {
                let block = record.as_ref().zip(node.block());
                let block = block.and_then(|(r, id)| r.method.blocks.get(id));
                block.is_some_and(|b| b.has_input() && !b.ports().is_empty())
            })
        }),
        tints: Box::new(move || light.get().map(|light| light.tints()).unwrap_or_default()),
        order: Box::new(move || {
            record.with_untracked(|record| {
                let order = record.as_ref().map_or(vec![], |r| {
                    chart::reading_order(&r.method, &scene.get_untracked())
                });
                let blocks = order.into_iter().map(Node::Block);
                let scene = scene.get_untracked();
                let others = scene.nodes.keys().filter(|node| !node.is_solid());
                blocks.chain(others.cloned()).collect()
            })
        }),
        opening: |content, size| Camera::opening(content, size, LEGIBLE),
        takes_focus: true,
        perform: Box::new(move |command| actions.perform(command)),
    });
    actions.attach(surface);
    follow_steps(session, light, surface);
    Page::expect().opened(commands::Canvas::Method(actions));
    let blocks = block_models(session, task.clone(), scene, light, surface);
    let wires = wire_looks(session, task.clone(), light, surface);
    session.looks_at(OpenCanvas {
        pointed: Box::new(move || surface.pointed()),
        whole: Box::new(move || actions.whole()),
    });
    let label = format!("Method of {task}");
    let (sheet, owner) = (task.clone(), task.clone());
    let unplaced = Memo::new(move |_| {
        let document = session.document();
        let blocks = document.compound_tasks.get(&task).map(|t| &t.method.blocks);
        let placed = document.layout.methods.get(&task);
        let is_placed = |id: &&BlockId| placed.is_some_and(|placed| placed.contains_key(*id));
        let ids = blocks.into_iter().flat_map(|blocks| blocks.keys());
        ids.filter(|id| !is_placed(id)).count()
    });
    let over = view! {
        <button type="button" class="tidy" title="Lay out the method, or the selected blocks" on:click=move |_| { actions.tidy(Scope::Selection); }>"Tidy"</button>
        {move || match unplaced.get() {
            0 => None,
            count => Some(view! {
                <button type="button" class="tidy place" title="They were never placed; all others stay where they are" on:click=move |_| { actions.tidy(Scope::Unplaced); }>
                    {format!("Place {count} blocks")}
                </button>
            }),
        }}
        {move || hint(actions, scene.get())}
        {move || actions.searching.get().map(|search| {
            let close = UnsyncCallback::new(move |(pick,)| actions.picked(pick));
            view! { <SearchBox search size=surface.size() close/> }
        })}
    };
    view! {
        <Canvas surface label wires over>
            <Frames surface sheet=Some(sheet)/>
            <For each=move || blocks.keys.get() key=|id| id.clone() let:id>
                <BlockView surface blocks id/>
            </For>
            <Bends surface task=owner/>
            {move || actions.editing.get().map(|id| view! { <InPlace actions id/> })}
        </Canvas>
    }
}

/// The nodes that are selected.
fn nodes_of(selection: &Selection) -> BTreeSet<Node> {
    let frames = selection.frames.iter().cloned().map(Node::Frame);
    let blocks = selection.blocks.iter().cloned().map(Node::Block);
    let bends = selection.bends.iter().cloned();
    let bends = bends.map(|(wire, number)| Node::Bend(wire, number));
    BTreeSet::from_iter(frames.chain(blocks).chain(bends))
}

/// What to do first, while there is next to nothing.
fn hint(actions: Actions, scene: Arc<Scene>) -> Option<AnyView> {
    if scene.nodes.is_empty() {
        return Some(
            view! {
                <div class="canvas-hint">
                    <p>"This method is empty. It starts with a Begin block."</p>
                    <button type="button" class="primary" on:click=move |_| actions.add_begin()>"Add Begin"</button>
                    <p class="faint">"Double-click anywhere, or press Shift+A, to add other blocks."</p>
                </div>
            }
            .into_any(),
        );
    }
    (scene.nodes.len() == 1 && scene.wires.is_empty()).then(|| {
        view! {
            <div class="canvas-hint low">
                <p>"Drag from the block's port to say what comes next, or double-click anywhere to add a block."</p>
            </div>
        }
        .into_any()
    })
}

/// What the plan says about this method.
fn lighting(session: Session, task: Name) -> Memo<Option<Arc<Light>>> {
    Memo::new(move |_| {
        let answer = session.answer.get()?;
        let cursor = session.cursor.get();
        let document = session.document();
        let flow = &document.compound_tasks.get(&task)?.method;
        // The trace is that of the situation as it stands; the run plans without one.
        let empty = Default::default();
        let (outcome, trace) = match cursor.plan.filter(|at| is_another(&answer, *at)) {
            None => (&answer.outcome, &answer.trace),
            Some(at) => {
                let planning = answer.run.as_ref()?.plans.get(at)?;
                (planning.outcome.as_ref().ok()?, &empty)
            }
        };
        let mut light = light::light(&task, flow, outcome, trace, cursor.step)?;
        if session.is_old() {
            light.forget_failures();
        }
        Some(Arc::new(light))
    })
}

/// Keeps in sight what the steps lead to as one goes through them.
fn follow_steps(session: Session, light: Memo<Option<Arc<Light>>>, surface: Surface) {
    Effect::new(move |before: Option<Cursor>| {
        let now = session.cursor.get();
        let current = || light.get_untracked()?.current.clone();
        if before.is_some_and(|before| before != now)
            && let Some(block) = current()
        {
            surface.reveal(&Node::Block(block));
        }
        now
    });
}

/// Messages about each block of a method, the worst first.
fn findings(session: Session, task: &Name) -> BTreeMap<BlockId, (Severity, String)> {
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let mut found: BTreeMap<BlockId, (Severity, String)> = BTreeMap::new();
    for diagnostic in session.diagnostics.get().iter() {
        if diagnostic.place.record != record {
            continue;
        }
        let (Field::Block(id)
        | Field::BlockText(id)
        | Field::BlockOrder(id)
        | Field::BlockVariable(id)) = &diagnostic.place.field
        else {
            continue;
        };
        match found.get_mut(id) {
            None => {
                let finding = (diagnostic.severity, diagnostic.message.clone());
                found.insert(id.clone(), finding);
            }
            Some((severity, messages)) => {
                *severity = (*severity).min(diagnostic.severity);
                messages.push('\n');
                messages.push_str(&diagnostic.message);
            }
        }
    }
    found
}

fn block_models(
    session: Session,
    task: Name,
    scene: Memo<Arc<Scene>>,
    light: Memo<Option<Arc<Light>>>,
    surface: Surface,
) -> Mirror<BlockId, BlockModel> {
    Mirror::of(move || {
        let mounted = surface.has_node();
        // The scene is read first: whoever is mounted finds its place in it.
        scene.track();
        let document = session.document();
        let light = light.get();
        let findings = findings(session, &task);
        let Some(record) = document.compound_tasks.get(&task) else {
            return vec![];
        };
        let dimmed = light.as_ref().is_some_and(|light| !light.taken.is_empty());
        let model = |(id, block): (&BlockId, &Arc<Block>)| {
            let model = BlockModel {
                face: chart::drawn(&document, &task, id, block),
                muted: record.method.muted.contains(id),
                mark: light.as_ref().and_then(|l| l.blocks.get(id).cloned()),
                current: light
                    .as_ref()
                    .is_some_and(|l| l.current.as_ref() == Some(id)),
                dimmed,
                findings: findings.get(id).cloned(),
            };
            (id.clone(), model)
        };
        let blocks = record.method.blocks.iter();
        let blocks = blocks.filter(|(id, _)| mounted(&Node::Block((*id).clone())));
        blocks.map(model).collect()
    })
}

fn wire_looks(
    session: Session,
    task: Name,
    light: Memo<Option<Arc<Light>>>,
    surface: Surface,
) -> Mirror<scene::Wire, WireLook> {
    Mirror::of(move || {
        let mounted = surface.has_wire();
        let document = session.document();
        let light = light.get();
        let Some(record) = document.compound_tasks.get(&task) else {
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
    })
}
