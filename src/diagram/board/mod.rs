//! The Board: the paper's columns of sensors, conditions, actions and tasks.

mod arrange;
pub mod cards;
pub mod columns;
mod content;
mod drawn;
pub mod folds;
mod groups;
mod heads;
mod menu;
mod opening;
mod ports;
mod shifts;
mod wiring;

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Edit, Kind, Name};
use taskloom_domain::dependencies::{Link, Role};
use taskloom_runtime::TaskState;

use super::face::{CHANGES, need};
use super::menu::Section;
use super::model::{Diagram, Dragged, DropOffer, OpenDiagram, findings, in_state};
use super::node::NodeModel;
use super::{frames, tidy};
use crate::canvas::WireLook;
use crate::canvas::camera::Camera;
use crate::canvas::far::Tints;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::intent::Intent;
use crate::canvas::scene::{
    End, Node, Scene, Selected, Wire, cards as cards_of, frames as frames_of,
};
use crate::canvas::surface::{Content, Surface};
use crate::kinds;
use crate::session::{Selection, Session};
pub use content::Board;
use heads::heads;

/// The point of a card, from its corner, that is under the pointer when it is dropped.
const GRABBED: Vec2 = Vec2::new(30.0, 14.0);
/// The number of wires above which they are hardly visible, unless a card is hovered or selected.
const CROWD: usize = 60;
/// The number of wires above which they are not even faint.
const HAIRBALL: usize = 200;

impl Content for Board {
    fn scene(&self) -> Memo<Arc<Scene>> {
        self.scene
    }

    fn selected(&self) -> Memo<Selected> {
        self.selected
    }

    fn targets(&self, from: &End, without: Option<&Wire>) -> BTreeSet<End> {
        let without = without.and_then(ports::link);
        let (scene, links) = (self.scene.get_untracked(), self.links.get_untracked());
        ports::targets(&scene, &links, from, without.as_ref())
    }

    fn inserts(&self, _: &Node) -> bool {
        false
    }

    fn fades(&self) -> bool {
        true
    }

    /// Faint like the style sheet's wires.
    fn tints(&self) -> Tints {
        let strength = match self.links.with(|links| links.len()) {
            count if count > HAIRBALL => 0.0,
            count if count > CROWD => 0.08,
            _ => 0.25,
        };
        Tints {
            strength,
            ..Tints::default()
        }
    }

    fn order(&self) -> Vec<Node> {
        columns::reading_order(&self.scene.get_untracked())
    }

    fn opening(&self, size: Vec2) -> Option<Camera> {
        let scene = self.scene.get_untracked();
        let heads = self.heads.get_untracked();
        let heads: Vec<Rect> = heads.iter().map(|head| head.rect).collect();
        let cards: Vec<Rect> = scene.nodes.values().map(|shape| shape.rect).collect();
        opening::opening(&heads, &cards, size)
    }

    fn takes_focus(&self) -> bool {
        false
    }
}

impl Diagram for Board {
    fn label(&self) -> String {
        "Board".to_owned()
    }

    fn sheet(&self) -> Option<Name> {
        None
    }

    fn noun(&self) -> &'static str {
        "card"
    }

    fn whole(&self, _: Surface) -> Selection {
        self.session.open.selection.get_untracked()
    }

    /// Also unfolds the selected cards, at once: the next thing to do may be to show them.
    fn select(&self, selected: &Selected) {
        self.unfold(selected);
        self.session.open.select(Selection {
            records: cards_of(&selected.nodes),
            frames: frames_of(&selected.nodes),
            ..Selection::default()
        });
        if self.wires.with_untracked(|wires| *wires != selected.wires) {
            self.wires.set(selected.wires.clone());
        }
    }

    fn nodes(&self, surface: Surface) -> Vec<(Node, NodeModel)> {
        let mounted = surface.has_node();
        let scene = self.scene.get();
        let document = self.session.document();
        let mut findings = findings(self.session, |place| Some(Node::Card(place.record.clone())));
        let running = self.running.get();
        let mut model = |node: &Node| {
            let record = node.card()?;
            let face = cards::face(&document, record)?;
            let is_task = matches!(record.kind, Kind::PrimitiveTask | Kind::CompoundTask);
            let state = (is_task && running.contains(&record.name))
                .then(|| in_state(TaskState::InProgress));
            let overlays = findings.remove(node).into_iter().chain(state).collect();
            Some((node.clone(), NodeModel { face, overlays }))
        };
        let nodes = scene.nodes.keys().filter(|node| mounted(node));
        nodes.filter_map(&mut model).collect()
    }

    /// They are faint or, if they are very many, invisible. The canvas marks those of the selected or hovered card, which don't depend on
    /// it here, and the style sheet hides changes that are not marked.
    fn wires(&self, surface: Surface) -> Vec<(Wire, WireLook)> {
        let links = self.links.get();
        let scene = self.scene.get();
        let state = match links.len() {
            count if count > HAIRBALL => "asleep",
            count if count > CROWD => "quiet",
            _ => "calm",
        };
        let look = |(wire, link): (Wire, &Link)| {
            let Link { from, to, role } = link;
            let title = format!("{} is {} of {}", from.name, role.label(), to.name);
            let class = format!("{} {state}", need(*role).class);
            (wire, WireLook::new(class, title))
        };
        let mounted = surface.has_wire();
        // Those between folded cards are not part of the scene.
        let is_shown = |wire: &Wire| mounted(wire) && scene.wires.contains_key(wire);
        let wires = links.iter().map(|link| (ports::drawn_link(link), link));
        let wires = wires.filter(|(wire, _)| is_shown(wire));
        let changes = self.changes.get();
        let changes = changes.iter().map(|(task, fact)| {
            let title = format!("{task} changes {fact}");
            (
                ports::drawn_change(task, fact),
                WireLook::new(CHANGES.class, title),
            )
        });
        let changes = changes.filter(|(wire, _)| is_shown(wire));
        wires.map(look).chain(changes).collect()
    }

    fn stored(&self, at: Vec2) -> Vec2 {
        self.shifts.with_untracked(|shifts| shifts.stored(at))
    }

    fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit> {
        vec![Edit::MoveCards(self.moved_cards(nodes, by))]
    }

    fn dropped(&self, _: &Node, _: Vec2, _: &Wire) -> Vec<Edit> {
        vec![]
    }

    fn make_room(&self, around: &Rect) -> (Vec<Edit>, f64) {
        self.room_for_frame(around)
    }

    fn delete(&self, selected: &Selected) -> bool {
        if selected.nodes.is_empty() {
            self.disconnect(&selected.wires);
        } else {
            let frames = frames::removed(self.session, &frames_of(&selected.nodes));
            self.session.delete(cards_of(&selected.nodes), frames);
        }
        true
    }

    fn collapsed(&self) -> (usize, bool, Edit) {
        let document = self.session.document_untracked();
        let collapsed = &document.layout.collapsed_cards;
        let records = self
            .session
            .open
            .selection
            .with_untracked(|s| s.records.clone());
        let on = !records.iter().all(|record| collapsed.contains(record));
        let edit = Edit::CollapseCards(records.iter().cloned().collect(), on);
        (records.len(), on, edit)
    }

    fn menu(&self, selected: &Selected, (at, _): (Vec2, Vec2)) -> Vec<Section> {
        let document = self.session.document_untracked();
        let has_folds = self.folds.with_untracked(|folds| !folds.is_empty());
        menu::sections(&document, selected, at, has_folds)
    }

    fn offer(&self, dragged: &Dragged, _: Vec2) -> Result<DropOffer, String> {
        let Dragged::Record(record) = dragged else {
            return Err("Blocks belong to methods.".to_owned());
        };
        let node = Node::Card(record.clone());
        let has_card = |scene: &Arc<Scene>| {
            scene.nodes.contains_key(&node) || scene.folded.contains_key(&node)
        };
        let has_card = self.scene.with_untracked(has_card);
        match has_card {
            true => Ok(DropOffer {
                words: "Move its card here".to_owned(),
                wire: None,
            }),
            false => Err(format!(
                "{} have no cards on the Board.",
                kinds::of(record.kind).title
            )),
        }
    }

    fn take(&self, open: OpenDiagram, dragged: &Dragged, at: Vec2) {
        if let Err(reason) = self.offer(dragged, at) {
            return self.session.toast(reason, None);
        }
        let Dragged::Record(record) = dragged else {
            return;
        };
        let place = self.stored((at - GRABBED).snapped(SNAP)).to_point();
        let edit = Edit::MoveCards(vec![(record.clone(), Some(place))]);
        let label = format!("Move {}", record.name);
        if self.session.commit(&label, edit) {
            self.session.select(record.clone());
            open.surface.focus(None);
        }
    }

    fn perform(&self, open: OpenDiagram, intent: Intent) -> bool {
        match intent {
            Intent::Connect {
                from,
                to,
                instead_of,
            } => {
                if let Some(link) = ports::link(&Wire { from, to }) {
                    let before = instead_of.as_ref().and_then(ports::link);
                    self.connect(&link, before.as_ref(), None);
                }
            }
            Intent::Search { from, at } => self.search_for(open, from, at),
            Intent::Disconnect(wire) => self.disconnect([&wire]),
            Intent::Break(end) => {
                let scene = self.scene.get_untracked();
                self.disconnect(scene.wires_at(&end));
            }
            Intent::Cut(wires) => self.disconnect(&wires),
            Intent::Menu(at) => self.search_all(open, at),
            Intent::Add => self.search_all(open, open.surface.pointer_or_middle()),
            Intent::Connections(Some((node, end))) => self.search_connections(open, node, end),
            Intent::Open(Some(Node::Card(record))) => self.open_card(record),
            Intent::Rename(Some(Node::Card(record))) => self.session.desk.begin_renaming(record),
            Intent::Insert(wire, _) | Intent::Bend(Some((wire, _))) => {
                self.select(&Selected::wire(wire));
            }
            Intent::Tidy => return tidy::board(self.session),
            Intent::FoldColumn => {
                let folded = self.fold_selected();
                // The card that had the focus is gone.
                open.surface.focus(None);
                return folded;
            }
            Intent::UnfoldColumns => return self.unfold_all(),
            _ => return false,
        }
        true
    }

    fn inside(&self, open: OpenDiagram) -> AnyView {
        self.follow_renaming(open.surface);
        heads(*self, open.surface)
    }

    fn over(&self, open: OpenDiagram) -> AnyView {
        let scene = self.scene;
        let empty = Memo::new(move |_| scene.with(|scene| scene.nodes.is_empty()));
        view! {
            <Legend session=self.session/>
            <button type="button" class="tidy" title="Arrange the cards in their columns" on:click=move |_| { open.surface.perform(Intent::Tidy); }>"Tidy"</button>
            {move || empty.get().then(|| view! {
                <div class="canvas-hint low">
                    <p>"Start by describing the world: press + at Sensors to add a fact that the game reports. Then add actions, and tasks that use them."</p>
                </div>
            })}
        }
        .into_any()
    }
}

/// A legend of the wires.
#[component]
fn Legend(session: Session) -> impl IntoView {
    let all = Memo::new(move |_| columns::has_characters(&session.document()));
    let entries = move || {
        let roles = Role::ALL.into_iter();
        let roles = roles.filter(|role| all.get() || !role.is_of_agents());
        let entry = |role: Role| {
            view! {
                <li class=need(role).class>
                    <svg width="26" height="8" aria-hidden="true"><path class="wire" d="M1 4H25"></path></svg>
                    {role.label()}
                </li>
            }
        };
        let changes = view! {
            <li class=CHANGES.class>
                <svg width="26" height="8" aria-hidden="true"><path class="wire" d="M1 4H25"></path></svg>
                "changes"
            </li>
        };
        (roles.map(entry).collect_view(), changes)
    };
    view! {
        <details class="legend" data-inner="">
            <summary>"Wire legend"</summary>
            <ul>{entries}</ul>
        </details>
    }
}
