//! The parts of the Stage that can be hidden, and the camera that looks at it.

use leptos::prelude::*;

use super::arrange::Rect;
use crate::canvas::camera::Camera;
use crate::canvas::cameras::Cameras;
use crate::canvas::geometry::{self, Vec2};
use crate::session::Session;
use crate::web::storage;

/// The zooms between which the map is fitted into the view.
const FITTED: (f64, f64) = (0.35, 1.5);
/// The zooms that the designer can choose.
const ZOOMS: (f64, f64) = (0.25, 3.0);
/// The free room around a fitted map, for the controls, in pixels: at the sides, above and below.
const MARGINS: (f64, f64, f64) = (24.0, 48.0, 56.0);
/// The width below which nothing that covers the view leaves enough of it.
const NARROW: f64 = 480.0;
/// The enlargement from which on texts on the map are limited to the most important ones.
const BRIEF: f64 = 1.5;

/// Returns `true` if texts are enlarged so much that only the most important ones have room.
pub fn is_brief(enlargement: f64) -> bool {
    enlargement > BRIEF
}

/// A part of the Stage that can be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The planned paths of the actors, and where they came from.
    Plans,
    /// The places that they observe.
    Senses,
    /// Their wrong beliefs.
    Beliefs,
    /// Their goals and steps.
    Bubbles,
    /// The list of current actions.
    Actions,
}

impl Layer {
    /// All layers, in the order of their buttons.
    pub const ALL: [Self; 5] = [
        Self::Plans,
        Self::Senses,
        Self::Beliefs,
        Self::Bubbles,
        Self::Actions,
    ];

    /// Returns the name of its button.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plans => "Plans",
            Self::Senses => "Senses",
            Self::Beliefs => "Beliefs",
            Self::Bubbles => "Bubbles",
            Self::Actions => "Actions",
        }
    }

    /// Returns its description.
    pub fn title(self) -> &'static str {
        match self {
            Self::Plans => "Show where actors came from and plan to go",
            Self::Senses => "Show where actors observe something",
            Self::Beliefs => "Show where actors wrongly believe others to be",
            Self::Bubbles => "Show goals and steps next to the actors",
            Self::Actions => "Show the list of current actions",
        }
    }

    /// Returns `true` if the browser remembers that it is shown.
    pub fn is_kept(self) -> bool {
        storage::get(&self.key()).map_or(self != Self::Actions, |kept| kept == "1")
    }

    fn key(self) -> String {
        format!("taskloom.stage.{}", self.name().to_lowercase())
    }
}

/// The layers that are shown, remembered by the browser.
#[derive(Clone, Copy)]
pub struct Layers([RwSignal<bool>; 5]);

impl Layers {
    /// Restores them.
    pub fn restore() -> Self {
        Self(Layer::ALL.map(|layer| RwSignal::new(layer.is_kept())))
    }

    /// Returns `true` if a layer is shown. Tracked.
    pub fn shows(self, layer: Layer) -> bool {
        self.0[layer as usize].get()
    }

    /// Shows or hides a layer.
    pub fn toggle(self, layer: Layer) {
        let signal = self.0[layer as usize];
        signal.update(|shown| *shown = !*shown);
        let kept = if signal.get_untracked() { "1" } else { "0" };
        storage::set(&layer.key(), kept);
    }
}

/// The camera of the Stage. It fits the map into the view until the designer moves it; then it is kept, like those of
/// canvases, for each document.
#[derive(Clone, Copy)]
pub struct StageCamera {
    cameras: Cameras,
    /// The name of the open document's Stage among the cameras.
    name: StoredValue<String>,
    camera: RwSignal<Camera>,
    is_fitted: RwSignal<bool>,
    size: RwSignal<Vec2>,
    /// The width of the view's left side that something covers, in pixels.
    cover: RwSignal<f64>,
}

impl StageCamera {
    /// Provides it to the components below, for as long as the page is open.
    pub fn provide(session: Session, cameras: Cameras) {
        let stage = Self::new(cameras);
        provide_context(stage);
        Effect::new(move |before: Option<u32>| {
            let opened = session.storage.opened.get();
            // A copy is made when the document can't be written under its row.
            session.storage.hold.track();
            session.storage.saved.track();
            let id = session.entry().id;
            match before {
                Some(last) if last == opened => stage.rename(&id),
                _ => stage.open(&id),
            }
            opened
        });
    }

    fn new(cameras: Cameras) -> Self {
        Self {
            cameras,
            name: StoredValue::new(String::new()),
            camera: RwSignal::new(Camera::default()),
            is_fitted: RwSignal::new(true),
            size: RwSignal::new(Vec2::default()),
            cover: RwSignal::new(0.0),
        }
    }

    /// Looks at the Stage of the document with this id as before or, if it wasn't moved there, at all of its map.
    fn open(self, id: &str) {
        let name = name_of(id);
        let before = self.cameras.before(&name);
        self.name.set_value(name);
        self.is_fitted.set(before.is_none());
        if let Some(camera) = before {
            self.camera.set(camera);
        }
    }

    /// Continues under another id: the document has become a copy.
    fn rename(self, id: &str) {
        let (name, before) = (name_of(id), self.name.get_value());
        if name != before {
            let camera = self.cameras.before(&before);
            self.cameras.set(&name, camera);
            self.name.set_value(name);
        }
    }

    fn keep(self) {
        let camera = self.camera.get_untracked();
        let camera = (!self.is_fitted.get_untracked()).then_some(camera);
        self.name.with_value(|name| self.cameras.set(name, camera));
    }

    /// Returns the camera that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Returns the current camera. Tracked.
    pub fn get(self) -> Camera {
        self.camera.get()
    }

    /// Returns the current camera. Untracked.
    pub fn get_untracked(self) -> Camera {
        self.camera.get_untracked()
    }

    /// Returns `true` if the view can be drawn, and fits the map until it is moved. Tracked.
    pub fn fits(self) -> bool {
        self.cover.track();
        self.size.with(|size| size.x > 0.0) && self.is_fitted.get()
    }

    /// Sets the width of the view's left side that something covers, in pixels.
    pub fn set_cover(self, width: f64) {
        if self.cover.get_untracked() != width {
            self.cover.set(width);
        }
    }

    /// Returns the width of the view's left side that the map and the controls leave free. Tracked.
    pub fn cover(self) -> f64 {
        let (cover, width) = (self.cover.get(), self.size.get().x);
        if width - cover < NARROW { 0.0 } else { cover }
    }

    /// Returns the factor by which texts on the map are enlarged, so that they stay legible when it
    /// is fitted into a small view. Tracked.
    pub fn enlargement(self) -> f64 {
        let zoom = self.camera.with(|camera| camera.zoom);
        (1.0 / zoom).clamp(1.0, 1.0 / FITTED.0)
    }

    /// Sets the size of the view.
    pub fn resize(self, size: Vec2) {
        if self.size.get_untracked() != size {
            self.size.set(size);
        }
    }

    /// Fits the map into the view, now and when either changes.
    pub fn fit(self, bounds: Rect) {
        let content = geometry::Rect {
            x: f64::from(bounds.at.x),
            y: f64::from(bounds.at.y),
            w: f64::from(bounds.width),
            h: f64::from(bounds.height),
        };
        let size = self.size.get_untracked();
        let (side, above, below) = MARGINS;
        let corner = Vec2::new(untrack(|| self.cover()) + side, above);
        let room = size - corner - Vec2::new(side, below);
        let fitted = Camera::fitting(content, room, 0.0, FITTED.1);
        let zoom = fitted.zoom.max(FITTED.0);
        let camera = fitted.zoomed_about(room * 0.5, zoom);
        self.camera.set(camera.panned(corner));
        if !self.is_fitted.get_untracked() {
            self.is_fitted.set(true);
        }
        self.keep();
    }

    /// Moves the map by a number of pixels.
    pub fn pan(self, by: Vec2) {
        self.is_fitted.set(false);
        self.camera.update(|camera| *camera = camera.panned(by));
        self.keep();
    }

    /// Magnifies the map about a point of the view, or its middle.
    pub fn zoom(self, at: Option<Vec2>, factor: f64) {
        self.is_fitted.set(false);
        let at = at.unwrap_or(self.size.get_untracked() * 0.5);
        self.camera.update(|camera| {
            let zoom = (camera.zoom * factor).clamp(ZOOMS.0, ZOOMS.1);
            *camera = camera.zoomed_about(at, zoom);
        });
        self.keep();
    }
}

/// Returns the name of a document's Stage among the cameras.
fn name_of(id: &str) -> String {
    format!("{id} stage")
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Point;

    #[test]
    fn camera_belongs_to_the_document() {
        let owner = Owner::new();
        owner.set();
        let stage = StageCamera::new(Cameras::of_lines("5 6 2 c stage"));
        let looks = || (stage.get_untracked(), stage.is_fitted.get_untracked());
        stage.resize(Vec2::new(800.0, 600.0));
        let bounds = Rect {
            at: Point { x: 0, y: 0 },
            width: 100,
            height: 100,
        };
        stage.open("a");
        stage.fit(bounds);
        let (fitted, _) = looks();
        stage.pan(Vec2::new(2_000.0, 0.0));
        let moved = looks();
        stage.open("b");
        assert!(
            stage.is_fitted.get_untracked(),
            "not moved in this document"
        );
        stage.fit(bounds);
        assert_eq!(looks(), (fitted, true));
        stage.open("a");
        assert_eq!(looks(), moved);
        // The document becomes a copy.
        stage.rename("a2");
        stage.open("b");
        stage.open("a2");
        assert_eq!(looks(), moved);
        stage.open("c");
        let offset = Vec2::new(5.0, 6.0);
        assert_eq!(
            looks(),
            (Camera { offset, zoom: 2.0 }, false),
            "before a reload"
        );
        stage.fit(bounds);
        stage.open("b");
        stage.open("c");
        assert!(stage.is_fitted.get_untracked(), "fitted by its button");
    }
}
