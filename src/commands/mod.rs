//! The designer's commands: one table, from which keys, palette, help sheet and menus are made. The
//! table is above all panels and diagrams; they get what they need through [`Page`].

mod attention;
mod bindings;
mod chord;
pub mod clipboard;
mod command;
mod gallery;
mod help;
mod overlay;
mod page;
mod palette;
mod table;

pub use overlay::Overlay;
pub use page::{Page, in_text, shown};
pub use table::GROUPS;
