//! Where the camera of a canvas looks, and what is there.

use std::collections::BTreeSet;
use std::rc::Rc;

use leptos::ev::PointerEvent;
use taskloom::document::Point;

use super::camera::Camera;
use super::geometry::Vec2;
use super::gesture::SNAP;
use super::scene::Node;
use super::surface::{State, Surface};

/// Pixels around what is fitted: room for the bars at the canvas's edge.
const PADDING: f64 = 56.0;

impl Surface {
    /// The camera.
    pub fn camera(&self) -> Camera {
        let state = self.state();
        state.map_or_else(Camera::default, |s| s.viewport.borrow().camera())
    }

    /// Multiplies the zoom, about the middle of the canvas.
    pub fn zoom_by(&self, factor: f64) {
        let camera = self.camera();
        self.look(camera.zoomed_about(self.size() * 0.5, camera.zoom * factor));
    }

    /// Shows these nodes, or all where there are none.
    pub fn fit(&self, only: &BTreeSet<Node>) {
        let Some(state) = self.state() else { return };
        match state.scene().bounds(only) {
            Some(bounds) => self.look(Camera::fitting(bounds, self.size(), PADDING, 1.0)),
            None => self.look(Camera::default()),
        }
    }

    /// Moves the camera as little as possible so that a node is seen.
    pub fn reveal(&self, node: &Node) {
        let Some(state) = self.state() else { return };
        let rect = state.scene().nodes.get(node).map(|shape| shape.rect);
        if let Some(rect) = rect {
            self.look(self.camera().revealing(rect, self.size(), 24.0));
        }
    }

    /// The middle of what is seen, in graph units.
    pub fn middle(&self) -> Vec2 {
        self.camera().to_graph(self.size() * 0.5)
    }

    /// Where the pointer was last on the canvas, else the middle, in pixels.
    pub fn pointer_or_middle(&self) -> Vec2 {
        let pointer = self.state().and_then(|s| s.viewport.borrow().pointer);
        pointer.unwrap_or(self.size() * 0.5)
    }

    /// Where the pointer was last on the canvas, else the middle, on the grid of
    /// the graph.
    pub fn pointed(&self) -> Point {
        let at = self.camera().to_graph(self.pointer_or_middle());
        at.snapped(SNAP).to_point()
    }

    /// The canvas's size in pixels.
    pub fn size(&self) -> Vec2 {
        let state = self.state();
        state.map_or(Vec2::default(), |s| s.viewport.borrow().size())
    }

    /// What is under a point of the minimap comes into the middle of the canvas.
    pub(super) fn look_by_minimap(&self, event: &PointerEvent) {
        let pressed = |state: Rc<State>| state.minimap.borrow().pressed(event);
        if let Some(at) = self.state().and_then(pressed) {
            let camera = self.camera();
            let offset = self.size() * 0.5 - at * camera.zoom;
            self.look(Camera { offset, ..camera });
        }
    }

    /// A point of the graph in pixels from the canvas's corner.
    pub fn on_screen(&self, graph: Vec2) -> Vec2 {
        self.camera().to_screen(graph)
    }
}
