//! Where the canvas is looked at from, and how large it is.

use leptos::prelude::*;

use super::camera::Camera;
use super::geometry::Vec2;

/// In a row of changes of the zoom, every so many are told.
const TOLD: u32 = 8;

/// What is seen.
#[derive(Default)]
pub struct Viewport {
    /// From where.
    camera: Camera,
    /// The canvas's size in pixels.
    size: Vec2,
    /// Where the pointer was last, while it is on the canvas.
    pub pointer: Option<Vec2>,
    /// Whether it was looked at before.
    opened: bool,
    /// How often the zoom has changed without a rest.
    zooms: u32,
    /// Ends the row of changes.
    rest: Option<TimeoutHandle>,
}

impl Viewport {
    /// From where the canvas is looked at.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// The canvas's size in pixels.
    pub fn size(&self) -> Vec2 {
        self.size
    }

    /// Takes note of the canvas's size; tells whether it is seen for the first time.
    pub fn resize(&mut self, size: Vec2) -> bool {
        self.size = size;
        !std::mem::replace(&mut self.opened, true)
    }

    /// Looks from elsewhere; tells whether the zoom has changed.
    pub fn look(&mut self, camera: Camera) -> bool {
        let before = std::mem::replace(&mut self.camera, camera);
        (before.zoom / camera.zoom - 1.0).abs() > 1e-6
    }

    /// The zoom has changed: until `rest`, which ends by this timer.
    pub fn zoomed(&mut self, rest: Option<TimeoutHandle>) {
        self.zooms = self.zooms.saturating_add(1);
        if let Some(before) = std::mem::replace(&mut self.rest, rest) {
            before.clear();
        }
    }

    /// The zoom has not changed for a while.
    pub fn rest(&mut self) {
        (self.zooms, self.rest) = (0, None);
    }

    /// Whether the zoom has not changed for a while.
    pub fn is_at_rest(&self) -> bool {
        self.zooms == 0
    }

    /// Whether one change of the zoom follows the other.
    pub fn is_zooming(&self) -> bool {
        self.zooms > 1
    }

    /// Whether the zoom is told in this frame. In a row of changes some are: it is there to be read, and each new number
    /// costs the browser a layout.
    pub fn tells_zoom(&self) -> bool {
        !self.is_zooming() || self.zooms.is_multiple_of(TOLD)
    }
}
