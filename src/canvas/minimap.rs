//! The minimap: all of the canvas at a glance, and the visible part of it. It is drawn when its
//! content changes; while the camera moves, only the frame of the visible part does.

use std::collections::BTreeSet;

use leptos::ev::PointerEvent;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;

use super::camera::Camera;
use super::far::{Picture, Tints, sized};
use super::geometry::{Rect, Vec2, pixels, translation};
use super::painter::Frame;
use super::scene::Selected;

/// Its size, in pixels, as in the style sheet.
const SIZE: Vec2 = Vec2::new(190.0, 126.0);
/// The padding at its edges, in pixels.
const EDGE: f64 = 8.0;
/// The maximum scale, for small content.
const LARGEST: f64 = 0.25;

/// Returns the camera with which the minimap shows all of `content`.
fn above(content: Rect) -> Camera {
    let room = Vec2::new(SIZE.x - 2.0 * EDGE, SIZE.y - 2.0 * EDGE);
    let zoom = (room.x / content.w.max(1.0)).min(room.y / content.h.max(1.0));
    let zoom = zoom.min(LARGEST);
    Camera {
        offset: SIZE * 0.5 - content.center() * zoom,
        zoom,
    }
}

/// The minimap.
#[derive(Default)]
pub struct Minimap {
    /// The camera with which it shows the scene; `None` if it has to be redrawn.
    camera: Option<Camera>,
}

impl Minimap {
    /// Marks it to be redrawn with the next frame.
    pub fn forget(&mut self) {
        self.camera = None;
    }

    /// Updates it to scene and camera.
    pub fn paint(&mut self, frame: &Frame<'_>, tints: &Tints) {
        let Frame {
            elements, scene, ..
        } = frame;
        let map = *self.camera.get_or_insert_with(|| {
            let map = above(scene.bounds(&BTreeSet::new()).unwrap_or_default());
            let style = window().get_computed_style(&elements.map).ok().flatten();
            if let (Some(context), Some(style)) = (sized(&elements.map, SIZE), style) {
                let picture = Picture {
                    scene,
                    tints,
                    selected: &Selected::default(),
                    without: None,
                    moved: &|_| Vec2::default(),
                };
                picture.draw(&context, &style, map, SIZE);
            }
            map
        });
        let seen = frame.camera.window(frame.size);
        let corner = map.to_screen(seen.corner());
        let style = elements.map_window.style();
        let _ = style.set_property("transform", &translation(corner.x, corner.y));
        let _ = style.set_property("width", &pixels(seen.w * map.zoom));
        let _ = style.set_property("height", &pixels(seen.h * map.zoom));
    }

    /// Returns the point of the scene that was pressed on it.
    pub fn pressed(&self, event: &PointerEvent) -> Option<Vec2> {
        event.stop_propagation();
        let map = self.camera.filter(|_| event.buttons() & 1 == 1)?;
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if let Some(target) = target {
            // Without pointer capture, a drag ends at the edge.
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        let at = Vec2::new(event.offset_x(), event.offset_y());
        Some(map.to_graph(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimap_contains_everything() {
        for content in [
            Rect::at(Vec2::new(-500.0, 30.0), 80_000.0, 300.0),
            Rect::at(Vec2::default(), 100.0, 9000.0),
            Rect::default(),
        ] {
            let map = above(content);
            let near = map.to_screen(content.corner());
            let far = map.to_screen(Vec2::new(content.right(), content.bottom()));
            let room = Rect::at(Vec2::default(), SIZE.x, SIZE.y).grown(0.1 - EDGE);
            assert!(room.contains(near) && room.contains(far), "{content:?}");
        }
    }
}
