//! Camera, gestures, wires and hit tests of the two canvases. Geometry and gestures are pure and
//! independent of the page; `surface` is the thin layer between them and the elements.

pub mod arrange;
pub mod camera;
pub mod cameras;
pub mod colour;
pub mod curve;
mod elements;
pub mod far;
pub mod fingers;
pub mod geometry;
pub mod gesture;
mod hand;
mod index;
mod input;
pub mod intent;
mod look;
mod minimap;
pub mod mirror;
mod mount;
mod node;
mod painter;
mod perform;
pub mod presets;
mod register;
pub mod scene;
pub mod search;
pub mod surface;
mod view;
mod viewport;
pub mod wheel;

pub use view::{Canvas, WireLook};
