//! The two diagrams: the Board and a method. What they have in common is here, once; `board` and
//! `method` define their content and the meaning of gestures there.

pub mod board;
mod dragging;
pub mod face;
pub mod frames;
pub mod menu;
pub mod method;
mod model;
mod node;
pub mod picture;
mod rules;
mod text;
mod tidy;
mod view;

pub use dragging::{DragGhost, NodeDrag};
pub use model::OpenDiagram;
pub use view::DiagramView;
