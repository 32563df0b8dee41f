//! The fingers on a view that two of them pan and zoom.

use std::collections::BTreeMap;

use super::camera::Camera;
use super::geometry::Vec2;

/// The fingers that touch a view, by their pointer ids.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fingers(BTreeMap<i32, Vec2>);

/// The movement of two fingers since the previous event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pinch {
    /// The displacement of the point between them.
    pub by: Vec2,
    /// The point between the fingers.
    pub about: Vec2,
    /// The factor by which their distance has changed.
    pub factor: f64,
}

impl Pinch {
    /// Returns the camera after this movement.
    pub fn applied(&self, camera: Camera) -> Camera {
        camera
            .panned(self.by)
            .zoomed_about(self.about, camera.zoom * self.factor)
    }
}

impl Fingers {
    /// Adds a finger. Returns the number of fingers.
    pub fn press(&mut self, id: i32, at: Vec2) -> usize {
        self.0.insert(id, at);
        self.0.len()
    }

    /// Removes a finger. Returns the number of the others.
    pub fn lift(&mut self, id: i32) -> usize {
        self.0.remove(&id);
        self.0.len()
    }

    /// Returns the number of fingers.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Moves a finger. Returns the pinch that results if there are two.
    pub fn drag(&mut self, id: i32, at: Vec2) -> Option<Pinch> {
        let before = std::mem::replace(self.0.get_mut(&id)?, at);
        if self.0.len() != 2 {
            return None;
        }
        let (_, other) = self.0.iter().find(|(other, _)| **other != id)?;
        let (was, is) = ((before - *other).length(), (at - *other).length());
        Some(Pinch {
            by: (at - before) * 0.5,
            about: (at + *other) * 0.5,
            factor: if was > 1.0 { is / was } else { 1.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Fingers {
        let mut fingers = Fingers::default();
        assert_eq!(fingers.press(1, Vec2::new(100.0, 100.0)), 1);
        assert_eq!(fingers.press(2, Vec2::new(200.0, 100.0)), 2);
        fingers
    }

    #[test]
    fn zooms_about_the_point_between_two_fingers() {
        let mut fingers = two();
        let pinch = fingers.drag(2, Vec2::new(300.0, 100.0));
        let expected = Pinch {
            by: Vec2::new(50.0, 0.0),
            about: Vec2::new(200.0, 100.0),
            factor: 2.0,
        };
        assert_eq!(pinch, Some(expected));
        let before = Camera::default();
        let camera = expected.applied(before);
        assert_eq!(camera.zoom, 2.0 * before.zoom);
        // What was between the fingers stays between them.
        let between = before.to_graph(Vec2::new(150.0, 100.0));
        assert_eq!(camera.to_graph(expected.about), between);
    }

    #[test]
    fn one_finger_and_three_fingers_pinch_nothing() {
        let mut fingers = two();
        fingers.press(3, Vec2::default());
        assert_eq!(fingers.drag(3, Vec2::new(50.0, 0.0)), None);
        assert_eq!(fingers.lift(3), 2);
        assert_eq!(fingers.lift(2), 1);
        assert_eq!(fingers.drag(1, Vec2::new(50.0, 0.0)), None);
        assert_eq!(fingers.drag(7, Vec2::default()), None, "it isn't pressed");
    }
}
