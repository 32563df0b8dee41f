//! Camera, gestures, wires and hit tests of the two canvases. Geometry and
//! gestures are pure and know no page; `surface` is the thin layer between them
//! and the elements.

pub mod act;
pub mod camera;
pub mod colour;
pub mod curve;
pub mod far;
mod frame;
pub mod geometry;
pub mod gesture;
mod index;
mod input;
pub mod list;
mod look;
mod minimap;
pub mod mirror;
mod mount;
mod node;
pub mod presets;
pub mod scene;
pub mod search;
pub mod surface;
pub mod text;
mod view;

pub use view::{Canvas, WireLook};
