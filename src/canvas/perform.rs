//! Performing intents: those about camera, selection and focus here, the others by the diagram.

use std::collections::BTreeSet;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

use super::geometry::{Rect, Vec2};
use super::gesture::SNAP;
use super::intent::Intent;
use super::scene::{Direction, End, Node, Selected, Side, Wire};
use super::surface::{State, Surface};
use crate::web::live;
use taskloom_document::sort::set_of;

impl Surface {
    /// Performs an intent. Returns `true` if there was something to do.
    pub fn perform(&self, intent: Intent) -> bool {
        let Some(state) = self.state() else {
            return false;
        };
        let selected = state.selected();
        let node = selected.nodes.first();
        match intent {
            Intent::Pan(by) => {
                let mut viewport = state.viewport.borrow_mut();
                let panned = viewport.camera().panned(by);
                viewport.look(panned);
            }
            Intent::Fit => self.fit(&BTreeSet::new()),
            Intent::FitSelection => self.fit(&selected.nodes),
            Intent::Zoom(factor) => self.zoom_by(factor),
            Intent::ActualSize => self.zoom_by(1.0 / self.camera().zoom),
            Intent::Minimap => state.presets.toggle_minimap(),
            Intent::Arrow(direction, _) if node.is_none() => {
                return self.go(&state, &selected, direction);
            }
            Intent::Go(direction) => return self.go(&state, &selected, direction),
            Intent::Step(back) => return self.step(&state, &selected, back),
            Intent::Port(back) => return self.next_port(&state, node.cloned(), back),
            Intent::Wire(back) => return self.next_wire(&state, &selected, back),
            Intent::Escape => self.escape(&state, &selected),
            Intent::Reveal => {
                if let Some(node) = node {
                    self.reveal(node);
                }
                self.focus(node);
            }
            Intent::Focus => {
                let port = state.focus.borrow().port.clone();
                let again = port.filter(|end| node.is_none() || node == Some(&end.node));
                self.focus(node);
                self.focus_port(again);
            }
            intent => {
                let resolved = self.resolved(&state, selected, intent);
                return resolved.is_some_and(|intent| (state.perform)(*self, intent));
            }
        }
        true
    }

    /// Returns the intent with its target, if that is what is selected; `None` if there is none.
    fn resolved(&self, state: &State, selected: Selected, intent: Intent) -> Option<Intent> {
        let node = selected.nodes.first().cloned();
        let wire = selected.wires.first().cloned();
        let connections = |end: End| Intent::Connections(Some((end.node.clone(), Some(end))));
        Some(match intent {
            Intent::SelectAll => select(set_of(state.scene().nodes.keys().cloned())),
            Intent::SelectAfter => {
                node?;
                select(state.scene().downstream(&selected.nodes))
            }
            Intent::Arrow(direction, far) => {
                Intent::Nudge(direction.step() * (SNAP * if far { 5.0 } else { 1.0 }))
            }
            Intent::Connections(None) => match self.focused_port() {
                Some(end) => connections(end),
                None => Intent::Connections(Some((node?, None))),
            },
            Intent::Bend(None) => {
                let wire = wire?;
                let at = state.scene().curve(&wire)?.roomiest();
                Intent::Bend(Some((wire, at)))
            }
            Intent::Open(None) => match (self.focused_port(), node) {
                (Some(end), _) => connections(end),
                (None, Some(node)) => Intent::Open(Some(node)),
                (None, None) => {
                    let wire = wire?;
                    let middle = state.scene().curve(&wire).map(|curve| curve.middle());
                    Intent::Insert(wire, self.on_screen(middle.unwrap_or_default()))
                }
            },
            Intent::Rename(None) if selected.nodes.len() == 1 => Intent::Rename(node),
            Intent::Rename(None) => return None,
            Intent::Delete if selected == Selected::default() => return None,
            intent => intent,
        })
    }

    /// Returns the port that has the keyboard focus.
    pub fn focused_port(&self) -> Option<End> {
        let active = document().active_element()?;
        let port = self.state()?.focus.borrow().port.clone();
        port.filter(|_| active.class_list().contains("port"))
    }

    /// Moves the keyboard focus to a port; `None` only removes the mark.
    fn focus_port(&self, end: Option<End>) {
        let Some(state) = self.state() else { return };
        state.focus.borrow_mut().port = end.clone();
        let Some(end) = end else { return };
        let scene = state.scene();
        let way = match end.port.side() {
            Side::Input => "Input",
            Side::Output => "Output",
        };
        let mut words = format!("{way} {} of {}", end.port.key(), state.words(&end.node));
        for wire in scene.wires_at(&end) {
            let other = if wire.from == end {
                &wire.to
            } else {
                &wire.from
            };
            words += &format!(". Wired to {}", state.words(&other.node));
        }
        let port = state.placed.borrow().port(&end);
        if let Some(port) = port.and_then(|port| port.dyn_into::<HtmlElement>().ok()) {
            // A port is no tab stop: it is reached from its node.
            for (name, value) in [
                ("tabindex", "-1"),
                ("role", "button"),
                ("aria-label", &words),
            ] {
                let _ = port.set_attribute(name, value);
            }
            let _ = port.focus();
        }
    }

    fn escape(&self, state: &State, selected: &Selected) {
        let cancelled = state.hand.borrow_mut().gesture.cancel();
        if cancelled {
            self.redraw();
        } else if self.focused_port().is_some() {
            self.focus_port(None);
            self.focus(selected.nodes.first());
        } else if *selected != Selected::default() {
            self.perform(Intent::Select(Selected::default()));
            self.focus(None);
        } else {
            self.perform(Intent::Leave);
        }
    }

    /// Goes to the nearest node in a direction; from a selected wire, to its end; without a
    /// selection, to the node nearest to the center of the view.
    fn go(&self, state: &State, selected: &Selected, direction: Direction) -> bool {
        let scene = state.scene();
        let along = selected.wires.first();
        let next = match (selected.nodes.first(), along) {
            (Some(node), _) => scene.neighbour(node, direction).cloned(),
            (None, Some(wire)) => Some(match direction {
                Direction::Left | Direction::Up => wire.from.node.clone(),
                Direction::Right | Direction::Down => wire.to.node.clone(),
            }),
            (None, None) => {
                let middle = self.middle();
                let distance = |node: &Node| {
                    let rect = scene.nodes.get(node).map(|shape| shape.rect);
                    rect.map_or(f64::MAX, |rect| (rect.center() - middle).length())
                };
                let nodes = scene.nodes.keys().filter(|node| node.is_solid());
                let nearest = nodes.min_by(|a, b| distance(a).total_cmp(&distance(b)));
                nearest.cloned()
            }
        };
        let Some(next) = next else {
            // At the edge the key is still handled here: the browser would scroll, or go back.
            return selected.nodes.first().is_some();
        };
        self.go_to(&next);
        true
    }

    /// Goes through the nodes in reading order, and leaves the canvas at either end of it.
    fn step(&self, state: &State, selected: &Selected, back: bool) -> bool {
        let order = state.content.order();
        let current = order.iter().position(|node| selected.nodes.contains(node));
        let next = match (current, back) {
            (Some(index), false) => index.checked_add(1),
            (Some(0), true) if !self.has_focus_itself(state) => {
                self.focus(None);
                return true;
            }
            (Some(index), true) => index.checked_sub(1),
            (None, false) => Some(0),
            (None, true) => None,
        };
        let next = next.and_then(|index| order.get(index));
        if let Some(node) = next {
            self.go_to(node);
        }
        next.is_some()
    }

    fn has_focus_itself(&self, state: &State) -> bool {
        let elements = state.elements.borrow();
        let active = document().active_element();
        elements
            .as_ref()
            .is_some_and(|e| active.as_ref() == Some(&e.root))
    }

    fn go_to(&self, node: &Node) {
        self.focus_port(None);
        self.perform(select([node.clone()].into()));
        self.reveal(node);
        self.focus(Some(node));
    }

    /// Focuses the next port of a node.
    fn next_port(&self, state: &State, node: Option<Node>, back: bool) -> bool {
        let scene = state.scene();
        let before = self.focused_port();
        let Some(node) = before.as_ref().map(|end| end.node.clone()).or(node) else {
            return false;
        };
        let Some(shape) = scene.nodes.get(&node) else {
            return false;
        };
        let ends = shape.sockets.iter().map(|socket| End {
            node: node.clone(),
            port: socket.port,
        });
        let ends: Vec<End> = ends.collect();
        let next = next_cyclic(&ends, before.as_ref(), back);
        if next.is_some() {
            self.reveal(&node);
        }
        self.focus_port(next);
        true
    }

    /// Selects the next wire of the port or the nodes, or of the node that the selected wire
    /// leaves.
    fn next_wire(&self, state: &State, selected: &Selected, back: bool) -> bool {
        let scene = state.scene();
        let before = selected.wires.first();
        let home = state.focus.borrow().wire_home.clone();
        let home = home.filter(|home| before.is_some_and(|wire| wire.touches(home)));
        let (port, node) = (
            self.focused_port(),
            selected.nodes.first().cloned().or(home),
        );
        let touches = |wire: &&Wire| match (&port, &node) {
            (Some(end), _) => wire.ends_at(end),
            (None, Some(node)) => wire.touches(node),
            (None, None) => true,
        };
        let wires: Vec<Wire> = scene.wires.keys().filter(touches).cloned().collect();
        let Some(next) = next_cyclic(&wires, before, back) else {
            return false;
        };
        state.focus.borrow_mut().wire_home = node;
        if let Some(curve) = scene.curve(&next) {
            let rect = Rect::at(curve.middle(), 0.0, 0.0);
            self.look(self.camera().revealing(rect, self.size(), 48.0));
        }
        let words = |end: &End| state.words(&end.node);
        live::say(&format!(
            "Wire from {} to {}",
            words(&next.from),
            words(&next.to)
        ));
        self.perform(Intent::Select(Selected {
            wires: [next].into(),
            ..Selected::default()
        }));
        self.focus_port(None);
        self.focus(None);
        true
    }
}

/// Returns the element after this one, cyclically.
fn next_cyclic<T: PartialEq + Clone>(all: &[T], before: Option<&T>, back: bool) -> Option<T> {
    let count = all.len();
    let at = before.and_then(|before| all.iter().position(|each| each == before));
    let next = match (at, back) {
        (None, false) => 0,
        (None, true) => count.checked_sub(1)?,
        (Some(at), false) => (at + 1) % count,
        (Some(at), true) => (at + count - 1) % count,
    };
    all.get(next).cloned()
}

fn select(nodes: BTreeSet<Node>) -> Intent {
    Intent::Select(Selected {
        nodes,
        ..Selected::default()
    })
}

impl Direction {
    /// Returns one unit in this direction.
    fn step(self) -> Vec2 {
        match self {
            Self::Left => Vec2::new(-1.0, 0.0),
            Self::Right => Vec2::new(1.0, 0.0),
            Self::Up => Vec2::new(0.0, -1.0),
            Self::Down => Vec2::new(0.0, 1.0),
        }
    }
}
