//! The view of a canvas's camera, and what is there.

use std::collections::BTreeSet;
use std::rc::Rc;

use leptos::ev::PointerEvent;
use taskloom_document::Point;

use super::camera::Camera;
use super::geometry::{Rect, Vec2};
use super::gesture::SNAP;
use super::scene::Node;
use super::surface::{State, Surface};

/// The padding around fitted content, in pixels: room for the bars at the canvas's edge.
const PADDING: f64 = 56.0;

impl Surface {
    /// Returns the camera.
    pub fn camera(&self) -> Camera {
        let state = self.state();
        state.map_or_else(Camera::default, |s| s.viewport.borrow().camera())
    }

    /// Sets the initial camera of a canvas that was open before.
    pub(super) fn reopen(&self, camera: Camera) {
        if let Some(state) = self.state() {
            state.viewport.borrow_mut().before = Some(camera);
        }
    }

    /// Shows other content, with the camera that it was closed with if it was open before. Without
    /// that it gets its initial camera.
    pub(super) fn open_again(&self, before: Option<Camera>) {
        let Some(state) = self.state() else { return };
        let size = self.size();
        if state.viewport.borrow().opened().is_none() {
            state.viewport.borrow_mut().before = before;
            return;
        }
        let opening = || state.content.opening(size);
        self.look(before.or_else(opening).unwrap_or_default());
    }

    /// Returns the camera of a canvas that is closed, if it has been visible.
    pub(super) fn closing_camera(&self) -> Option<Camera> {
        self.state()?.viewport.borrow().opened()
    }

    /// Returns `true` if a part of a node is in view.
    pub fn sees(&self, node: &Node) -> bool {
        let rect = self.state().and_then(|state| {
            let scene = state.scene();
            scene.nodes.get(node).map(|shape| shape.rect)
        });
        rect.is_some_and(|rect| rect.meets(&self.camera().window(self.size())))
    }

    /// Multiplies the zoom, about the center of the canvas.
    pub fn zoom_by(&self, factor: f64) {
        let camera = self.camera();
        self.look(camera.zoomed_about(self.size() * 0.5, camera.zoom * factor));
    }

    /// Fits these nodes into the view, or all if there are none.
    pub fn fit(&self, only: &BTreeSet<Node>) {
        let Some(state) = self.state() else { return };
        match state.scene().bounds(only) {
            Some(bounds) => self.look(Camera::fitting(bounds, self.size(), PADDING, 1.0)),
            None => {
                let opening = state.content.opening(self.size());
                self.look(opening.unwrap_or_default());
            }
        }
    }

    /// Moves the camera as little as possible to bring a node into view.
    pub fn reveal(&self, node: &Node) {
        let Some(state) = self.state() else { return };
        let rect = state.scene().nodes.get(node).map(|shape| shape.rect);
        if let Some(rect) = rect {
            self.reveal_rect(rect);
        }
    }

    /// Moves the view as far as necessary to show a part of the graph.
    pub fn reveal_rect(&self, rect: Rect) {
        self.look(self.camera().revealing(rect, self.size(), 24.0));
    }

    /// Returns the center of the view, in graph units.
    pub fn middle(&self) -> Vec2 {
        self.camera().to_graph(self.size() * 0.5)
    }

    /// Returns the last pointer position on the canvas, otherwise the center, in pixels.
    pub fn pointer_or_middle(&self) -> Vec2 {
        let pointer = self.state().and_then(|s| s.viewport.borrow().pointer);
        pointer.unwrap_or(self.size() * 0.5)
    }

    /// Takes a position in pixels for the last one of the pointer, such as that of a menu.
    pub fn point_at(&self, at: Vec2) {
        if let Some(state) = self.state() {
            state.viewport.borrow_mut().pointer = Some(at);
        }
    }

    /// Returns the last pointer position on the canvas, otherwise the center, snapped to the
    /// graph's grid.
    pub fn pointed(&self) -> Point {
        let at = self.camera().to_graph(self.pointer_or_middle());
        at.snapped(SNAP).to_point()
    }

    /// Returns the canvas's size in pixels.
    pub fn size(&self) -> Vec2 {
        let state = self.state();
        state.map_or(Vec2::default(), |s| s.viewport.borrow().size())
    }

    /// Centers the canvas on the point pressed on the minimap.
    pub(super) fn look_by_minimap(&self, event: &PointerEvent) {
        let pressed = |state: Rc<State>| state.minimap.borrow().pressed(event);
        if let Some(at) = self.state().and_then(pressed) {
            let camera = self.camera();
            let offset = self.size() * 0.5 - at * camera.zoom;
            self.look(Camera { offset, ..camera });
        }
    }

    /// Returns the canvas's corner on the page, in pixels. Asking may trigger a layout of the page.
    pub fn corner(&self) -> Vec2 {
        let state = self.state();
        state.map_or(Vec2::default(), |state| {
            let elements = state.elements.borrow();
            let rect = elements.as_ref().map(|e| e.root.get_bounding_client_rect());
            rect.map_or(Vec2::default(), |rect| Vec2::new(rect.x(), rect.y()))
        })
    }

    /// Converts a point of the graph into pixels from the canvas's corner.
    pub fn on_screen(&self, graph: Vec2) -> Vec2 {
        self.camera().to_screen(graph)
    }
}
