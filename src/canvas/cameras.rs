//! The cameras of canvases that were open before.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::camera::Camera;
use super::geometry::Vec2;
use super::surface::Surface;
use crate::web::{platform::CAMERAS, storage};
use taskloom_document::sort::map_of;

/// The last camera of each canvas.
#[derive(Clone, Copy)]
pub struct Cameras {
    closed: StoredValue<BTreeMap<String, Camera>, LocalStorage>,
    open: StoredValue<Option<(String, Surface)>, LocalStorage>,
}

impl Cameras {
    /// Provides them to the components below.
    pub fn provide() {
        let cameras = Self::of_lines(&storage::of_tab(CAMERAS).unwrap_or_default());
        provide_context(cameras);
        let left = window_event_listener_untyped("pagehide", move |_| cameras.write());
        on_cleanup(move || left.remove());
    }

    /// Creates the cameras in these lines.
    pub fn of_lines(lines: &str) -> Self {
        Self {
            closed: StoredValue::new_local(map_of(lines.lines().filter_map(read))),
            open: StoredValue::new_local(None),
        }
    }

    /// Returns those that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Opens a canvas with the camera that it was closed with, if it was open before, and keeps its
    /// camera when it is closed.
    pub fn keep(&self, surface: Surface, canvas: String) {
        let cameras = *self;
        if let Some(camera) = cameras.before(&canvas) {
            surface.reopen(camera);
        }
        cameras.open.set_value(Some((canvas, surface)));
        on_cleanup(move || {
            let open = cameras.open.try_update_value(Option::take).flatten();
            if let Some((canvas, surface)) = open {
                cameras.close(canvas, surface);
            }
        });
    }

    /// Continues with another canvas on a surface, unless that is gone: another document has opened.
    pub fn replace(&self, surface: Surface, canvas: String) {
        let Some((closed, _)) = self.open.get_value() else {
            return;
        };
        if surface.closing_camera().is_none() {
            return;
        }
        self.close(closed, surface);
        surface.open_again(self.before(&canvas));
        self.open.set_value(Some((canvas, surface)));
    }

    /// Continues under another name: the document has become a copy.
    pub fn rename(&self, canvas: String) {
        let rename = |open: &mut Option<(String, Surface)>| {
            if let Some((name, _)) = open {
                *name = canvas;
            }
        };
        self.open.update_value(rename);
    }

    /// Keeps the camera of a view that has no surface, or forgets it.
    pub fn set(&self, view: &str, camera: Option<Camera>) {
        self.closed.update_value(|kept| {
            match camera {
                Some(camera) => kept.insert(view.to_owned(), camera),
                None => kept.remove(view),
            };
        });
    }

    /// Returns the last camera of a canvas or view.
    pub fn before(&self, canvas: &str) -> Option<Camera> {
        self.closed.with_value(|kept| kept.get(canvas).copied())
    }

    fn close(&self, canvas: String, surface: Surface) {
        if let Some(camera) = surface.closing_camera() {
            self.closed
                .try_update_value(|kept| kept.insert(canvas, camera));
        }
    }

    /// Writes all cameras, since the page is left.
    fn write(&self) {
        let open = self.open.get_value();
        let open = open.and_then(|(canvas, surface)| Some((canvas, surface.closing_camera()?)));
        let mut cameras = self.closed.get_value();
        cameras.extend(open);
        let lines = cameras.iter().map(|(canvas, camera)| {
            let Camera { offset, zoom } = camera;
            format!("{} {} {zoom} {canvas}", offset.x, offset.y)
        });
        let text: Vec<String> = lines.collect();
        storage::set_of_tab(CAMERAS, &text.join("\n"));
    }
}

/// Reads a line with a canvas and its camera.
fn read(line: &str) -> Option<(String, Camera)> {
    let mut words = line.splitn(4, ' ');
    let mut number = || words.next()?.parse().ok().filter(|n: &f64| n.is_finite());
    let offset = Vec2::new(number()?, number()?);
    let zoom = number().filter(|zoom| *zoom > 0.0)?;
    Some((words.next()?.to_owned(), Camera { offset, zoom }))
}
