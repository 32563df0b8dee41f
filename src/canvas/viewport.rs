//! The camera of the canvas, and the canvas's size.

use leptos::prelude::*;

use super::camera::Camera;
use super::geometry::Vec2;

/// The interval at which changes are shown while the zoom changes repeatedly.
const SHOW_INTERVAL: u32 = 8;

/// The visible part of a canvas.
#[derive(Default)]
pub struct Viewport {
    /// The camera.
    camera: Camera,
    /// The canvas's size in pixels.
    size: Vec2,
    /// The last pointer position, while the pointer is on the canvas.
    pub pointer: Option<Vec2>,
    /// `true` once the initial camera was set.
    opened: bool,
    /// The initial camera, if the canvas was open before.
    pub before: Option<Camera>,
    /// The number of zoom changes without a rest.
    zooms: u32,
    /// The timer that ends a series of changes.
    rest: Option<TimeoutHandle>,
}

impl Viewport {
    /// Returns the camera.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// Returns the canvas's size in pixels.
    pub fn size(&self) -> Vec2 {
        self.size
    }

    /// Sets the canvas's size. Returns `true` if it is visible for the first time.
    pub fn resize(&mut self, size: Vec2) -> bool {
        self.size = size;
        !std::mem::replace(&mut self.opened, true)
    }

    /// Returns the camera, if the canvas has been visible.
    pub fn opened(&self) -> Option<Camera> {
        self.opened.then_some(self.camera)
    }

    /// Sets the camera. Returns `true` if the zoom has changed.
    pub fn look(&mut self, camera: Camera) -> bool {
        let before = std::mem::replace(&mut self.camera, camera);
        (before.zoom / camera.zoom - 1.0).abs() > 1e-6
    }

    /// Records a zoom change, which lasts until `rest` is called by this timer.
    pub fn zoomed(&mut self, rest: Option<TimeoutHandle>) {
        self.zooms = self.zooms.saturating_add(1);
        if let Some(before) = std::mem::replace(&mut self.rest, rest) {
            before.clear();
        }
    }

    /// Records that the zoom has not changed for a while.
    pub fn rest(&mut self) {
        (self.zooms, self.rest) = (0, None);
    }

    /// Returns `true` if the zoom has not changed for a while.
    pub fn is_at_rest(&self) -> bool {
        self.zooms == 0
    }

    /// Returns `true` if the zoom is changing repeatedly.
    pub fn is_zooming(&self) -> bool {
        self.zooms > 1
    }

    /// Returns `true` if the zoom is shown in this frame. In a series of changes only some are: it
    /// is meant to be read, and each new number costs the browser a layout.
    pub fn shows_zoom(&self) -> bool {
        !self.is_zooming() || self.zooms.is_multiple_of(SHOW_INTERVAL)
    }
}
