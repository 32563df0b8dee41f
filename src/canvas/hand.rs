//! The state of the pointer, the fingers and the space bar.

use super::fingers::Fingers;
use super::geometry::Vec2;
use super::gesture::Gesture;

/// The state of the pointer, the fingers and the space bar.
#[derive(Default)]
pub struct Hand {
    /// The gesture in progress.
    pub gesture: Gesture,
    /// The fingers on the canvas.
    pub fingers: Fingers,
    /// `true` while the space bar is held.
    pub space: bool,
    /// The canvas's corner on the page when the gesture began.
    pub corner: Vec2,
}
