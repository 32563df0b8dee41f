//! What has elements: all of a small graph; of a large one what is near, selected or focused. The canvas behind draws
//! the rest.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::web_sys::{self, HtmlElement};

use super::camera::{Camera, FAR};
use super::geometry::{Rect, Vec2};
use super::gesture::Gesture;
use super::scene::{Node, Wire};
use super::surface::{State, Surface};

/// Up to so many nodes are all mounted.
const ALL: usize = 400;
/// Graph units around what is seen in which nodes are mounted, and in which they have to be.
const MARGIN: f64 = 200.0;
const LEAST_MARGIN: f64 = 60.0;
/// More wires than these are drawn, not mounted.
const WIRES: usize = 400;
/// A wire that is longer, in graph units, is drawn: as an element it is a picture of its whole length.
const LONG: f64 = 4000.0;
/// So many of what is selected stays mounted wherever it is.
const KEPT: usize = 60;
/// For how long after a zoom another one is expected.
const IN_FLIGHT: Duration = Duration::from_millis(120);
/// For how long at least the camera stays where it is before it rests.
const RESTING: Duration = Duration::from_millis(160);

/// What has elements, where not everything has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mounted {
    /// Nodes.
    pub nodes: BTreeSet<Node>,
    /// Wires.
    pub wires: BTreeSet<Wire>,
}

impl Surface {
    /// Whether a node has an element; who asks in an effect hears of changes.
    pub fn has_node(&self) -> impl Fn(&Node) -> bool + use<> {
        let (mounted, all) = self.what_is_mounted();
        move |node| mounted.as_ref().map_or(all, |m| m.nodes.contains(node))
    }

    /// Whether a wire has an element.
    pub fn has_wire(&self) -> impl Fn(&Wire) -> bool + use<> {
        let (mounted, all) = self.what_is_mounted();
        move |wire| mounted.as_ref().map_or(all, |m| m.wires.contains(wire))
    }

    /// What is mounted; where nothing has been chosen, whether everything is: of a large graph nothing is before the
    /// first frame.
    fn what_is_mounted(&self) -> (Option<Arc<Mounted>>, bool) {
        let small = self.state().is_some_and(|s| s.scene().nodes.len() <= ALL);
        (self.mounted.get(), small)
    }

    /// Notes that the zoom has changed. While one change follows the other, nothing new is mounted.
    pub(super) fn zoomed(&self, state: &State) {
        state.zooms.set(state.zooms.get().wrapping_add(1));
        state.zooming.set(state.zoomed.replace(true));
        if !state.zooming.get() {
            self.settle(state.zooms.get());
        }
    }

    /// Ends what [`Self::zoomed`] began once no change has followed the one of this turn. One timer looks again and again,
    /// instead of one a change.
    fn settle(self, turn: u32) {
        set_timeout(
            move || {
                let Some(state) = self.state() else { return };
                if state.zooms.get() != turn {
                    return self.settle(state.zooms.get());
                }
                state.zoomed.set(false);
                state.zooming.set(false);
                self.redraw();
            },
            IN_FLIGHT,
        );
    }
}

impl State {
    /// While the camera moves, the elements are a layer that moves as a picture; at rest they are sharp again.
    pub fn lift(self: &Rc<Self>) {
        if self.shown.get() == Some(self.camera.get()) {
            return;
        }
        self.moves.set(self.moves.get().wrapping_add(1));
        if let (Some(elements), false) = (&*self.elements.borrow(), self.lifted.get()) {
            self.lifted.set(true);
            let _ = elements.world.class_list().add_1("moving");
            self.clone().land(elements.world.clone());
        }
    }

    /// Ends what [`Self::lift`] began once the camera rests. One timer looks again and again, instead of one a frame.
    fn land(self: Rc<Self>, world: HtmlElement) {
        let turn = self.moves.get();
        set_timeout(
            move || {
                if self.moves.get() != turn {
                    return self.land(world);
                }
                self.lifted.set(false);
                let _ = world.class_list().remove_1("moving");
            },
            RESTING,
        );
    }

    /// Chooses anew what is mounted; tells whether that has changed.
    pub fn choose_mounted(&self) -> bool {
        let scene = self.scene();
        let stale = self.stale.get();
        if scene.nodes.len() <= ALL {
            self.stale.set(false);
            return self.mounted.borrow_mut().take().is_some();
        }
        let first = self.mounted.borrow().is_none();
        let camera = self.camera.get();
        let window = camera.window(self.size.get());
        let far = camera.zoom < FAR;
        let enough = match far {
            true => self.covered.get() == Rect::default(),
            false => holds(&self.covered.get(), &window.grown(LEAST_MARGIN)),
        };
        let busy = self.zooming.get() || matches!(*self.gesture.borrow(), Gesture::Move(_));
        if !first && !stale && (enough || busy) {
            return false;
        }
        self.stale.set(false);
        let region = if far {
            Rect::default()
        } else {
            window.grown(MARGIN)
        };
        self.covered.set(region);
        let selected = self.selected();
        let mut kept: BTreeSet<Node> =
            BTreeSet::from_iter(selected.nodes.iter().take(KEPT).cloned());
        kept.extend(self.focused());
        let mut wires = BTreeSet::from_iter(selected.wires.iter().take(KEPT).cloned());
        let looked_at = self.hovered.try_get_untracked().flatten();
        if looked_at.is_some() || !kept.is_empty() {
            let near = |node: &Node| kept.contains(node) || looked_at.as_ref() == Some(node);
            let touching = scene.wires.keys();
            let touching = touching.filter(|wire| near(&wire.from.node) || near(&wire.to.node));
            wires.extend(touching.take(WIRES).cloned());
        }
        let mut nodes = kept;
        // There are few, and what they say is read from far away, too.
        nodes.extend(scene.frames().map(|(frame, _)| frame.clone()));
        if !far {
            nodes.extend(scene.nodes_near(&region).map(|(node, _)| node.clone()));
            let is_short = |wire: &&Wire| {
                let bounds = scene.curve(wire).map(|curve| curve.bounds());
                bounds.is_some_and(|bounds| bounds.w.max(bounds.h) <= LONG)
            };
            let near = scene.wires_near(&region).map(|(wire, _)| wire);
            let near: Vec<_> = near.filter(is_short).collect();
            if near.len() <= WIRES {
                wires.extend(near.into_iter().cloned());
            }
        }
        let now = Mounted { nodes, wires };
        let changed = self.mounted.borrow().as_deref() != Some(&now);
        if changed {
            *self.mounted.borrow_mut() = Some(Arc::new(now));
        }
        changed
    }

    /// The node that has the keyboard's focus, or a field of which has.
    fn focused(&self) -> Option<Node> {
        let active = document().active_element()?;
        let active: &web_sys::Node = active.as_ref();
        let nodes = self.nodes.borrow();
        let mut nodes = nodes.iter();
        let (node, _) = nodes.find(|(_, element)| element.contains(Some(active)))?;
        Some(node.clone())
    }

    /// Whether a node is drawn by the canvas behind.
    pub fn is_drawn(&self, node: &Node) -> bool {
        let mounted = self.mounted.borrow();
        mounted.as_ref().is_some_and(|m| !m.nodes.contains(node))
    }
}

fn holds(outer: &Rect, inner: &Rect) -> bool {
    outer.contains(inner.corner()) && outer.contains(Vec2::new(inner.right(), inner.bottom()))
}

/// Whether another camera shows things at another size.
pub(super) fn zooms(before: Camera, after: Camera) -> bool {
    (before.zoom / after.zoom - 1.0).abs() > 1e-6
}
