//! What the designer can do: one table of commands, from which keys, palette, help sheet
//! and menus are made. The table stands above all panels and diagrams; what those need of
//! it they are given by [`Page`].

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
