//! What the pointer, the fingers and the space bar are doing.

use std::collections::BTreeMap;

use super::geometry::Vec2;
use super::gesture::Gesture;

/// What the pointer, the fingers and the space bar are doing.
#[derive(Default)]
pub struct Hand {
    /// The gesture under way.
    pub gesture: Gesture,
    /// Where fingers are, by their numbers.
    pub fingers: BTreeMap<i32, Vec2>,
    /// Whether the space bar is held.
    pub space: bool,
    /// The canvas's corner on the page when the gesture began.
    pub corner: Vec2,
}
