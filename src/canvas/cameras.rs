//! The cameras of canvases that were open before.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::camera::Camera;
use super::surface::Surface;

/// The last camera of each canvas that was closed, until the page is left.
#[derive(Clone, Copy)]
pub struct Cameras(StoredValue<BTreeMap<String, Camera>, LocalStorage>);

impl Cameras {
    /// Provides them to the components below.
    pub fn provide() {
        provide_context(Self(StoredValue::new_local(BTreeMap::new())));
    }

    /// Returns those that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Opens a canvas with the camera that it was closed with, if it was open before, and keeps its
    /// camera when it is closed.
    pub fn keep(&self, surface: Surface, canvas: String) {
        let cameras = self.0;
        if let Some(camera) = cameras.with_value(|kept| kept.get(&canvas).copied()) {
            surface.reopen(camera);
        }
        on_cleanup(move || {
            if let Some(camera) = surface.closing_camera() {
                cameras.try_update_value(|kept| kept.insert(canvas, camera));
            }
        });
    }
}
