//! The meaning of gestures on either diagram.

use std::collections::BTreeSet;
use std::rc::Rc;

use leptos::prelude::*;
use taskloom_document::Edit;

use super::frames;
use super::menu::{Menu, MenuRequest};
use super::model::{Diagram, OpenDiagram, counted};
use crate::canvas::arrange::Arrangement;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::intent::Intent;
use crate::canvas::scene::{Node, Selected, Wire, frames as frames_of};
use crate::canvas::search::Search;
use crate::canvas::surface::Surface;
use crate::session::Session;

/// Opens a diagram.
pub fn open(session: Session, diagram: Rc<dyn Diagram>, menu: Menu) -> OpenDiagram {
    let stored = StoredValue::new_local(diagram.clone());
    let searching = RwSignal::new_local(None);
    let rules = DiagramRules {
        session,
        diagram: diagram.clone(),
        stored,
        searching,
        menu,
    };
    let perform = move |surface, intent| rules.perform(surface, intent);
    OpenDiagram {
        surface: Surface::new(diagram, Box::new(perform)),
        diagram: stored,
        searching,
    }
}

/// The meaning of gestures on a diagram.
struct DiagramRules {
    session: Session,
    diagram: Rc<dyn Diagram>,
    stored: StoredValue<Rc<dyn Diagram>, LocalStorage>,
    searching: RwSignal<Option<Search>, LocalStorage>,
    menu: Menu,
}

impl DiagramRules {
    fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit> {
        let mut edits = frames::moved(self.session, nodes, by);
        edits.extend(self.diagram.moved(nodes, by));
        edits
    }

    fn move_nodes(&self, nodes: &BTreeSet<Node>, by: Vec2, onto: Option<Wire>) {
        let mut edits = self.moved(nodes, by);
        let scene = self.diagram.scene().get_untracked();
        let dropped = onto.zip(nodes.first()).and_then(|(wire, node)| {
            let at = scene.nodes.get(node)?.rect.corner() + by;
            Some(self.diagram.dropped(node, at, &wire))
        });
        let dropped = dropped.unwrap_or_default();
        let label = if dropped.is_empty() {
            move_label(nodes, self.diagram.noun())
        } else {
            format!("Insert {} on wire", self.diagram.noun())
        };
        edits.extend(dropped);
        self.session.commit(&label, Edit::Batch(edits));
    }

    fn nudge(&self, nodes: &BTreeSet<Node>, by: Vec2) {
        let sheet = self.diagram.sheet();
        let names = sheet.iter().map(|task| format!(" {task}"));
        let names = names.chain(nodes.iter().map(|node| format!(" {}", node.name())));
        let key = format!("nudge{}", names.collect::<String>());
        let label = move_label(nodes, self.diagram.noun());
        let edits = Edit::Batch(self.moved(nodes, by));
        self.session.commit_in_series(&label, &key, edits);
    }

    /// Aligns or distributes nodes. Returns `true` if there are several.
    fn arrange(&self, nodes: &BTreeSet<Node>, how: Arrangement) -> bool {
        let scene = self.diagram.scene().get_untracked();
        let nodes = nodes.iter().filter(|node| node.is_solid());
        let placed = nodes.filter_map(|node| Some((node, scene.nodes.get(node)?.rect)));
        let (nodes, rects): (Vec<&Node>, Vec<Rect>) = placed.unzip();
        if nodes.len() < 2 {
            return false;
        }
        let moved = nodes.iter().zip(how.displacements(&rects));
        let moved = moved.filter(|(_, by)| *by != Vec2::default());
        let edits = moved.flat_map(|(node, by)| self.moved(&[(*node).clone()].into(), by));
        let edits: Vec<Edit> = edits.collect();
        if !edits.is_empty() {
            let label = counted(how.label(), nodes.len(), self.diagram.noun());
            self.session.commit(&label, Edit::Batch(edits));
        }
        true
    }

    fn frame(&self, around: Option<Rect>) {
        let (before, down) = around.map_or((vec![], 0.0), |rect| self.diagram.make_room(&rect));
        let around = around.map(|rect| {
            let corner = self.diagram.stored(rect.corner());
            Rect::at(corner + Vec2::new(0.0, down), rect.w, rect.h)
        });
        frames::add(self.session, around, before);
    }

    fn collapse(&self) -> bool {
        let (count, on, edit) = self.diagram.collapsed();
        let verb = if on { "Collapse" } else { "Expand" };
        let label = counted(verb, count, self.diagram.noun());
        count > 0 && self.session.commit(&label, edit)
    }

    /// Selects what was right-clicked, unless it is selected already, and opens the menu of the
    /// selection.
    fn open_menu(&self, surface: Surface, target: Selected, at: Vec2) {
        let current = surface.selected();
        let is_selected = target != Selected::default()
            && target.nodes.is_subset(&current.nodes)
            && target.wires.is_subset(&current.wires);
        let target = match is_selected {
            true => current,
            false => {
                self.diagram.select(&target);
                target
            }
        };
        let graph = surface.camera().to_graph(at);
        let sections = self.diagram.menu(&target, (at, graph));
        let label = match (target.nodes.len(), target.wires.len()) {
            (0, 0) => self.diagram.label(),
            (0, _) => "Wire".to_owned(),
            (1, _) => "Selected item".to_owned(),
            (count, _) => format!("{count} selected items"),
        };
        self.menu.run((MenuRequest {
            label,
            surface,
            at,
            sections,
        },));
    }

    /// Performs an intent. Returns `true` if there was something to do.
    fn perform(&self, surface: Surface, intent: Intent) -> bool {
        let session = self.session;
        let open = OpenDiagram {
            surface,
            diagram: self.stored,
            searching: self.searching,
        };
        match intent {
            Intent::Select(selected) => self.diagram.select(&selected),
            Intent::Move { nodes, by, onto } => self.move_nodes(&nodes, by, onto),
            Intent::Nudge(by) => self.nudge(&surface.whole(), by),
            Intent::Arrange(how) => return self.arrange(&surface.selected().nodes, how),
            Intent::Frame => self.frame(surface.selected_bounds()),
            Intent::Resize(Node::Frame(id), by) => frames::resize(session, &id, by),
            Intent::Open(Some(Node::Frame(id))) | Intent::Rename(Some(Node::Frame(id))) => {
                session.desk.begin_titling(id);
            }
            Intent::Commands(target, at) => self.open_menu(surface, target, at),
            Intent::CommandsOfSelection => {
                let bounds = surface.selected_bounds();
                let middle = surface.size() * 0.5;
                let at = bounds.map_or(middle, |rect| surface.on_screen(rect.center()));
                self.open_menu(surface, surface.selected(), at);
            }
            Intent::Delete => {
                if self.diagram.delete(&surface.selected()) {
                    surface.focus(None);
                }
            }
            Intent::Collapse => return self.collapse(),
            Intent::Leave => {
                session.open.leave();
                return self.diagram.sheet().is_some();
            }
            other => return self.diagram.perform(open, other),
        }
        true
    }
}

/// Returns the undo label for moving nodes. Frames come before all others.
fn move_label(nodes: &BTreeSet<Node>, noun: &str) -> String {
    match nodes.first() {
        Some(Node::Frame(_)) => counted("Move", frames_of(nodes).len(), "frame"),
        Some(Node::Bend(..)) => "Move bend point".to_owned(),
        _ => counted("Move", nodes.iter().filter(|n| n.is_solid()).count(), noun),
    }
}
