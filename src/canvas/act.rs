//! Keyboard actions of both canvases: camera, selection, focus.

use std::collections::BTreeSet;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

use super::geometry::{Rect, Vec2};
use super::gesture::{Command, SNAP};
use super::scene::{Direction, End, Node, Selected, Side, Wire};
use super::surface::{State, Surface};
use crate::web::live;

/// An action that both canvases support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Act {
    /// Fit everything into the view.
    Fit,
    /// Fit the selection into the view.
    FitSelection,
    /// Multiply the zoom.
    Zoom(f64),
    /// Zoom to 100 %.
    ActualSize,
    /// Show or hide the minimap.
    Minimap,
    /// Select all nodes.
    SelectAll,
    /// Add everything downstream of the selection to it.
    SelectAfter,
    /// An arrow key: moves the selection, farther with Shift; without a selection, goes to a node.
    Arrow(Direction, bool),
    /// Go to the node in this direction.
    Go(Direction),
    /// Go to the next node in reading order, or to the previous one if `true`.
    Step(bool),
    /// Go to the next port of the node, or to the previous one if `true`.
    Port(bool),
    /// Go to the next wire of the node or the port, or to the previous one if `true`.
    Wire(bool),
    /// Open the search for something to add.
    Add,
    /// Open the search for something to connect to the node or the port.
    Connect,
    /// Add a bend point to the selected wire.
    Bend,
    /// Put a frame around the selection.
    Frame,
    /// Open the selected node.
    Open,
    /// Edit the node's name or text.
    Rename,
    /// Delete the selection.
    Delete,
    /// Cancel the gesture, otherwise clear the selection, otherwise leave.
    Escape,
    /// Scroll the selection into view and focus it.
    Reveal,
    /// Take the focus.
    Focus,
}

impl Surface {
    /// Performs the action. Returns `true` if there was something to do.
    pub fn act(&self, act: Act) -> bool {
        let Some(state) = self.state() else {
            return false;
        };
        let selected = state.selected();
        let node = selected.nodes.first().cloned();
        let perform = |command| {
            self.perform(command);
            true
        };
        match act {
            Act::Fit => self.fit(&BTreeSet::new()),
            Act::FitSelection => self.fit(&selected.nodes),
            Act::Zoom(factor) => self.zoom_by(factor),
            Act::ActualSize => self.zoom_by(1.0 / self.camera().zoom),
            Act::Minimap => state.presets.toggle_minimap(),
            Act::SelectAll => {
                let nodes = BTreeSet::from_iter(state.scene().nodes.keys().cloned());
                return perform(select(nodes));
            }
            Act::SelectAfter if node.is_none() => return false,
            Act::SelectAfter => return perform(select(state.scene().downstream(&selected.nodes))),
            Act::Arrow(direction, _) if selected.nodes.is_empty() => {
                return self.go(&state, &selected, direction);
            }
            Act::Arrow(direction, far) => {
                let by = direction.step() * (SNAP * if far { 5.0 } else { 1.0 });
                let nodes = state.scene().with_contents(&selected.nodes);
                return perform(Command::Nudge(nodes, by));
            }
            Act::Go(direction) => return self.go(&state, &selected, direction),
            Act::Step(back) => return self.step(&state, &selected, back),
            Act::Port(back) => return self.next_port(&state, node, back),
            Act::Wire(back) => return self.next_wire(&state, &selected, back),
            Act::Add => return perform(Command::Add),
            Act::Connect => match (self.focused_port(), node) {
                (Some(end), _) => {
                    return perform(Command::Connections(end.node.clone(), Some(end)));
                }
                (None, Some(node)) => return perform(Command::Connections(node, None)),
                (None, None) => return false,
            },
            Act::Bend => {
                let scene = state.scene();
                let wire = selected.wires.first().cloned();
                let bent = wire.and_then(|wire| Some((scene.curve(&wire)?.roomiest(), wire)));
                return bent.is_some_and(|(at, wire)| perform(Command::Bend(wire, at)));
            }
            Act::Frame => {
                let around = state.scene().bounds(&selected.nodes);
                return perform(Command::Frame(around.filter(|_| node.is_some())));
            }
            Act::Open => {
                let wire = selected.wires.first().cloned();
                return match (self.focused_port(), node, wire) {
                    (Some(end), ..) => perform(Command::Connections(end.node.clone(), Some(end))),
                    (None, Some(node), _) => perform(Command::Open(node)),
                    (None, None, Some(wire)) => {
                        let middle = state.scene().curve(&wire).map(|curve| curve.middle());
                        perform(Command::Insert(
                            wire,
                            self.on_screen(middle.unwrap_or_default()),
                        ))
                    }
                    (None, None, None) => false,
                };
            }
            Act::Rename => match node {
                Some(node) if selected.nodes.len() == 1 => return perform(Command::Rename(node)),
                _ => return false,
            },
            Act::Delete if selected == Selected::default() => return false,
            Act::Delete => return perform(Command::Delete(selected)),
            Act::Escape => return self.escape(&state, &selected),
            Act::Reveal => {
                if let Some(node) = &node {
                    self.reveal(node);
                }
                self.focus(node.as_ref());
            }
            Act::Focus => {
                let port = state.focus.borrow().port.clone();
                let again = port.filter(|end| node.is_none() || node.as_ref() == Some(&end.node));
                self.focus(node.as_ref());
                self.focus_port(again);
            }
        }
        true
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

    fn escape(&self, state: &State, selected: &Selected) -> bool {
        let cancelled = state.hand.borrow_mut().gesture.cancel();
        if cancelled {
            self.redraw();
        } else if self.focused_port().is_some() {
            self.focus_port(None);
            self.focus(selected.nodes.first());
        } else if *selected != Selected::default() {
            self.perform(Command::Select(Selected::default()));
            self.focus(None);
        } else {
            self.perform(Command::Leave);
        }
        true
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
        self.perform(Command::Select(Selected {
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

fn select(nodes: BTreeSet<Node>) -> Command {
    Command::Select(Selected {
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
