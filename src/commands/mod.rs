//! The designer's commands: one table, from which keys, palette, help sheet and menus are made. The
//! table is above all panels and diagrams, which know [`Page`](crate::page::Page) only.

mod align;
mod areas;
pub mod clipboard;
mod gallery;
mod help;
mod help_index;
mod overlay;
mod palette;
mod table;

pub use overlay::Overlay;
pub use table::GROUPS;
