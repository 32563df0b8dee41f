//! The camera of a canvas: one offset and one zoom factor.

use super::geometry::{Rect, Vec2};

/// The minimum zoom.
pub const MIN_ZOOM: f64 = 0.01;
/// The margin around a canvas's initial view, in pixels.
pub const MARGIN: f64 = 20.0;
/// The part of the initial view that the breadcrumbs or the headings take, in pixels.
pub const TOP: f64 = 68.0;
/// The minimum zoom of a first view: names are 11 pixels high.
pub const LEGIBLE: f64 = 0.85;
/// The zoom below which no text can be read: if there are many blocks, they are drawn instead of
/// mounted.
pub const FAR: f64 = 0.45;
/// The maximum zoom.
pub const MAX_ZOOM: f64 = 3.0;

/// Maps graph units to pixels of the canvas: `screen = graph * zoom + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The screen position of the graph's origin, in pixels from the canvas's corner.
    pub offset: Vec2,
    /// The number of pixels per graph unit.
    pub zoom: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            offset: Vec2::new(60.0, 60.0),
            zoom: 1.0,
        }
    }
}

impl Camera {
    /// Returns the point of the graph under a point of the screen.
    pub fn to_graph(self, screen: Vec2) -> Vec2 {
        (screen - self.offset) * (1.0 / self.zoom)
    }

    /// Returns the screen position of a point of the graph.
    pub fn to_screen(self, graph: Vec2) -> Vec2 {
        graph * self.zoom + self.offset
    }

    /// Returns the camera after dragging the canvas by this many pixels.
    pub fn panned(self, by: Vec2) -> Self {
        Self {
            offset: self.offset + by,
            ..self
        }
    }

    /// Returns the camera at another zoom, with the same point of the graph at `screen`.
    pub fn zoomed_about(self, screen: Vec2, zoom: f64) -> Self {
        let fixed = self.to_graph(screen);
        let zoom = zoom.clamp(MIN_ZOOM, MAX_ZOOM);
        Self {
            offset: screen - fixed * zoom,
            zoom,
        }
    }

    /// Returns the camera that shows all of `content` in the center of a viewport of `size` pixels,
    /// as large as `padding` pixels around it and `max_zoom` allow.
    pub fn fitting(content: Rect, size: Vec2, padding: f64, max_zoom: f64) -> Self {
        let room = Vec2::new(
            (size.x - 2.0 * padding).max(1.0),
            (size.y - 2.0 * padding).max(1.0),
        );
        let zoom = (room.x / content.w.max(1.0))
            .min(room.y / content.h.max(1.0))
            .clamp(MIN_ZOOM, max_zoom);
        Self {
            offset: size * 0.5 - content.center() * zoom,
            zoom,
        }
    }

    /// Returns the initial camera for `content`: all of it if that is legible at the zoom `least`,
    /// otherwise its beginning, the upper left corner.
    pub fn opening(content: Rect, size: Vec2, least: f64) -> Self {
        let whole = Self::fitting(content, size, MARGIN, 1.0);
        Self::beginning(content, size, whole.zoom.max(least))
    }

    /// Returns the camera with this zoom that shows `content` in the center if it fits, otherwise its
    /// upper left corner. Narrow content has room on its right, where it grows.
    pub fn beginning(content: Rect, size: Vec2, zoom: f64) -> Self {
        let centred = (size - Vec2::new(content.w, content.h) * zoom) * 0.5;
        let left = match centred.x {
            x if x < 0.0 => MARGIN,
            x => x.min(size.x * 0.25),
        };
        let corner = Vec2::new(left, centred.y.max(TOP));
        Self {
            offset: corner - content.corner() * zoom,
            zoom,
        }
    }

    /// Returns the part of the graph that a viewport of `size` pixels shows.
    pub fn window(self, size: Vec2) -> Rect {
        Rect::between(self.to_graph(Vec2::default()), self.to_graph(size))
    }

    /// Returns the camera moved as little as possible so that `rect` is inside the viewport,
    /// `margin` pixels from its edge.
    pub fn revealing(self, rect: Rect, size: Vec2, margin: f64) -> Self {
        let near = self.to_screen(rect.corner());
        let far = self.to_screen(Vec2::new(rect.right(), rect.bottom()));
        let shift = |low: f64, high: f64, size: f64| {
            if low < margin {
                margin - low
            } else if high > size - margin {
                (size - margin - high).max(margin - low)
            } else {
                0.0
            }
        };
        self.panned(Vec2::new(
            shift(near.x, far.x, size.x),
            shift(near.y, far.y, size.y),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(800.0, 600.0);

    fn close(a: Vec2, b: Vec2) {
        assert!((a - b).length() < 1e-9, "{a:?} is not {b:?}");
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let mut camera = Camera::default();
        let pointer = Vec2::new(321.0, 123.0);
        let under = camera.to_graph(pointer);
        for zoom in [0.5, 2.7, 0.02, 99.0, 0.0] {
            camera = camera.zoomed_about(pointer, zoom);
            close(camera.to_graph(pointer), under);
            assert!((MIN_ZOOM..=MAX_ZOOM).contains(&camera.zoom));
        }
    }

    #[test]
    fn fitting_centres_within_the_maximum_zoom() {
        let small = Rect::at(Vec2::new(-50.0, 20.0), 100.0, 100.0);
        let camera = Camera::fitting(small, SIZE, 40.0, 1.0);
        assert_eq!(camera.zoom, 1.0);
        close(camera.to_screen(small.center()), SIZE * 0.5);

        let wide = Rect::at(Vec2::default(), 7200.0, 100.0);
        let camera = Camera::fitting(wide, SIZE, 40.0, 1.0);
        close(
            camera.to_screen(Vec2::new(0.0, 50.0)),
            Vec2::new(40.0, 300.0),
        );
        close(
            camera.to_screen(Vec2::new(7200.0, 50.0)),
            Vec2::new(760.0, 300.0),
        );
    }

    #[test]
    fn revealing_pans_only_as_far_as_necessary() {
        let camera = Camera {
            offset: Vec2::default(),
            zoom: 1.0,
        };
        let inside = Rect::at(Vec2::new(100.0, 100.0), 50.0, 50.0);
        assert_eq!(camera.revealing(inside, SIZE, 20.0), camera);
        let right = Rect::at(Vec2::new(790.0, 100.0), 50.0, 50.0);
        close(
            camera.revealing(right, SIZE, 20.0).offset,
            Vec2::new(-60.0, 0.0),
        );
        let above = Rect::at(Vec2::new(100.0, -500.0), 50.0, 50.0);
        close(
            camera.revealing(above, SIZE, 20.0).offset,
            Vec2::new(0.0, 520.0),
        );
    }
}
