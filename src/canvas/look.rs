//! Where the camera of a canvas looks, and what is there.

use std::collections::BTreeSet;

use taskloom::document::Point;

use super::camera::Camera;
use super::geometry::Vec2;
use super::gesture::SNAP;
use super::mount;
use super::scene::Node;
use super::surface::Surface;

/// Pixels around what is fitted: room for the bars at the canvas's edge.
const PADDING: f64 = 56.0;

impl Surface {
    /// The camera.
    pub fn camera(&self) -> Camera {
        self.state().map(|s| s.camera.get()).unwrap_or_default()
    }

    /// Looks from elsewhere.
    pub fn look(&self, camera: Camera) {
        if let Some(state) = self.state() {
            let before = state.camera.replace(camera);
            if mount::zooms(before, camera) {
                self.zoomed(&state);
            }
            self.redraw();
        }
    }

    /// Multiplies the zoom, about the middle of the canvas.
    pub fn zoom_by(&self, factor: f64) {
        let Some(state) = self.state() else { return };
        let camera = state.camera.get();
        self.look(camera.zoomed_about(state.size.get() * 0.5, camera.zoom * factor));
    }

    /// Shows these nodes, or all where there are none.
    pub fn fit(&self, only: &BTreeSet<Node>) {
        let Some(state) = self.state() else { return };
        match state.scene().bounds(only) {
            Some(bounds) => self.look(Camera::fitting(bounds, state.size.get(), PADDING, 1.0)),
            None => self.look(Camera::default()),
        }
    }

    /// Moves the camera as little as possible so that a node is seen.
    pub fn reveal(&self, node: &Node) {
        let Some(state) = self.state() else { return };
        let rect = state.scene().nodes.get(node).map(|shape| shape.rect);
        if let Some(rect) = rect {
            let camera = state.camera.get();
            self.look(camera.revealing(rect, state.size.get(), 24.0));
        }
    }

    /// The middle of what is seen, in graph units.
    pub fn middle(&self) -> Vec2 {
        self.state().map_or(Vec2::default(), |state| {
            state.camera.get().to_graph(state.size.get() * 0.5)
        })
    }

    /// Where the pointer was last on the canvas, else the middle, in pixels.
    pub fn pointer_or_middle(&self) -> Vec2 {
        self.state().map_or(Vec2::default(), |state| {
            state.pointer.get().unwrap_or(state.size.get() * 0.5)
        })
    }

    /// Where the pointer was last on the canvas, else the middle, on the grid of
    /// the graph.
    pub fn pointed(&self) -> Point {
        let at = self.camera().to_graph(self.pointer_or_middle());
        at.snapped(SNAP).to_point()
    }

    /// The canvas's size in pixels.
    pub fn size(&self) -> Vec2 {
        self.state().map_or(Vec2::default(), |s| s.size.get())
    }

    /// A point of the graph in pixels from the canvas's corner.
    pub fn on_screen(&self, graph: Vec2) -> Vec2 {
        self.camera().to_screen(graph)
    }
}
